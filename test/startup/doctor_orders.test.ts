/** `bezant doctor` on orders, the messages of their payments and their checkouts. */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { auditOrders } from '#merchant/orders/orders.ts'
import { foundBy, type Statement } from '#test/support/inspection/planted.ts'
import { openShop } from '../e2e/shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const { order_id } = await shop.order(await shop.customer(10_000_000n))

test('a paid order leaves nothing to find', async () => {
  assert.deepEqual(await foundBy(shop, auditOrders), [])
})

const message = sql`(select authorization_id from orders where id = ${order_id})`
const faults: [name: string, details: readonly string[], plant: Statement][] = [
  [
    'a payment without a message',
    ['its payment has no message'],
    () => sql`delete from acquirer_messages where id = ${message}`,
  ],
  [
    'a payment that was declined',
    ['its payment is DECLINED'],
    () => sql`update acquirer_messages set status = 'DECLINED' where id = ${message}`,
  ],
  [
    'a payment that was reversed',
    ['its payment is REVERSED'],
    () => sql`update acquirer_messages set status = 'REVERSED' where id = ${message}`,
  ],
  [
    'a payment under way whose message has ended',
    [
      'no checkout with its reference is paid',
      'the checkout is being paid, and its message is APPROVED',
    ],
    () => sql`update checkouts c
      set status = 'PAYING', message_id = o.authorization_id, due = c.created
      from orders o
      where o.tenant_id = c.tenant_id and o.id = ${order_id} and c.status = 'PAID'`,
  ],
  [
    'a checkout that is not paid',
    ['no checkout with its reference is paid'],
    () => sql`update checkouts set status = 'REJECTED' where status = 'PAID'`,
  ],
  [
    'a paid checkout without an order',
    ['no checkout with its reference is paid', 'the checkout is paid, and there is no order'],
    () => sql`update checkouts set reference = 'another' where status = 'PAID'`,
  ],
]
for (const [name, details, plant] of faults) {
  test(`${name} is found`, async () => {
    const found = await foundBy(shop, auditOrders, plant)
    assert.deepEqual(found.map(({ detail }) => detail).sort(), details)
  })
}
