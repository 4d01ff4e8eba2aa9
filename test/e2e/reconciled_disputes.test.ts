/** The reconciliation of a day names each planted difference of chargebacks and disputes (D-1371). */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { addDays, formatDate } from '#lib/time.ts'
import type { ReconciliationRequest } from '#src/audit/reconciliation/reconciliation.ts'
import { keeper } from '#test/support/keeper.ts'
import { moveClockToNoon } from '#test/support/time/moved_clock.ts'
import { found, kindsBy, type Planted, plantingIn } from './reconciled.ts'
import { openShop } from './shop.ts'

const keep = keeper()
const settings = { fees: [{ currency: 'AED', fixed: 1, chargeback_fee: 15 }] }
const shop = keep(await openShop({ settings }))
const date = await moveClockToNoon(shop, shop.tenant)
await shop.signIn()
const card = await shop.customer(10_000_000n)

const operate = (path: string, body: object) =>
  shop.request('POST', `/v1/operator/${path}`, body, { key: shop.operator_key })

async function captured() {
  const { reference, order_id } = await shop.order(card, { total: '100.00' })
  await shop.call('POST', `/orders/${reference}/capture`, { total: '100.00' })
  const { body } = await shop.request('GET', `/v1/transactions?card_id=${card.card_id}`)
  return {
    reference: String(reference),
    order_id: String(order_id),
    transaction_id: String(body.data[0].id),
  }
}

/** A dispute that is charged back, and the chargeback that the scheme made of it. */
async function charged() {
  const paid = await captured()
  const input = { reason: 'NOT_RECEIVED', explanation: 'It never came.' }
  const { transaction_id } = paid
  const { body } = await shop.request('POST', '/v1/disputes', { transaction_id, ...input })
  await shop.request('POST', `/v1/disputes/${body.id}:submit`, {})
  await operate(`disputes/${body.id}:record`, { step: 'SENT' })
  const { body: seen } = await shop.call('GET', `/disputes/?reference=${paid.reference}`)
  return { ...paid, issuer: String(body.id), shop: String(seen.data[0].dispute_id) }
}

const waiting = await charged()
const lost = await charged()
await operate(`chargebacks/${lost.shop}:record`, { step: 'LOSE' })
const won = await charged()
await shop.request('POST', `/v1/simulate/disputes/${won.issuer}:represent`, { amount: 60 })
await shop.request('POST', `/v1/disputes/${won.issuer}:accept`, {})
const returned = await charged()
await operate(`disputes/${returned.issuer}:record`, { step: 'REJECT' })
await shop.request('POST', `/v1/disputes/${returned.issuer}:submit`, {})
await operate(`disputes/${returned.issuer}:record`, { step: 'SENT' })
const usual: ReconciliationRequest = { date, own_issuer: true }

const foundAfter = plantingIn(shop, usual)

const NAMES = Object.entries({ waiting, lost, won, returned })
const nameOf = (id: string | undefined) => NAMES.find(([, one]) => one.order_id === id)?.[0]
const kindsOf = kindsBy(nameOf)

const own = sql`tenant_id = ${shop.tenant.id}`
const entriesOf = ({ shop: id }: typeof won) => sql`${own} and chargeback_id = ${id}`
const set = (table: string, id: string, members: Planted) =>
  sql`update ${sql.table(table)} set ${members} where ${own} and id = ${id}`
const BOTH = 'ISSUER ORDERS'

test('chargebacks and disputes of every end agree', async () => {
  const { differences, open, progress } = await found(shop.db, usual)
  assert.deepEqual({ differences, open }, { differences: [], open: [] })
  assert.equal(progress.disputed.size, NAMES.length)
})

type Case = [name: string, planted: Planted[], ...kinds: string[][]]
const cases: Case[] = [
  [
    'a dispute without a chargeback',
    [
      sql`delete from chargeback_entries where ${entriesOf(waiting)}`,
      sql`delete from chargebacks where ${own} and id = ${waiting.shop}`,
    ],
    ['missing_chargeback', 'CHARGEBACK', 'waiting', 'ISSUER'],
  ],
  [
    'a chargeback without a dispute',
    [set('disputes', lost.issuer, sql`transaction_id = ${waiting.transaction_id}`)],
    ['missing_chargeback', 'CHARGEBACK', 'waiting', 'ISSUER'],
    ['missing_dispute', 'CHARGEBACK', 'lost', 'ORDERS'],
  ],
  [
    'a chargeback whose dispute was never charged back',
    [set('disputes', waiting.issuer, sql`status = 'DRAFT', moves = '[]'`)],
    ['missing_dispute', 'CHARGEBACK', 'waiting', 'ORDERS'],
  ],
  [
    'another amount',
    [set('disputes', waiting.issuer, sql`amount = amount - 1, recovered = recovered - 1`)],
    ['other_amount', 'CHARGEBACK', 'waiting', BOTH],
  ],
  [
    'another part that is given back',
    [
      set('chargebacks', won.shop, sql`kept = kept + 1`),
      sql`update chargeback_entries set amount = amount - 1
        where ${entriesOf(won)} and type = 'CHARGEBACK_REVERSAL'`,
    ],
    ['other_amount', 'CHARGEBACK', 'won', BOTH],
  ],
  [
    'a shop that has lost what the issuer has lost',
    [set('disputes', lost.issuer, sql`status = 'LOST', outcome = 'LOST'`)],
    ['other_status', 'CHARGEBACK', 'lost', BOTH],
  ],
  [
    'a chargeback that the shop has answered, and the issuer does not know of it',
    [set('chargebacks', waiting.shop, sql`status = 'UNDER_REVIEW', respond_by = null`)],
    ['other_status', 'CHARGEBACK', 'waiting', BOTH],
  ],
  [
    'a chargeback that the account of the shop lacks',
    [sql`delete from chargeback_entries where ${entriesOf(waiting)}`],
    ['payout_differs', 'CHARGEBACK', 'waiting', 'ORDERS'],
  ],
  [
    'a chargeback that is paid out with another amount',
    [sql`update chargeback_entries set amount = 1 where ${entriesOf(waiting)}`],
    ['payout_differs', 'CHARGEBACK', 'waiting', 'ORDERS'],
  ],
  [
    'a fee that is not that of the chargeback',
    [sql`update chargeback_entries set fee = 0 where ${entriesOf(lost)}`],
    ['payout_differs', 'CHARGEBACK', 'lost', 'ORDERS'],
  ],
  [
    'a return that the account of the shop lacks',
    [
      sql`delete from chargeback_entries
        where ${entriesOf(won)} and type = 'CHARGEBACK_REVERSAL'`,
    ],
    ['payout_differs', 'CHARGEBACK', 'won', 'ORDERS'],
  ],
]

describe('a reconciliation finds', () => {
  for (const [name, planted, ...kinds] of cases) {
    test(name, async () => assert.deepEqual(kindsOf(await foundAfter(planted)), kinds))
  }

  test('nothing of a step at one side where no scheme carries it to the other', async () => {
    const planted = [
      set('chargebacks', waiting.shop, sql`status = 'LOST', respond_by = null, dispute_id = null`),
    ]
    assert.deepEqual(kindsOf(await foundAfter(planted)), [])
  })

  test('nothing on a day that neither side has touched, and no dispute of an issuer elsewhere', async () => {
    const next = formatDate(addDays(new Date(date), 1))
    const gone = set('disputes', waiting.issuer, sql`moves = '[]'`)
    assert.deepEqual(kindsOf(await foundAfter([gone], { date: next })), [])
    assert.deepEqual(kindsOf(await foundAfter([gone], { own_issuer: false })), [])
    assert.equal(kindsOf(await foundAfter([gone])).length, 1)
  })
})

test('a payout that was made without its chargeback is found', async () => {
  await shop.request('PUT', '/v1/simulate/clock', { advance: 'P2D' })
  await shop.signIn()
  assert.deepEqual(kindsOf(await found(shop.db, usual)), [])
  const late = sql`update chargeback_entries set payout_id = null, payable = booked
    where ${entriesOf(waiting)}`
  const all = await foundAfter([late])
  assert.deepEqual(kindsOf(all), [['payout_differs', 'CHARGEBACK', 'waiting', 'ORDERS']])
  const whose = `of ${date}, whose payout was made without it.`
  assert.equal(all.differences[0]?.detail, `The chargeback of 100.00 AED is ${whose}`)
  const moved = sql`update payouts set day = '2001-01-01' where ${own}`
  const kinds = kindsOf(await foundAfter([moved])).map(([kind]) => kind)
  assert.deepEqual(new Set(kinds), new Set(['payout_differs']))
})
