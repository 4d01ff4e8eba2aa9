/** Fees, lists, payouts, settlement file and reconciliation of orders with several captures. */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { type Tx, transact } from '#kit/context.ts'
import { addDays, formatDate } from '#lib/time.ts'
import { begin, reconcile } from '#src/audit/reconciliation/reconciliation.ts'
import { settlementOf } from '#src/audit/settlement/settlement.ts'
import { parseCsv } from '#test/support/csv.ts'
import { assertSound } from '#test/support/inspection/oracle.ts'
import { moveClockToNoon } from '#test/support/time/moved_clock.ts'
import { callsOf } from './parts.ts'
import { openShop } from './shop.ts'

const fees = [{ currency: 'AED', percent: 1, fixed: 1, refund_fee: 0.5 }]
const shop = await openShop({ settings: { partial_captures: true, fees } })
after(() => shop[Symbol.asyncDispose]())
const { capture, refund } = callsOf(shop)
const date = await moveClockToNoon(shop, shop.tenant)
await shop.signIn()
const card = await shop.customer(10_000_000n)

/** Two parts are equal, and the rest is released; then one that is open. */
const done = await shop.order(card)
await capture(done.reference, { total: '30' })
await capture(done.reference, { total: '30' })
await capture(done.reference, { total: '10.5', final: true })
await refund(done.reference, '45')
const open = await shop.order(card)
await capture(open.reference, { total: '20' })

const call = async (path: string) => {
  const answer = await shop.call('GET', path)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

test('the lists have each capture with its own fee, and totals their sums', async () => {
  const { data } = await call(`/captures?reference=${done.reference}`)
  assert.deepEqual(
    data.map(({ amount, fee, final, status }: Record<string, unknown>) => [
      ...[amount, fee, final, status],
    ]),
    [
      ['10.5000', '1.1000', true, 'SUCCESS'],
      ['30.0000', '1.3000', false, 'SUCCESS'],
      ['30.0000', '1.3000', false, 'SUCCESS'],
    ],
  )
  const [refunded] = (await call('/refunds')).data
  assert.deepEqual([refunded.fee, 'final' in refunded], ['0.5000', false])
  assert.deepEqual((await call('/orders:totals')).data, [
    { currency: 'AED', count: 2, authorized: '201.0000', captured: '90.5000', refunded: '45.0000' },
  ])
  const opened = (await call('/orders?status=OPENED')).data
  assert.deepEqual(
    opened.map(({ reference, total_captured }: Record<string, string>) => [
      ...[reference, total_captured],
    ]),
    [[open.reference, '20.0000']],
  )
})

test('the statement counts each part on its day', async () => {
  const { data } = await call(`/statement?from=${date}&to=${date}`)
  const [{ captures, captured, refunds, refunded, fees: taken, net, payout_due }] = data
  assert.deepEqual(
    { captures, captured, refunds, refunded, taken, net, payout_due },
    {
      captures: 4,
      captured: '90.5000',
      refunds: 1,
      refunded: '45.0000',
      // 1.30, 1.30, 1.10 (1.105 is rounded to the even fils), 1.20 and 0.50.
      taken: '5.4000',
      net: '40.1000',
      payout_due: '40.1000',
    },
  )
})

test('the settlement file has a record for each part, under the reference of its payment', async () => {
  let text = ''
  for await (const part of settlementOf(shop.db, date)) text += part
  const [head = [], ...lines] = parseCsv(text)
  const column = (name: string) => head.indexOf(name)
  const records = lines.filter(([record]) => record === 'RECORD')
  const shown = (name: string) => records.map((cells) => cells[column(name)])
  assert.deepEqual(shown('amount'), ['30.00', '30.00', '10.50', '45.00', '20.00'])
  assert.equal(new Set(shown('stan')).size, 5)
  assert.equal(new Set(shown('rrn').slice(0, 4)).size, 1)
})

async function foundAfter(planted: readonly RawBuilder<unknown>[], day = date) {
  let all: unknown
  const rolledBack = transact({ ...(await shop.ctx()), db: shop.db }, async (tx: Tx) => {
    for (const plant of planted) await plant.execute(tx.db)
    const asked = { date: day, own_issuer: true }
    const progress = await begin(tx.db, asked)
    const kinds: string[][] = []
    for await (const { differences, open: under_way } of reconcile(tx.db, asked, progress)) {
      kinds.push(...differences.map(({ kind, sides }) => [kind, ...Object.keys(sides).toSorted()]))
      kinds.push(...under_way.map(({ reason }) => [reason]))
    }
    all = { kinds, captures: progress.totals.books().map(({ CAPTURE }) => CAPTURE) }
    throw new Error('roll back')
  })
  await assert.rejects(rolledBack, /roll back/)
  return all
}

const captures = { count: 4, amount: 9_050n }
const purchaseOf = ({ order_id }: { order_id: string }) => sql`(
  select t.id from transactions t, orders o, acquirer_messages m
  where t.tenant_id = ${shop.tenant.id} and o.tenant_id = ${shop.tenant.id}
    and m.tenant_id = ${shop.tenant.id} and o.id = ${order_id} and m.id = o.authorization_id
    and t.rrn = m.fields ->> '37' and t.transaction_type = 'PURCHASE')`
const aClearing = sql`(select id from transfers
  where transaction_id = ${purchaseOf(done)} and amount = 3000 order by id limit 1)`

describe('a reconciliation of the day', () => {
  test('finds that every part is in the three books', async () => {
    assert.deepEqual(await foundAfter([]), { kinds: [], captures: [captures, captures, captures] })
    await assertSound(shop.db)
  })

  const cases: [name: string, planted: RawBuilder<unknown>[], kinds: string[][]][] = [
    [
      'one of two equal parts that the issuer lacks',
      [sql`delete from transfers where id = ${aClearing}`],
      [['missing_capture', 'ACQUIRER', 'ORDERS']],
    ],
    [
      'a part that the issuer has once more',
      [
        sql`insert into transfers
          select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid()))).*
          from transfers r where r.id = ${aClearing}`,
      ],
      [['doubled_capture', 'ISSUER']],
    ],
    [
      'a part of another amount at the orders',
      [
        sql`update order_operations set amount = amount - 1
          where order_id = ${done.order_id} and final`,
      ],
      [['other_amount', 'ACQUIRER', 'ISSUER', 'ORDERS']],
    ],
    [
      'what is held of an order that is completed',
      [
        sql`update transactions set status = 'PENDING', held = 1, hold_expires = now()
          where id = ${purchaseOf(done)}`,
      ],
      [['hold_remains', 'ISSUER']],
    ],
  ]
  for (const [name, planted, kinds] of cases) {
    test(`finds ${name}`, async () => {
      const found = (await foundAfter(planted)) as { kinds: string[][] }
      assert.deepEqual(found.kinds, kinds)
    })
  }
})

test('a payout has all parts of its day', async () => {
  await shop.request('PUT', '/v1/simulate/clock', { advance: 'P1D' })
  await shop.signIn()
  const [payout] = (await call('/payouts')).data
  assert.partialDeepStrictEqual(payout, { captures: 4, captured: '90.5000', amount: '40.1000' })
  const paid = (await call(`/captures?payout_id=${payout.payout_id}`)).data
  assert.equal(paid.length, 4)
  await assertSound(shop.db)
})

test('parts of an order on two days count on their own, and agree on both', async () => {
  assert.equal((await capture(open.reference, { total: '20' })).body.status, 'SUCCESS')
  const next = formatDate(addDays(new Date(date), 1))
  const [one, two] = [await foundAfter([]), await foundAfter([], next)]
  assert.deepEqual(one, { kinds: [], captures: [captures, captures, captures] })
  const later = { count: 1, amount: 2_000n }
  assert.deepEqual(two, { kinds: [], captures: [later, later, later] })
  await assertSound(shop.db)
})
