/** An object that two tabs, or two members, change at one time: no change of the other is lost. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { PASSWORD } from '#test/support/portal/browser.ts'
import { makePayer } from './payer.ts'
import { openConsole } from './stage.ts'
import { dialogOf, headed, press, pressIn, submit, WIDE } from './ways.ts'
import { english as t } from './words.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world } = stage
const { tenant, email } = await makePayer(world)
const key = { key: tenant.api_key }

async function createLimit() {
  const limit = { description: 'Daily', currency: 'AED', max_amount: '3000', type: 'CUMULATIVE' }
  const { body } = await world.request(
    'POST',
    '/v1/velocitylimits',
    { ...limit, period: 'DAILY', transaction_scope: ['ALL'] },
    key,
  )
  const { id } = body
  const read = async () => (await world.request('GET', `/v1/velocitylimits/${id}`, undefined, key)).body
  return { path: `/controls/velocity/${id}`, read }
}

test('a limit that one tab has changed stays where another tab saves a description', async () => {
  const { path, read } = await createLimit()
  const { page: first, context } = await stage.open(email, path, { viewport: WIDE })
  const second = await context.newPage()
  await second.goto(first.url())
  await headed(second, 'Daily')
  await press(second, t.controls.change)
  const late = dialogOf(second, t.controls.change)
  await late.getByLabel(t.controls.description).fill('Weekdays')
  await press(first, t.controls.change)
  const early = dialogOf(first, t.controls.change)
  await early.getByLabel(t.controls.most).fill('111')
  await submit(early, t.actions.save)
  assert.equal((await read()).max_amount, 111)
  await pressIn(late, t.actions.save)
  await submit(late, 'Save my changes')
  const { description, max_amount } = await read()
  assert.deepEqual({ description, max_amount }, { description: 'Weekdays', max_amount: 111 })
})
