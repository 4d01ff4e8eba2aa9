/** `bezant doctor` on payouts and their parts. */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { newId } from '#lib/id.ts'
import { auditPayouts } from '#merchant/payouts/payouts.ts'
import { foundBy, type Statement } from '#test/support/inspection/planted.ts'
import { payOut } from '#test/support/network/payouts.ts'
import { openShop } from '../e2e/shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const card = await shop.customer(10_000_000n)
const { id: tenant_id } = shop.tenant
for (const total of ['10', '20']) {
  const { reference } = await shop.order(card, { total })
  await shop.call('POST', `/orders/${reference}/capture`)
  await payOut(shop, tenant_id)
}

test('two payouts leave nothing to find', async () => {
  assert.deepEqual(await foundBy(shop, auditPayouts), [])
})

const own = sql`tenant_id = ${tenant_id}`
const second = sql`(select id from payouts where ${own} and number = 2)`
const faults: [name: string, detail: RegExp, plant: Statement][] = [
  [
    'a sum that is not that of its parts',
    /its sums differ from those of its parts/,
    () => sql`update payouts set captured = captured + 1, amount = amount + 1
      where ${own} and number = 2`,
  ],
  [
    'a fee that is in no sum',
    /its sums differ from those of its parts/,
    () => sql`update order_operations set fee = 1 where ${own} and payout_id = ${second}`,
  ],
  [
    'a payout without parts',
    /its sums differ from those of its parts: none/,
    () => sql`update order_operations set payout_id = null, payable = booked
      where ${own} and payout_id = ${second}`,
  ],
  [
    'a part of another merchant',
    /is of another merchant or currency/,
    () => sql`update order_operations set merchant_id = ${newId()}
      where ${own} and payout_id = ${second}`,
  ],
  [
    'a number that is missing',
    /is number 3 and carries 0, after number 1/,
    () => sql`update payouts set number = 3 where ${own} and number = 2`,
  ],
  [
    'a balance that was not carried over',
    /is number 2 and carries 0, after number 1, which has left -5/,
    () => sql`update payouts set status = 'CARRIED', refunded = captured + 5, amount = -5
      where ${own} and number = 1`,
  ],
]
for (const [name, detail, plant] of faults) {
  test(`${name} is found`, async () => {
    const found = await foundBy(shop, auditPayouts, plant)
    assert.ok(
      found.some((one) => detail.test(one.detail)),
      JSON.stringify(found),
    )
  })
}

test('an operation that succeeded waits for a payout or is in one', async () => {
  for (const wrong of [sql`payout_id = null`, sql`payable = booked`, sql`booked = null`]) {
    const plant = sql`update order_operations set ${wrong}
      where ${own} and payout_id = ${second}`.execute(shop.db)
    await assert.rejects(plant, /order_operations_(paid_out|booked)/)
  }
})
