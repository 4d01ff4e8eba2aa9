/**
 * `bezant doctor` on what rows say of what happened: states, codes, times, and the messages of
 * payments. Each fault is planted in a database in which much has happened.
 */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { newId } from '#lib/id.ts'
import { auditAll } from '#src/audit/audits.ts'
import { foundAfter, type Statement } from '#test/support/inspection/planted.ts'
import { openBusyShop } from './busy_shop.ts'

const scene = await openBusyShop()
const { shop, other, held, cleared, cash, open, captured, kept } = scene
after(() => shop[Symbol.asyncDispose]())

const LATER = sql`timestamptz '2099-01-01'`
const EARLIER = sql`timestamptz '2020-01-01'`
const declined = sql`(select id from transactions where status = 'DECLINED'
  and status_code = '1016' limit 1)`
const paymentOf = (order: string) => sql`(select authorization_id from orders where id = ${order})`
const messageOf = (
  order: string | ReturnType<typeof sql>,
  type: string,
) => sql`(select message_id from order_operations
  where order_id = ${order} and type = ${type})`
const refunded = sql`(select order_id from order_operations where type = 'REFUND')`

/** The row of a table again, under another id. */
const again = (table: string, id: ReturnType<typeof sql>) => sql`
  insert into ${sql.table(table)}
  select (jsonb_populate_record(r, ${JSON.stringify({ id: newId() })}::jsonb)).*
  from ${sql.table(table)} r where id = ${id}`
const setField = (name: string, value: string, id: ReturnType<typeof sql>) => sql`
  update acquirer_messages set fields = fields || ${JSON.stringify({ [name]: value })}::jsonb
  where id = ${id}`

/** A fault, what the findings begin with, and how it is planted. */
type Fault = [name: string, found: RegExp, plant: Statement]
const ofTransaction = (id: string) => new RegExp(`^I4 transaction ${id}`)

const made: Fault[] = Object.entries({
  users: 'user',
  accounts: 'account',
  transfers: 'transfer',
  card_products: 'card product',
  cards: 'card',
  charges: 'charge',
  transactions: 'transaction',
  limits: 'limit',
  merchants: 'merchant',
  merchant_kept_cards: 'kept card',
  checkouts: 'checkout',
  orders: 'order',
  order_operations: 'operation',
  payouts: 'payout',
}).flatMap(([table, name]): Fault[] => {
  const first = sql`(select id from ${sql.table(table)} order by id limit 1)`
  const at =
    (time: typeof LATER): Statement =>
    () =>
      sql`update ${sql.table(table)} set created = ${time} where id = ${first}`
  const found = new RegExp(`^I4 ${name} \\S+ was made at`)
  return [
    [`a ${name} of 2099`, found, at(LATER)],
    [`a ${name} that is older than its tenant`, found, at(EARLIER)],
  ]
})

const states: Fault[] = [
  [
    'a clearing that was posted at another time than it came',
    ofTransaction(cleared),
    () => sql`update transfers set created = created + interval '1 day'
      where transaction_id = ${cleared} and kind = 'CLEARING'`,
  ],
  [
    'a declined payment that is SETTLED',
    /^I4 transaction \S+ is SETTLED, and was DECLINED last/,
    () => sql`update transactions set status = 'SETTLED' where id = ${declined}`,
  ],
  [
    'a reversed payment that is DECLINED',
    /^I4 transaction \S+ is DECLINED, and was REVERSED last/,
    () => sql`update transactions set status = 'DECLINED' where status = 'VOIDED'`,
  ],
  [
    'a hold for a refund',
    ofTransaction(held),
    () => sql`update transactions set transaction_type = 'REFUND' where id = ${held}`,
  ],
  [
    'an approved payment with a code that it never had',
    ofTransaction(held),
    () => sql`update transactions set status_code = '1016' where id = ${held}`,
  ],
  [
    'a declined payment of another card',
    /^I4 transaction \S+ is of account/,
    () => sql`update transactions set card_id = ${other.card_id} where id = ${declined}`,
  ],
  [
    'a declined payment of another account',
    /^I4 transaction \S+ is of account/,
    () => sql`update transactions set account_id = ${other.account_id} where id = ${declined}`,
  ],
  [
    'a message whose repeat is answered as another transaction',
    /^I4 message \S+ is of transaction/,
    () => sql`update network_messages set transaction_id = ${held}
      where transaction_id = ${cleared}`,
  ],
  [
    'a message of a transaction that does not exist',
    /^I4 message \S+ is of transaction/,
    () => sql`update network_messages set transaction_id = ${newId()},
      answer = jsonb_set(answer::jsonb, '{transaction_id}', to_jsonb(${newId()}::text))::json
      where transaction_id = ${cleared}`,
  ],
  [
    'a charge of no card, whose transaction has one',
    /^I4 charge/,
    () => sql`update charges set card_id = null where transaction_id = ${cash}`,
  ],
  [
    'a charge of a transaction that does not exist',
    /^I4 charge/,
    () => sql`update charges set transaction_id = ${newId()} where status = 'PENDING'`,
  ],
  [
    'a card of nobody whose account is of a user',
    new RegExp(`^I4 card ${other.card_id} is of user none`),
    () => sql`update cards set user_id = null where id = ${other.card_id}`,
  ],
  [
    'a card of a bulk issuance that does not exist',
    new RegExp(`^I4 card ${other.card_id} is of bulk issuance`),
    () => sql`update cards set bulk_issuance_id = ${newId()} where id = ${other.card_id}`,
  ],
  [
    'an account of a card without a product',
    new RegExp(`^I2 account ${other.account_id}`),
    () => sql`update accounts set card_product_id = null where id = ${other.account_id}`,
  ],
  [
    'a hold of no account',
    /^I2 account none keeps 0/,
    () => sql`update transactions set account_id = null where id = ${held}`,
  ],
]

const sales: Fault[] = [
  [
    'two orders of one payment',
    new RegExp(`^I4 order ${open} another order has the same payment`),
    () => sql`update orders set authorization_id = ${paymentOf(captured)} where id = ${open}`,
  ],
  [
    'a refund that was sent twice',
    /^I4 message \S+ is a 0200 that was approved, for 0/,
    () => again('acquirer_messages', messageOf(refunded, 'REFUND')),
  ],
  [
    'a capture that was sent twice',
    /^I4 message \S+ is a 0220 that was approved, for 0/,
    () => again('acquirer_messages', messageOf(captured, 'CAPTURE')),
  ],
  [
    'a capture that credits',
    /^I4 message \S+ is a 0220 with the processing code 200000/,
    () => setField('3', '200000', messageOf(captured, 'CAPTURE')),
  ],
  [
    'a capture for another shop',
    /^I4 message \S+ is a 0220 that differs/,
    () => setField('42', 'ANOTHER SHOP   ', messageOf(captured, 'CAPTURE')),
  ],
  [
    'a capture that names another message',
    /^I4 message \S+ names another message/,
    () => setField('90', '0'.repeat(42), messageOf(captured, 'CAPTURE')),
  ],
  [
    'a payment that was approved by no answer',
    /^I4 message \S+ is APPROVED by the answer none/,
    () => sql`update acquirer_messages set response_code = null where id = ${paymentOf(open)}`,
  ],
  [
    'a payment that was approved by an answer that declines',
    /^I4 message \S+ is APPROVED by the answer 51/,
    () => sql`update acquirer_messages set response_code = '51' where id = ${paymentOf(open)}`,
  ],
  [
    'a capture that ended and is in doubt',
    /^I4 operation \S+ is SUCCESS and in doubt/,
    () => sql`update order_operations set in_doubt = true where order_id = ${captured}`,
  ],
  [
    'a checkout of another total than was requested',
    /^I4 checkout \S+ is of \d+ AED, its request of 1 AED/,
    () => sql`update checkouts set request = request || '{"total": "1"}'
      where reference = (select reference from orders where id = ${open})`,
  ],
]

test('a database in which much has happened has nothing to find', async () => {
  assert.deepEqual(await auditAll(shop.db, true), [])
  assert.ok(kept)
})

for (const [name, expected, plant] of [...made, ...states, ...sales]) {
  test(`${name} is found`, async () => {
    const findings = await foundAfter(shop, plant)
    const found = findings.map((one) => `${one.invariant} ${one.subject} ${one.detail}`)
    assert.ok(
      found.some((line) => expected.test(line)),
      `found: ${found.join('; ')}`,
    )
    assert.ok(findings.every(({ subject, detail }) => subject && detail))
  })
}
