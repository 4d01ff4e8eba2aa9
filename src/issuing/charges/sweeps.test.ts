/** Charges that become due beside an account that another transaction has locked (D-933). */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { auditLedger } from '#issuing/ledger/ledger.ts'
import { addDays } from '#lib/time.ts'
import { closeGate } from '#test/support/gate.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { openWorld } from '#test/support/world.ts'
import { chargeSweeps } from './sweeps.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const issuer = await openIssuer(world)

/** The statuses of the charges of an account, newest first. */
async function charged({ account_id }: { account_id: string }): Promise<string[]> {
  const { body } = await issuer.call('GET', `/v1/accounts/${account_id}/charges`)
  return body.data.map(({ status }: { status: string }) => status)
}

/** Runs a sweep some days later, as long as it finds something. */
async function sweep(name: string, days: number): Promise<void> {
  const ctx = await world.ctx()
  const found = chargeSweeps.find((one) => one.name === name)
  assert.ok(found)
  while ((await found.run({ ...ctx, now: addDays(ctx.now, days) })).more);
}

test('a locked account delays its own month, and no other', async () => {
  const product = { charges: [{ type: 'MONTHLY', amount: 2 }] }
  const [one, locked, other] = [
    await issuer.card(100, product),
    await issuer.card(100, product),
    await issuer.card(100, product),
  ]
  const gate = await closeGate(world.url, { tenant_id: world.tenant.id, id: locked.account_id })
  await sweep('monthly charges', 40)
  assert.deepEqual(
    [await charged(one), await charged(locked), await charged(other)],
    [['APPLIED'], [], ['APPLIED']],
  )
  await gate.open()
  await sweep('monthly charges', 40)
  assert.deepEqual(await charged(locked), ['APPLIED'])
  assert.deepEqual(await auditLedger(world.db), [])
})

test('a locked account delays its own charges that wait for funds, and no other', async () => {
  const product = { charges: [{ type: 'ISSUING', amount: 2 }] }
  const cards = [
    await issuer.card(0, product),
    await issuer.card(0, product),
    await issuer.card(0, product),
  ]
  for (const { account_id } of cards) {
    const money = { currency: 'AED', amount: 10 }
    const { status } = await issuer.call('POST', `/v1/accounts/${account_id}:loadfunds`, money)
    assert.equal(status, 200)
  }
  const statuses = async () => (await Promise.all(cards.map(charged))).flat()
  const locked = { tenant_id: world.tenant.id, id: cards[1]?.account_id ?? '' }
  const gate = await closeGate(world.url, locked)
  await sweep('charges', 1)
  assert.deepEqual(await statuses(), ['APPLIED', 'PENDING', 'APPLIED'])
  await gate.open()
  await sweep('charges', 1)
  assert.deepEqual(await statuses(), ['APPLIED', 'APPLIED', 'APPLIED'])
  assert.deepEqual(await auditLedger(world.db), [])
})
