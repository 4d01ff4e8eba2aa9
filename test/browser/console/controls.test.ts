/** Limits and lists, and backtests of them: one browser page goes through the pages by the menu. */

import { test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { makePayer } from './payer.ts'
import { openConsole } from './stage.ts'
import { assertWell, dialogOf, goTo, headed, press, submit, WAYS } from './ways.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world } = stage
world.sweeper.start()

for (const { way, t, options } of WAYS) {
  const { issuer, card, email } = await makePayer(world)
  const pay = (amount: string) => {
    const body = { card_id: card.card_id, amount, currency: 'AED' }
    return issuer.call('POST', '/v1/simulate/authorizations', body)
  }
  const opened = await stage.open(email, '/controls', options)
  const { page } = opened
  const tab = (name: string) =>
    page
      .getByRole('navigation', { name: t.pages.controls })
      .getByRole('link', { name, exact: true })
      .click()

  test(`a velocity limit is watched in shadow, and then enforced, ${way}`, async () => {
    await page.getByText(t.controls.none, { exact: true }).waitFor()
    const label = t.controls.create.velocity
    await press(page, label)
    const dialog = dialogOf(page, label)
    await dialog.getByLabel(t.controls.description).fill('Daily 30')
    await dialog.getByLabel(t.controls.most).fill('many')
    await dialog.getByLabel(t.limits.mode).selectOption('SHADOW')
    await press(page, t.controls.create_submit)
    await dialog.getByText(t.states.rejected).waitFor()
    await assertWell(opened)
    await dialog.getByLabel(t.controls.most).fill('30')
    await submit(dialog, t.controls.create_submit)
    await headed(page, 'Daily 30')
    await press(page, t.controls.link)
    await submit(dialogOf(page, t.controls.link), t.controls.link)
    await pay('40.00')
    await page.reload()
    await page.getByRole('table', { name: t.controls.would_decline }).waitFor()
    await assertWell(opened)
    await press(page, t.controls.enforce)
    await submit(dialogOf(page, t.controls.enforce), t.controls.enforce)
    await headed(page, 'ENFORCED')
    await press(page, t.controls.change)
    const change = dialogOf(page, t.controls.change)
    await change.getByLabel(t.controls.most).fill('1000')
    await submit(change, t.actions.save)
    await page.getByText('AED 1,000.00').waitFor()
  })

  test(`a list of countries is created and turned off ${way}`, async () => {
    await goTo(page, '/controls', t.pages.controls)
    await tab(t.controls.kinds.countries)
    const label = t.controls.create.countries
    await press(page, label)
    const dialog = dialogOf(page, label)
    await dialog.getByLabel(t.fields.name).fill('Gulf')
    await dialog.getByLabel(t.controls.items.countries).fill('AE, SA')
    await assertWell(opened)
    await submit(dialog, t.controls.create_submit)
    await headed(page, 'ENFORCED')
    await press(page, t.controls.change)
    const change = dialogOf(page, t.controls.change)
    await change.getByRole('switch', { name: t.controls.active }).click()
    await submit(change, t.actions.save)
    await headed(page, 'INACTIVE')
    await assertWell(opened)
  })

  test(`a change is tried on past payments, and then made, ${way}`, async () => {
    await goTo(page, '/controls', t.pages.controls)
    await tab(t.controls.backtests)
    await page.getByText(t.backtests.none, { exact: true }).waitFor()
    await assertWell(opened)
    await press(page, t.backtests.create)
    const dialog = dialogOf(page, t.backtests.create)
    await dialog.getByLabel(t.controls.most).fill('35')
    await assertWell(opened)
    await submit(dialog, t.actions.run)
    await headed(page, 'COMPLETED')
    await page.getByRole('table', { name: t.backtests.turns }).locator('tbody tr').waitFor()
    await assertWell(opened)
    await press(page, t.backtests.apply)
    const apply = dialogOf(page, t.backtests.apply)
    await apply.getByLabel(t.controls.description).fill('Daily 35')
    await submit(apply, t.controls.create_submit)
    await headed(page, 'Daily 35')
    await goTo(page, '/controls', t.pages.controls)
    await tab(t.controls.backtests)
    const rows = page.getByRole('table', { name: t.controls.backtests }).locator('tbody tr')
    await rows.filter({ hasText: 'COMPLETED' }).waitFor()
    await assertWell(opened)
  })
}
