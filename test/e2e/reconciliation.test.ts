/** The reconciliation of a day names each difference that is planted in its three books. */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { newId } from '#lib/id.ts'
import { addDays, formatDate } from '#lib/time.ts'
import type { ReconciliationRequest } from '#src/audit/reconciliation/reconciliation.ts'
import { moveClockToNoon } from '#test/support/time/moved_clock.ts'
import { found, kindsBy, type Planted, plantingIn } from './reconciled.ts'
import { openShop } from './shop.ts'

/**
 * The form is one that a cluster takes: the sum of a time and an interval depends on the session.
 */
const moved = (days: string) =>
  sql.raw(`(created at time zone 'UTC' ${days} interval '1 day') at time zone 'UTC'`)
const [DAY_LATER, DAY_EARLIER] = [moved('+'), moved('-')]

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const date = await moveClockToNoon(shop, shop.tenant)
await shop.signIn()
const card = await shop.customer(10_000_000n)
const other = await shop.otherTenant()

const post = (path: string, body?: object) => shop.call('POST', path, body)
const open = await shop.order(card)
const part = await shop.order(card)
await post(`/orders/${part.reference}/capture/`, { total: '60' })
const refunded = await shop.order(card)
await post(`/orders/${refunded.reference}/capture/`)
await post(`/orders/${refunded.reference}/refund/`, { total: '40.25', currency: 'AED' })
await post(`/orders/${refunded.reference}/refund/`, { total: '10', currency: 'AED' })

const usual: ReconciliationRequest = { date, own_issuer: true }

const foundAfter = plantingIn(shop, usual)

const nameOf = (id: string | undefined) =>
  ({ [open.order_id]: 'open', [part.order_id]: 'part', [refunded.order_id]: 'refunded' })[id ?? '']
const kindsOf = kindsBy(nameOf)

const rrn = (order: { order_id: string }) => sql`(
  select m.fields ->> '37' from orders o
  join acquirer_messages m on m.tenant_id = o.tenant_id and m.id = o.authorization_id
  where o.id = ${order.order_id})`
const payment = (order: { order_id: string }) => sql`(
  select authorization_id from orders where id = ${order.order_id})`
const purchase = (order: { order_id: string }) => sql`(
  select id from transactions where rrn = ${rrn(order)} and transaction_type = 'PURCHASE')`
const refund = sql`(select id from transactions
  where rrn = ${rrn(refunded)} and transaction_type = 'REFUND' and amount = 4025)`
/** A copy of rows with other values in some columns. */
const copied = (table: string, values: RawBuilder<unknown>, where: RawBuilder<unknown>) => sql`
  insert into ${sql.table(table)}
  select (jsonb_populate_record(r, ${values})).* from ${sql.table(table)} r where ${where}`
const anotherId = sql`jsonb_build_object('id', gen_random_uuid())`

describe('the books of a day', () => {
  test('agree where orders are open, captured in part and refunded', async () => {
    const { differences, open: under_way, progress } = await found(shop.db, usual)
    assert.deepEqual({ differences, under_way }, { differences: [], under_way: [] })
    assert.equal(progress.payments, 3)
    const sums = {
      AUTHORIZATION: { count: 3, amount: 30_150n },
      CAPTURE: { count: 2, amount: 16_050n },
      REFUND: { count: 2, amount: 5_025n },
    }
    assert.deepEqual(
      progress.totals.books(),
      ['ORDERS', 'ACQUIRER', 'ISSUER'].map((book) => ({ book, currency: 'AED', ...sums })),
    )
    assert.deepEqual(
      progress.totals.merchants().map(({ merchant_id }) => merchant_id),
      [shop.merchant.id],
    )
  })

  test('have nothing on another day, and nothing of another tenant', async () => {
    for (const asked of [{ date: '2020-01-01' }, { tenant_id: other.id }]) {
      const { progress, ...none } = await found(shop.db, { ...usual, ...asked })
      assert.deepEqual(none, { differences: [], open: [], files: [] })
      assert.equal(progress.payments, 0)
    }
  })
})

type Case = [name: string, planted: Planted[], kinds: string[][]]
const cases: Case[] = [
  [
    'a capture that the orders lack',
    [
      sql`delete from order_operations where order_id = ${part.order_id}`,
      sql`update orders set status = 'OPENED', captured = 0, total_captured = 0
        where id = ${part.order_id}`,
    ],
    [['missing_capture', 'CAPTURE', 'part', 'ACQUIRER ISSUER']],
  ],
  [
    'a capture that the acquirer lacks',
    [
      sql`delete from acquirer_messages
      where mti = '0220' and authorization_id = ${payment(part)}`,
    ],
    [['missing_capture', 'CAPTURE', 'part', 'ISSUER ORDERS']],
  ],
  [
    'a capture that the ledger of the issuer lacks',
    [sql`delete from transfers where transaction_id = ${purchase(part)}`],
    [['missing_capture', 'CAPTURE', 'part', 'ACQUIRER ORDERS']],
  ],
  [
    'a capture that the ledger of the issuer has twice',
    [copied('transfers', anotherId, sql`r.transaction_id = ${purchase(part)}`)],
    [['doubled_capture', 'CAPTURE', 'part', 'ISSUER']],
  ],
  [
    'a refund that the issuer lacks',
    [
      sql`delete from transfers where transaction_id = ${refund}`,
      sql`delete from transactions where id = ${refund}`,
    ],
    [['missing_refund', 'REFUND', 'refunded', 'ACQUIRER ORDERS']],
  ],
  [
    'a refund that the orders have twice',
    [copied('order_operations', anotherId, sql`r.type = 'REFUND' and r.amount = 4025`)],
    [['doubled_refund', 'REFUND', 'refunded', 'ORDERS']],
  ],
  [
    'a refund that the acquirer has twice',
    [copied('acquirer_messages', anotherId, sql`r.fields ->> '4' = '000000004025'`)],
    [['doubled_refund', 'REFUND', 'refunded', 'ACQUIRER']],
  ],
  [
    'a capture of another amount at the orders',
    [sql`update order_operations set amount = amount - 1 where order_id = ${part.order_id}`],
    [['other_amount', 'CAPTURE', 'part', 'ACQUIRER ISSUER ORDERS']],
  ],
  [
    'a refund of another amount at the issuer',
    [
      sql`update transfers set amount = amount + 1 where transaction_id = ${refund}`,
      sql`update transactions set cleared_amount = cleared_amount + 1 where id = ${refund}`,
    ],
    [['other_amount', 'REFUND', 'refunded', 'ACQUIRER ISSUER ORDERS']],
  ],
  [
    'a payment of another amount at the issuer',
    [sql`update transactions set amount = amount + 1 where id = ${purchase(open)}`],
    [['other_amount', 'AUTHORIZATION', 'open', 'ACQUIRER ISSUER ORDERS']],
  ],
  [
    'a payment in another currency at the issuer',
    [sql`update transactions set currency = 'USD' where id = ${purchase(open)}`],
    [['other_currency', 'AUTHORIZATION', 'open', 'ACQUIRER ISSUER ORDERS']],
  ],
  [
    'a capture in another currency at the orders',
    [sql`update order_operations set currency = 'USD' where order_id = ${part.order_id}`],
    [['other_currency', 'CAPTURE', 'part', 'ACQUIRER ISSUER ORDERS']],
  ],
  [
    'a payment in another currency at the acquirer',
    [
      sql`update acquirer_messages set fields = fields || '{"49": "840"}'
      where id = ${payment(open)}`,
    ],
    [['other_currency', 'AUTHORIZATION', 'open', 'ACQUIRER ISSUER ORDERS']],
  ],
  [
    'a payment that the orders lack',
    [sql`delete from orders where id = ${open.order_id}`],
    [['missing_authorization', 'AUTHORIZATION', undefined as never, 'ACQUIRER ISSUER']],
  ],
  [
    'a payment whose messages are lost',
    [sql`delete from acquirer_messages where authorization_id = ${payment(open)}`],
    [
      ['missing_authorization', 'AUTHORIZATION', 'open', 'ORDERS'],
      ['unknown_reference', 'AUTHORIZATION', undefined as never, 'ISSUER'],
    ],
  ],
  [
    'a reference at the issuer that no message has',
    [
      copied(
        'transactions',
        sql`jsonb_build_object('rrn', 'X', 'id', ${newId()}::text, 'message_key', 
        replace(r.message_key, r.rrn, 'X'))`,
        sql`r.id = ${purchase(open)}`,
      ),
    ],
    [['unknown_reference', 'AUTHORIZATION', undefined as never, 'ISSUER']],
  ],
  [
    'a capture of another day at the issuer',
    [
      sql`update transfers set created = ${DAY_LATER}
        where transaction_id = ${purchase(part)}`,
    ],
    [['other_day', 'CAPTURE', 'part', 'ACQUIRER ISSUER ORDERS']],
  ],
  [
    'a refund of another day at the orders',
    [
      sql`update order_operations set created = ${DAY_EARLIER}
        where type = 'REFUND' and amount = 4025`,
    ],
    [['other_day', 'REFUND', 'refunded', 'ACQUIRER ISSUER ORDERS']],
  ],
  [
    'a refund that the acquirer reversed and the issuer did not',
    [
      sql`update acquirer_messages set status = 'REVERSED'
        where fields ->> '4' = '000000004025'`,
      sql`update order_operations set status = 'FAILURE', booked = null, payable = null
        where type = 'REFUND' and amount = 4025`,
    ],
    [['missing_reversal', 'REFUND', 'refunded', 'ISSUER']],
  ],
  [
    'funds that the issuer holds for a payment that is over',
    [
      sql`update transactions set status = 'PENDING', held = 1, hold_expires = now()
      where id = ${purchase(part)}`,
    ],
    [['hold_remains', 'AUTHORIZATION', 'part', 'ISSUER']],
  ],
  [
    'a transaction that has cleared what the ledger has not moved',
    [
      sql`update transactions set cleared_amount = 2 * cleared_amount
      where id = ${purchase(part)}`,
    ],
    [['ledger_differs', 'CAPTURE', 'part', 'ISSUER']],
  ],
]

describe('a reconciliation finds', () => {
  for (const [name, planted, kinds] of cases) {
    test(name, async () => {
      assert.deepEqual(kindsOf(await foundAfter(planted)), kinds)
    })
  }
})

describe('another day', () => {
  const next = formatDate(addDays(new Date(date), 1))
  const before = formatDate(addDays(new Date(date), -1))

  test('names what the issuer alone has of it', async () => {
    const late = sql`update transfers set created = ${DAY_LATER}
      where transaction_id = ${purchase(part)}`
    const all = await foundAfter([late], { date: next })
    assert.deepEqual(kindsOf(all), [['other_day', 'CAPTURE', 'part', 'ACQUIRER ISSUER ORDERS']])
    const [book, ...others] = all.progress.totals.books()
    assert.deepEqual(others, [])
    assert.deepEqual(book?.CAPTURE, { count: 1, amount: 6_000n })
  })

  test('names what the orders alone have of it', async () => {
    const early = [
      sql`update order_operations set created = ${DAY_EARLIER}
        where type = 'REFUND' and amount = 4025`,
      sql`update orders set created = ${DAY_EARLIER} where id = ${open.order_id}`,
    ]
    assert.deepEqual(kindsOf(await foundAfter(early, { date: before })), [
      ['other_day', 'REFUND', 'refunded', 'ACQUIRER ISSUER ORDERS'],
      ['other_day', 'AUTHORIZATION', 'open', 'ACQUIRER ISSUER ORDERS'],
    ])
  })

  test('has a reference that no message has where only its clearing is of that day', async () => {
    const planted = [
      sql`update transfers set created = ${DAY_LATER}
        where transaction_id = ${purchase(part)}`,
      sql`update transactions set rrn = 'X' where id = ${purchase(part)}`,
    ]
    assert.deepEqual(kindsOf(await foundAfter(planted, { date: next })), [
      ['unknown_reference', 'CAPTURE', undefined, 'ISSUER'],
    ])
  })
})

describe('what is under way', () => {
  test('is open, and no difference', async () => {
    const planted = [
      sql`update acquirer_messages set status = 'PENDING'
        where mti = '0220' and authorization_id = ${payment(part)}`,
      sql`update order_operations set status = 'PENDING', in_doubt = true, booked = null,
          payable = null
        where order_id = ${part.order_id}`,
    ]
    const { differences, open: under_way } = await foundAfter(planted)
    assert.deepEqual(differences, [])
    assert.deepEqual(
      under_way.map(({ reason, order_id }) => [reason, order_id]),
      [['unanswered', part.order_id]],
    )
  })
})

describe('a card of another tenant', () => {
  const moved = (table: string, where: RawBuilder<unknown>) => [
    copied(table, sql`jsonb_build_object('tenant_id', ${other.id}::text)`, where),
    sql`delete from ${sql.table(table)} r where ${where} and r.tenant_id <> ${other.id}`,
  ]
  const issuedElsewhere = [
    ...moved('transfers', sql`r.transaction_id is not null`),
    ...moved('transactions', sql`true`),
  ]

  test('is compared with the book of its tenant', async () => {
    const { progress, ...all } = await foundAfter(issuedElsewhere)
    assert.deepEqual(all, { differences: [], open: [], files: [] })
    assert.equal(progress.payments, 3)
    const twice = copied('transfers', anotherId, sql`r.transaction_id = ${purchase(part)}`)
    assert.deepEqual(kindsOf(await foundAfter([...issuedElsewhere, twice])), [
      ['doubled_capture', 'CAPTURE', 'part', 'ISSUER'],
    ])
  })

  test('is not compared where the tenant of the card alone is asked for', async () => {
    const { progress, ...all } = await foundAfter(issuedElsewhere, { tenant_id: other.id })
    assert.deepEqual(
      { ...all, payments: progress.payments },
      {
        differences: [],
        open: [],
        files: [],
        payments: 0,
      },
    )
  })
})

describe('an issuer elsewhere', () => {
  test('has no book: orders and acquirer are compared', async () => {
    const none = [sql`delete from transfers`, sql`delete from transactions`]
    assert.deepEqual(kindsOf(await foundAfter(none, { own_issuer: false })), [])
    const lost = sql`delete from acquirer_messages
      where mti = '0220' and authorization_id = ${payment(part)}`
    assert.deepEqual(kindsOf(await foundAfter([...none, lost], { own_issuer: false })), [
      ['missing_capture', 'CAPTURE', 'part', 'ORDERS'],
    ])
  })
})

describe('one merchant', () => {
  test('is compared alone', async () => {
    const { body } = await shop.request(
      ...(['POST', '/v1/operator/merchants', { tenant_id: shop.tenant.id, name: 'Toys' }] as const),
      { key: shop.operator_key },
    )
    const counts = async (merchant_id: string) =>
      (await found(shop.db, { ...usual, merchant_id })).progress.payments
    assert.deepEqual([await counts(shop.merchant.id), await counts(body.id)], [3, 0])
    await assert.rejects(counts(newId()), { code: 'validation_failed' })
  })
})

test('more payments than one portion has are compared to the last', async () => {
  const copies = [
    sql`insert into acquirer_messages
      select (jsonb_populate_record(m, jsonb_build_object('id', i.id, 'authorization_id', i.id,
        'fields', m.fields || jsonb_build_object('37', 'COPY' || i.n)))).*
      from acquirer_messages m, (
        select n, gen_random_uuid() as id from generate_series(1, 1200) n) i
      where m.id = ${payment(open)}`,
  ]
  const { differences, progress } = await foundAfter(copies)
  assert.equal(progress.payments, 1203)
  const kinds = new Set(differences.map(({ kind }) => kind))
  assert.deepEqual([differences.length, ...kinds], [1200, 'missing_authorization'])
})
