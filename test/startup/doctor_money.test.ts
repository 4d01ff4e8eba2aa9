/**
 * `bezant doctor` on what is stored of money in two places: limits, other currencies, refunds,
 * credits without a purchase, charges, and messages that missed each other.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#kit/context.ts'
import { firstIdAt } from '#lib/id.ts'
import { addDays } from '#lib/time.ts'
import { auditAll } from '#src/audit/audits.ts'
import { about, nameOf, purchase, type TestMessage } from '#test/support/desk.ts'
import { foundAfter, inOrder, type Statement } from '#test/support/inspection/planted.ts'
import { type MadeCard, openIssuer } from '#test/support/issuer.ts'
import { linkLimit } from '#test/support/limits.ts'
import { moveClockTo } from '#test/support/time/moved_clock.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const issuer = await openIssuer(world)
const USD = { currency: 'USD' }
const REFUND = { processing_code: '200000', message_type: '0200' } as const

async function ask(request: TestMessage, code = '0000') {
  const answer = await world.engine.submit(world.tenant.id, { request })
  assert.equal(answer.status_code, code)
  return answer.transaction_id
}

async function setRate(rate: string): Promise<void> {
  const body = { rates: [{ from: 'USD', to: 'AED', rate }] }
  const options = { key: world.operator_key }
  const answer = await world.request('PUT', '/v1/operator/rates', body, options)
  assert.equal(answer.status, 200, answer.text)
}

let card: MadeCard
let paid: string
let foreign: string
let raised: TestMessage
let credit: string
let voided: string
let pending: string

before(async () => {
  const charges = [
    { type: 'CASH_WITHDRAWAL', amount: 2 },
    { type: 'FOREIGN_CURRENCY', percent: '1' },
  ]
  card = await issuer.card(100_000, { charges })
  const daily = { type: 'CUMULATIVE', max_amount: 90_000, frequency: 90, period: 'DAILY' }
  await linkLimit(issuer, 'velocitylimits', `cards/${card.card_id}`, daily)
  const all = { ...daily, period: 'LIFETIME' }
  await linkLimit(issuer, 'velocitylimits', `users/${card.user_id}`, all)
  await linkLimit(issuer, 'velocitylimits', `accounts/${card.account_id}`, all)
  await payAtHome()
  await payAbroad()
  await comeInOddOrders()
  await moveClockTo(world, world.tenant, addDays((await world.ctx()).now, 40))
  await ask(purchase(card, 900n))
})

/** Held, raised, posted in parts, taken back, refunded, and credited without a purchase. */
async function payAtHome(): Promise<void> {
  const bought = purchase(card, 10_000n)
  paid = await ask(bought)
  await ask(about(bought, { message_type: '0100', amount: 2_000n }))
  const part = about(bought, { message_type: '0220', amount: 7_000n })
  await ask(part)
  await ask(about(part, { message_type: '0420', amount: 3_000n }))
  await ask(about(bought, { message_type: '0400', remaining_amount: 9_000n }))
  await ask(about(bought, { message_type: '0220', amount: 7_000n }), '1855')
  const refund = about(bought, { ...REFUND, amount: 3_000n })
  await ask(refund)
  await ask(about(refund, { message_type: '0420', remaining_amount: 1_000n }))
  const gift = purchase(card, 5_000n, REFUND)
  credit = await ask(gift)
  await ask(about(gift, { message_type: '0420', remaining_amount: 4_000n }))
  const cash = purchase(card, 8_000n, { processing_code: '010000', message_type: '0200' })
  await ask(cash)
  const undone = purchase(card, 8_000n, { processing_code: '010000', message_type: '0200' })
  voided = await ask(undone)
  await ask(about(undone, { message_type: '0420' }))
}

async function payAbroad(): Promise<void> {
  await setRate('3.6725')
  raised = purchase(card, 9_999n, USD)
  foreign = await ask(raised)
  await ask(about(raised, { message_type: '0100', amount: 1_001n }))
  await setRate('3.7')
  const part = about(raised, { message_type: '0220', amount: 3_333n })
  await ask(part)
  await ask(about(part, { message_type: '0420', amount: 1_111n }))
  await ask(about(raised, { message_type: '0400', remaining_amount: 9_000n }))
  await setRate('3.6')
  await ask(about(raised, { message_type: '0220', amount: 6_000n }))
  await ask(about(raised, { ...REFUND, amount: 1_234n }))
  const back = about(raised, { ...REFUND, amount: 777n })
  await ask(back)
  await ask(about(back, { message_type: '0420' }))
  await ask(purchase(card, 501n, { ...USD, ...REFUND }))
  const single = purchase(card, 4_321n, { ...USD, message_type: '0200' })
  await ask(single)
  await ask(about(single, { message_type: '0420', remaining_amount: 1_000n }))
}

async function comeInOddOrders(): Promise<void> {
  const late = purchase(card, 700n)
  await ask(about(late, { message_type: '0420' }), '9114')
  await ask(late, '1894')
  const advised_approval = { approved: true, approval_code: 'NET001' }
  const advised = purchase(card, 800n, { message_type: '0120', advised_approval })
  await ask(advised)
  await ask(about(advised, { message_type: '0220', amount: 300n }))
  await ask(purchase(card, 650n, { message_type: '0220' }), '1857')
  await ask(purchase(card, 10_000_000_000n), '1897')
}

test('payments of every kind leave nothing to find', async () => {
  assert.deepEqual(await auditAll(world.db), [])
})

/** One member of `details`, by its path. */
const setDetail = (id: string, path: string, value: string | number) =>
  sql`update transactions set details = jsonb_set(details::jsonb, ${path},
    ${JSON.stringify(value)}::jsonb)::json where id = ${id}`

const setCounter =
  (holder: string, to: string): Statement =>
  () =>
    sql`update user_counters set counters = regexp_replace(counters::text,
    '"-?[0-9]+( [0-9]+ [A-Z]+ AED)', ${`"${to}\\1`})::json where user_id = ${holder}`

/** When the transaction was made, however long ago that is on a busy machine. */
const made = sql`to_timestamp(
  ('x' || replace(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)`

const earlyReversal =
  (message: TestMessage): Statement =>
  (tx) =>
    sql`insert into network_messages (tenant_id, key, mti, answer, created)
    select ${tx.tenant_id}, ${`R|${nameOf(message)}|${message.rrn}|`} || card_id, '0420', 'null',
      ${made} from transactions where message_key = ${message.duplicate_key}`

describe('each planted fault is found by its own check', () => {
  const held = purchase(undefined, 321n)
  before(async () => {
    pending = await ask({ ...held, card: { card_id: card.card_id } })
  })
  const counters = (id: string) => `I4 counters of ${id}`
  const of = (id: string) => `I4 transaction ${id}`
  const faults: [name: string, expected: () => string[], plant: Statement, ...Statement[]][] = [
    [
      'a counter of more',
      () => [counters(card.user_id)],
      (tx) => setCounter(card.user_id, '9999999')(tx),
    ],
    [
      'a counter of less',
      () => [counters(card.user_id)],
      (tx) => setCounter(card.user_id, '1')(tx),
    ],
    [
      'counters that were lost',
      () => [counters(card.user_id)],
      () => sql`delete from user_counters where user_id = ${card.user_id}`,
    ],
    [
      'a lower amount for the network',
      () => [of(foreign)],
      () => setDetail(foreign, '{foreign,settled}', '5'),
    ],
    [
      'another FX_DIFFERENCE',
      () => [of(foreign)],
      () => sql`update transfers set amount = amount + 1 where id = (select id from transfers
        where kind = 'FX_DIFFERENCE' and transaction_id = ${foreign} limit 1)`,
    ],
    [
      'another part held abroad',
      () => [of(foreign)],
      () => setDetail(foreign, '{foreign,held}', '-1'),
    ],
    [
      'a refund that is not counted',
      () => [of(foreign)],
      () => setDetail(foreign, '{foreign,refunded}', '1'),
    ],
    [
      'a refund that is counted higher',
      () => [of(paid)],
      () => sql`update transactions set refunded_amount = refunded_amount + 1 where id = ${paid}`,
    ],
    [
      'a credit that is not counted',
      () => [`I4 card ${card.card_id}`],
      () => sql`update unlinked_credits set amount = 1 where card_id = ${card.card_id}`,
    ],
    [
      'an authorized amount of its own',
      () => [of(paid)],
      () => setDetail(paid, '{billing_amount}', '123456'),
    ],
    ['more history than changes', () => [of(credit)], () => setDetail(credit, '{events,5}', 'x')],
    [
      'a reversed request that is repeated',
      () => [of(voided)],
      () => sql`update transactions set withdrawn = false where id = ${voided}`,
    ],
    [
      'a PENDING one that holds nothing',
      () => [`I2 account ${card.account_id}`, of(pending)],
      () => sql`update transactions set held = 0 where id = ${pending}`,
    ],
    [
      'more held than authorized',
      () => [of(pending)],
      () =>
        sql`update transactions set amount = 1, details = (details::jsonb
          || '{"billing_amount":"1"}')::json where id = ${pending}`,
    ],
    [
      'another amount of what was posted at once',
      () => [of(credit)],
      () =>
        sql`update transactions set amount = 5, details = (details::jsonb
          || '{"billing_amount":"5"}')::json where id = ${credit}`,
    ],
    [
      'a part cleared abroad that is below what was refunded',
      () => [of(foreign)],
      () => setDetail(foreign, '{foreign,cleared}', '1'),
    ],
    [
      'a request that is not reversed',
      () => [of(credit)],
      () => sql`update transactions set withdrawn = true,
        details = replace(details::text, '"REVERSED"', '"CLEARED"')::json where id = ${credit}`,
    ],
  ]
  for (const [name, expected, ...plants] of faults) {
    test(name, async () => {
      const found = inOrder(await foundAfter(world, ...plants))
      assert.deepEqual([...new Set(found)], expected())
    })
  }

  test('a transaction that counts more than it holds, and its counters', async () => {
    const more: Statement = () => setDetail(pending, '{counted,0,2}', '322')
    const found = inOrder(await foundAfter(world, more))
    assert.ok(found.includes(of(pending)) && found.some((one) => one.startsWith('I4 counters')))
  })

  test('a message and its reversal that both took effect', async () => {
    const findings = await foundAfter(world, earlyReversal(held))
    assert.equal(findings.length, 1)
    assert.match(findings[0]?.detail ?? '', /is PENDING with 321 held .* found nothing/)
    assert.deepEqual(await foundAfter(world, earlyReversal(raised)), [], 'a reversal is there')
  })

  test('a reversal of some time later that named its original wrongly is none', async () => {
    const later: Statement = () =>
      sql`update network_messages
        set created = (created at time zone 'UTC' + interval '1 minute') at time zone 'UTC'
        where key ^@ 'R|'`
    assert.deepEqual(await foundAfter(world, earlyReversal(held), later), [])
  })

  test('a message of two transactions, of two months', async () => {
    const id = firstIdAt(Date.now() + 25 * 86_400_000)
    const again: Statement = () => sql`
      insert into transactions select (jsonb_populate_record(t, jsonb_build_object('id', ${id}::text))).*
      from transactions t where message_key = ${held.duplicate_key}`
    const found = inOrder(await foundAfter(world, again))
    assert.ok(found.includes(`I4 message ${held.duplicate_key}`), found.join())
  })

  test('an approval to be reversed that does not exist', async () => {
    const waiting: Statement = (tx) => sql`
      insert into unanswered_approvals values (${tx.tenant_id}, 'k', 1, ${card.card_id}, '000000', 1,
        0, now(), now())`
    assert.deepEqual(inOrder(await foundAfter(world, waiting)), [
      // Nothing was written beside it, and so the sweep would not find it either.
      'I4 due work unanswered approvals',
      'I4 message k',
    ])
  })
})

test('a new reversal of a message that missed its first one mends it', async () => {
  const missed = purchase(card, 432n)
  const id = await ask(missed)
  await transact({ ...(await world.ctx()), db: world.db }, async (tx) => {
    await earlyReversal(missed)(tx).execute(tx.db)
  })
  assert.deepEqual(inOrder(await auditAll(world.db)), [`I4 transaction ${id}`])
  await ask(about(missed, { message_type: '0420' }))
  assert.deepEqual(await auditAll(world.db), [])
})
