/** Money that moved although the console got no answer. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { makePayer } from './payer.ts'
import { openConsole } from './stage.ts'
import { assertWell, dialogOf, FAR, press, pressIn, submit, WAYS } from './ways.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world } = stage

for (const { way, t, options } of new Set([...WAYS, FAR])) {
  test(`a load whose answer is lost is shown as one, and another press books it once, ${way}`, async () => {
    const { tenant, card, email } = await makePayer(world)
    const path = `/accounts/${card.account_id}`
    const balance = async () => {
      const { body } = await world.request('GET', `/v1${path}`, undefined, { key: tenant.api_key })
      return body.balance
    }
    const opened = await stage.open(email, path, options)
    const { page } = opened
    const before = await balance()
    await press(page, t.accounts.load)
    const dialog = dialogOf(page, t.accounts.load)
    await dialog.getByRole('textbox').first().fill('100')
    await pressIn(dialog, t.rehearse.check)
    await dialog.getByRole('region', { name: t.rehearse.title }).waitFor()
    // The server has booked it when the connection ends.
    await page.route(
      '**/*:loadfunds',
      async (route) => {
        await route.fetch()
        await route.abort('connectionreset')
      },
      { times: 1 },
    )
    await pressIn(dialog, t.accounts.load)
    await dialog.getByText(t.states.no_answer, { exact: true }).waitFor()
    assert.equal(await dialog.getByText(t.states.rejected).count(), 0)
    assert.equal(await dialog.getByText(t.rehearse.text).count(), 0)
    assert.equal(await balance(), before + 100)
    await assertWell(opened)
    await submit(dialog, t.accounts.load)
    assert.equal(await balance(), before + 100)
  })
}
