/**
 * Velocity limits and a payment whose messages come in different orders: the amount that counts.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  counterName,
  countIn,
  groupOf,
  type LimitTerms,
  OF_HOLDER,
  velocityRules,
  windowName,
} from '#issuing/limits/rules.ts'
import { about, Desk, purchase } from '#test/support/desk.ts'

const LIMIT: LimitTerms = {
  id: 'limit',
  short_id: 1n,
  kind: 'VELOCITY',
  type: 'CUMULATIVE',
  currency: 'AED',
  min_amount: null,
  max_amount: 1_000n,
  frequency: 1_000,
  period: 'LIFETIME',
  transaction_scope: ['ALL'],
  mode: 'ENFORCED',
  version: 1n,
}
const RATES = { AED: 1n, USD: 2n } as const

/** A hold of 400, the presentment of half of it, and a reversal that leaves nothing or a part. */
function open(currency: keyof typeof RATES = 'AED', stays = 0n) {
  const desk = new Desk()
  desk.rates.set('USD|AED', '2')
  const { id } = desk.addAccount(10_000n)
  const { card_id } = desk.addCard(id)
  const holder = { account_id: id, user_id: 'user', chain_id: card_id, currency: 'AED' }
  const velocity = velocityRules({ chain: [], user: [], account: [LIMIT] }, holder)
  desk.limits.set(card_id, { velocity, balance: [] })
  const first = purchase({ card_id }, 400n, { currency })
  const { rrn = '' } = first
  const half = about(first, { message_type: '0220', amount: 200n, original: { rrn } })
  const reversal = about(first, { message_type: '0420', remaining_amount: stays })
  const counted = () => {
    const counters = desk.counters.get(id)
    const stored = counters && groupOf(counters, OF_HOLDER)?.[counterName(LIMIT)]
    return countIn(stored, windowName(LIMIT, desk.now, 'UTC'))
  }
  return { desk, id, first, half, reversal, counted }
}

for (const [currency, rate] of Object.entries(RATES)) {
  for (const stays of [0n, 50n]) {
    const name = `${currency}, of which a reversal leaves ${stays}`
    test(`what was presented of a hold in ${name}, counts before and after it`, () => {
      const { desk, first, half, reversal, counted } = open(currency as 'AED', stays)
      for (const message of [first, half, reversal]) desk.ask(message)
      const after = counted()
      assert.deepEqual(after, { amount: 200n * rate, number: 1 })
      const other = open(currency as 'AED', stays)
      for (const message of [other.first, other.reversal, other.half]) other.desk.ask(message)
      assert.deepEqual(other.counted(), after)
    })
  }
}

test('what was presented counts whether its hold ended before the reversal or after it', () => {
  const [early, late] = [open(), open()]
  for (const message of [early.first, early.half]) early.desk.ask(message)
  early.desk.wait(60)
  early.desk.ask(early.reversal)
  for (const message of [late.first, late.half, late.reversal]) late.desk.ask(message)
  late.desk.wait(60)
  assert.deepEqual(early.counted(), { amount: 200n, number: 1 })
  assert.deepEqual(late.counted(), early.counted())
})

test('what a completion takes above all that was authorized counts nothing', () => {
  const { desk, first, counted } = open()
  const { rrn = '' } = first
  desk.ask(first)
  desk.ask(about(first, { message_type: '0220', amount: 450n, original: { rrn } }))
  assert.equal(counted().amount, 400n)
})

test('a request is declined for its account although its advice has used up the limit', () => {
  const { desk, id, first } = open()
  const advised_approval = { approved: true, approval_code: '778899' }
  const { rrn = '' } = first
  const asked = { ...first, amount: 1_000n }
  desk.ask(about(asked, { message_type: '0120', advised_approval, original: { rrn } }))
  const account = desk.account(id)
  desk.accounts.set(id, { ...account, status: 'SUSPENDED' })
  const answer = desk.ask(asked)
  assert.deepEqual(desk.refusedBy(answer), ['account', '1019'])
  assert.equal(answer.approved, false)
})

test('a request is not declined for the limit that its advice has used up', () => {
  const { desk, first } = open()
  const advised_approval = { approved: true, approval_code: '778899' }
  const { rrn = '' } = first
  const asked = { ...first, amount: 1_000n }
  desk.ask(about(asked, { message_type: '0120', advised_approval, original: { rrn } }))
  assert.equal(desk.ask(asked).approved, true)
})
