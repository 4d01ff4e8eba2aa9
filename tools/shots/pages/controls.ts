import type { Page } from 'playwright-core'
import type { Shot } from '../shot.ts'

export const controls: readonly Shot[] = [
  { name: 'controls', path: '/console/controls', as: 'member' },
  {
    name: 'control-limit',
    path: ({ ids }) => `/console/controls/velocity/${ids.limit}`,
    as: 'member',
  },
  {
    name: 'control-meanwhile',
    path: ({ ids }) => `/console/controls/velocity/${ids.limit}`,
    as: 'member',
    act: changeMeanwhile,
    isWindow: true,
  },
  { name: 'control-list', path: ({ ids }) => `/console/controls/mccs/${ids.list}`, as: 'member' },
  { name: 'backtests', path: '/console/controls/backtests', as: 'member' },
  {
    name: 'backtest',
    path: ({ ids }) => `/console/controls/backtests/${ids.backtest}`,
    as: 'member',
  },
]

/** Another member changes the amount of the limit between the form and its change. */
async function changeMeanwhile(page: Page): Promise<void> {
  await page.locator('main button[data-action=dialog]').nth(2).click()
  const form = page.locator('[role=dialog] form')
  await form.locator('input').nth(1).fill('500')
  await page.route('**/v1/velocitylimits/*', async (route) => {
    if (route.request().method() === 'PUT') {
      return route.fulfill({ status: 412, json: { code: 'changed_meanwhile' } })
    }
    const response = await route.fetch()
    return route.fulfill({ response, json: { ...(await response.json()), max_amount: 111 } })
  })
  await form.locator('[type=submit]').click()
  await form.locator('section').waitFor()
}
