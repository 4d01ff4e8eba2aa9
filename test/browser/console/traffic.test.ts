/** A day of traffic in a browser, and the clock that it moves. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { keeper } from '#test/support/keeper.ts'
import { makePayer } from './payer.ts'
import { faultsOfAxe, type Opened, openConsole, overflowOf } from './stage.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { home } = stage

const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

const email = await makePayer(stage)

const region = (page: Page, name: string): Locator => page.getByRole('region', { name })

async function clean({ page, faults }: Opened): Promise<void> {
  assert.deepEqual(await faultsOfAxe(page), [])
  assert.ok((await overflowOf(page)) <= 0)
  assert.deepEqual(faults, [])
}

for (const [language, viewport] of [
  ['en', PHONE],
  ['ar', WIDE],
] as const) {
  test(`a day of 20 payments is charted and summed up in ${language}`, async () => {
    const opened = await stage.openPage({ viewport, locale: language })
    keep({ close: () => opened.context.close() })
    const { page } = opened
    await stage.signIn(opened, email, '/simulator/traffic')
    const form = page.locator('form')
    await form.locator('input').first().fill('20')
    await form.locator('select').selectOption('20')
    await form.locator('button[type=submit]').click()
    await page.locator('a[href$="/transactions?status=DECLINED"]').waitFor()
    const [approved, declined] = await page.locator('dl dd').allTextContents()
    assert.equal(Number(approved) + Number(declined), 20)
    assert.ok(Number(declined) > 0, 'one payment is too large')
    assert.equal(await page.locator('figure tbody tr').count(), 24)
    await clean(opened)
  })
}

test('a day waits where the rate of the organization is reached, and sends all of it', async () => {
  const opened = await stage.openPage({ viewport: WIDE })
  keep({ close: () => opened.context.close() })
  const { page, context } = opened
  await stage.signIn(opened, email, '/simulator/traffic')
  await page.getByLabel('Payments', { exact: true }).fill('10')
  await page.getByLabel('Payments a second').selectOption('20')
  const session = await (await context.request.get(`${home}/portal/v1/session`)).json()
  const limit = (rate_limit_per_second: number | null, rate_limit_burst: number | null) =>
    fetch(`${home}/v1/operator/tenants/${session.tenant.id}/settings`, {
      method: 'PUT',
      headers: { apikey: stage.world.operator_key, 'content-type': 'application/json' },
      body: JSON.stringify({ rate_limit_per_second, rate_limit_burst }),
    })
  assert.equal((await limit(1, 2)).status, 200)
  const refused = page.waitForResponse((response) => response.status() === 429)
  await page.getByRole('button', { name: 'Start' }).click()
  await refused
  assert.equal((await limit(null, null)).status, 200)
  await region(page, 'Run').getByText('10 of 10 payments').waitFor()
  await region(page, 'Sum').waitFor()
})

test('a day is paused, goes on and is stopped', async () => {
  const opened = await stage.openPage({ viewport: WIDE })
  keep({ close: () => opened.context.close() })
  const { page } = opened
  await stage.signIn(opened, email, '/simulator/traffic')
  await page.getByLabel('Payments', { exact: true }).fill('400')
  await page.getByLabel('Payments a second').selectOption('1')
  await page.getByRole('button', { name: 'Start' }).click()
  const run = region(page, 'Run')
  await run.getByRole('button', { name: 'Pause' }).click()
  await run.getByText('Paused').waitFor()
  await run.getByRole('button', { name: 'Go on' }).click()
  await run.getByText('Running').waitFor()
  await run.getByRole('button', { name: 'Stop' }).click()
  await run.getByText('Stopped').waitFor()
  await region(page, 'Sum').waitFor()
})

test('the clock moves forward through a day of traffic, and by a step that is asked about', async () => {
  const opened = await stage.openPage({ viewport: WIDE })
  keep({ close: () => opened.context.close() })
  const { page } = opened
  await stage.signIn(opened, email, '/simulator/traffic')
  await page.getByLabel('Payments', { exact: true }).fill('10')
  await page.getByLabel('Payments a second').selectOption('20')
  await page.getByRole('switch').check()
  await page.getByRole('button', { name: 'Start' }).click()
  await region(page, 'Sum').waitFor()
  await page.getByRole('link', { name: 'Clock' }).click()
  await page.getByRole('heading', { name: 'Clock', level: 1 }).waitFor()
  const present = region(page, 'Present time')
  await present.getByText(/^1 day/).waitFor()
  await page.getByRole('button', { name: '7 days' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click()
  const due = region(page, 'What became due')
  await due.getByText('The clock moved from').waitFor()
  await due.getByText('EXPIRED_AUTH').waitFor()
  await present.getByText(/^8 days/).waitFor()
  await clean(opened)
})

test('the clock is shown in Arabic on a phone', async () => {
  const opened = await stage.openPage({ viewport: PHONE, locale: 'ar' })
  keep({ close: () => opened.context.close() })
  await stage.signIn(opened, email, '/simulator/clock')
  await opened.page.getByRole('heading', { name: 'الساعة', level: 1 }).waitFor()
  await opened.page.getByRole('button', { name: 'إلى تاريخ' }).waitFor()
  await clean(opened)
})
