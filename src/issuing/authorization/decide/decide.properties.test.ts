/** Any sequence of messages, in batches of any size, leaves the books in order. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { programAccountId } from '#issuing/ledger/rules.ts'
import { switches } from '#issuing/products/schema.ts'
import {
  asOf,
  clearedOf,
  heldOf,
  present,
  type TransactionRow,
} from '#issuing/transactions/rules.ts'
import { Transaction } from '#issuing/transactions/schema.ts'
import { createAjv } from '#kit/http/schema.ts'
import { closed, faults } from '#test/support/contract/contract.ts'
import { about, Desk, purchase, settingsOf, type TestMessage } from '#test/support/desk.ts'
import type { AuthorizationAnswer } from '../schema.ts'
import { isCredit } from './kinds.ts'

const deep = process.env['TEST_DEEP'] !== undefined
const RUNS = deep ? 3_000 : 25
const SEED = deep ? undefined : 20_260_612
const LONGEST = 50

/** Few amounts, so that parts add up to wholes. */
const amount = fc.constantFrom(0n, 1n, 100n, 100n, 200n, 300n, 300n, 600n, 900n)

/** A step is a new payment, or a message about an earlier one. */
const kinds = [
  ...['0100', '0100', '0120', '0200', '0200', '0220', '0220', '0400', '0420'],
  ...['repeat', 'wait'],
] as const
const step = fc.record({
  message_type: fc.constantFrom(...kinds),
  processing_code: fc.constantFrom(
    ...['000000', '000000', '000000', '000000', '010000'],
    ...['200000', '260000', '310000'],
  ),
  card: fc.nat(3),
  amount,
  about: fc.option(fc.nat({ max: 6 }), { freq: 2 }),
  refunds: fc.nat(4),
  byReference: fc.boolean(),
  approved: fc.boolean(),
  partial_capable: fc.boolean(),
  part: fc.option(
    fc.record({
      field: fc.constantFrom('remaining_amount', 'reverse_amount'),
      of: amount,
    }),
  ),
  foreign: fc.nat(15),
  days: fc.nat(20),
  /** Whether a batch ends here. */
  ends: fc.boolean(),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

const OPENING = 1_500n

/** Two cards on one account, one on another, and one whose holder is suspended. */
function makeDesk(settings = settingsOf({}, {})): Desk {
  const desk = new Desk()
  const [one, two] = [desk.addAccount(OPENING), desk.addAccount(OPENING)]
  desk.addCard(one.id, { partial_approval: true, settings })
  desk.addCard(one.id, { clearing_tolerance_percent: 0, settings })
  desk.addCard(two.id, { settings })
  desk.addCard(two.id, { user_status: 'SUSPENDED', settings })
  desk.rates.set(PAIR, '3.6725')
  return desk
}

/**
 * Rates of the other currency to that of the accounts. Each day that passes may change the rate.
 */
const RATES = ['3.6725', '0.333', '0.004', '1.5']
const PAIR = 'USD|AED'

/** Days pass, and the rate is another one. */
function pass(desk: Desk, days: number): void {
  desk.wait(days)
  desk.rates.set(PAIR, RATES[days % RATES.length] ?? '1')
}

/** Some payments are in another currency; few messages about one are in another than it. */
const isForeign = ({ foreign }: Step, earlier: TestMessage | undefined): boolean =>
  earlier ? foreign === 7 : foreign < 6

/** The messages are made once, so that two desks can decide the same. */
function messagesOf(steps: readonly Step[]): (TestMessage | number)[] {
  const desk = makeDesk()
  const cards = [...desk.cards.values()]
  const made: TestMessage[] = []
  return steps.map((one) => {
    const { message_type, amount, part, partial_capable, processing_code } = one
    if (message_type === 'wait') return one.days
    const earlier = one.about === null ? undefined : made[made.length - 1 - one.about]
    if (message_type === 'repeat') return earlier ?? one.days
    const fields: Partial<TestMessage> & { message_type: TestMessage['message_type'] } = {
      message_type,
      amount,
      partial_capable,
      ...(isForeign(one, earlier) && { currency: 'USD' }),
      ...(message_type === '0120' && { advised_approval: { approved: one.approved } }),
      ...(part && message_type.startsWith('04') && { [part.field]: part.of }),
    }
    const rrn = earlier?.rrn ?? ''
    const message = earlier
      ? about(earlier, {
          ...fields,
          ...(one.refunds === 1 && { processing_code: '200000' }),
          ...(one.byReference && { original: { rrn } }),
        })
      : purchase(cards[one.card], amount, { ...fields, processing_code })
    made.push(message)
    return message
  })
}

/** Lets a desk decide everything, in batches that end where the steps say or after each message. */
function decideAll(
  messages: readonly (TestMessage | number)[],
  steps: readonly Step[],
  singly: boolean,
  desk = makeDesk(),
) {
  const answers: AuthorizationAnswer[] = []
  let batch: TestMessage[] = []
  const flush = () => {
    answers.push(...desk.decide(...batch))
    batch = []
    check(desk)
  }
  messages.forEach((message, at) => {
    if (typeof message === 'number') {
      flush()
      pass(desk, message)
      check(desk)
    } else batch.push(message)
    if (singly || steps[at]?.ends) flush()
  })
  flush()
  return { desk, answers }
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n)

function check(desk: Desk): void {
  for (const account of desk.accounts.values()) checkAccount(desk, account.id)
  for (const row of desk.transactions.values()) checkTransaction(desk, row)
  checkEvents(desk)
}

function checkAccount(desk: Desk, id: string): void {
  const { balance, held, floor } = desk.account(id)
  const holds = [...desk.transactions.values()].filter(({ account_id }) => account_id === id)
  assert.equal(held, sum(holds.map((row) => row.held)), 'what is held is the open holds')
  const entries = desk.transfers.flatMap(({ debit_account_id, credit_account_id, amount }) => [
    ...(debit_account_id === id ? [-amount] : []),
    ...(credit_account_id === id ? [amount] : []),
  ])
  assert.equal(balance, OPENING + sum(entries), 'the balance is its entries')
  const available = balance - held
  assert.equal(floor, available < 0n ? available : 0n, 'the floor is where it must be')
}

function checkTransaction(desk: Desk, row: TransactionRow): void {
  const { held } = row
  const posted = desk.transfers.filter(({ transaction_id }) => transaction_id === row.id)
  const moved = posted.filter(({ kind }) => kind !== 'FX_DIFFERENCE')
  const out = sum(
    moved.map(({ debit_account_id, amount }) =>
      debit_account_id === row.account_id ? amount : -amount,
    ),
  )
  const net = isCredit(row.transaction_type) ? -out : out
  assert.equal(net, row.cleared_amount, 'what is cleared is what was posted')
  assert.ok(row.refunded_amount >= 0n && row.refunded_amount <= row.cleared_amount)
  assert.equal(row.status === 'PENDING', held > 0n, 'what is pending is held, and only that')
  assert.equal(row.status === 'PENDING', row.hold_expires !== null)
  // Less if a clearing that came after the hold's end was taken back.
  if (row.status === 'PENDING') assert.ok(heldOf(row) <= row.amount - clearedOf(row))
  if (row.status === 'DECLINED') assert.deepEqual([posted.length, held], [0, 0n])
  checkForeign(row, net + exchanged(posted, row))
  // The constraints of the table require this.
  const isOpen = row.status === 'PENDING' || row.status === 'SETTLED'
  if (!isOpen) assert.equal(row.cleared_amount, 0n)
  assert.ok(row.amount >= 0n && (row.billing_amount ?? 0n) >= 0n)
}

/** The amount paid to the network beyond the account's, or to the account beyond the network's. */
const exchanged = (posted: Desk['transfers'], { transaction_type }: TransactionRow): bigint => {
  const fx = programAccountId('tenant', 'FX', 'AED')
  const paid = posted.flatMap(({ kind, debit_account_id, amount }) =>
    kind === 'FX_DIFFERENCE' ? [debit_account_id === fx ? amount : -amount] : [],
  )
  return isCredit(transaction_type) ? -sum(paid) : sum(paid)
}

function checkForeign(row: TransactionRow, settled: bigint): void {
  const { foreign, held, amount, billing_amount, cleared_amount } = row
  if (!foreign) {
    assert.equal(settled, cleared_amount, 'without exchange all is settled')
    return
  }
  assert.equal(foreign.settled, settled, 'what the network got is what moved')
  assert.equal(foreign.held > 0n, held > 0n, 'nothing is held in one currency only')
  assert.ok(foreign.held >= 0n && foreign.cleared >= 0n && foreign.settled >= 0n)
  assert.ok(foreign.refunded >= 0n && foreign.refunded <= foreign.cleared)
  const isWhole = row.status === 'PENDING' && foreign.held + foreign.cleared === amount
  if (isWhole) assert.equal(held + cleared_amount, billing_amount, 'parts are the whole')
  if (row.status === 'VOIDED') assert.deepEqual([foreign.cleared, settled], [0n, 0n])
}

/** One event for each thing that happened, numbered without a gap. */
function checkEvents(desk: Desk): void {
  const reported = new Map<string, number>()
  for (const { object_id, sequence } of desk.events) {
    assert.equal(sequence, (reported.get(object_id) ?? 0) + 1)
    reported.set(object_id, sequence)
  }
  for (const row of desk.transactions.values()) {
    assert.equal(reported.get(row.id), row.events.length)
    assert.ok(row.trace.length > 0)
  }
}

const input = fc.array(step, { minLength: 20, maxLength: LONGEST, size: 'max' })
const options = { numRuns: RUNS, ...(SEED !== undefined && { seed: SEED }) }

test('whatever comes, accounts, holds, transfers, transactions and events agree', () => {
  fc.assert(
    fc.property(input, (steps) => {
      decideAll(messagesOf(steps), steps, false)
    }),
    options,
  )
})

test('it makes no difference how the messages fall into batches', () => {
  fc.assert(
    fc.property(input, (steps) => {
      const messages = messagesOf(steps)
      const [together, singly] = [
        decideAll(messages, steps, false),
        decideAll(messages, steps, true),
      ]
      assert.deepEqual(together.answers, singly.answers)
      for (const part of ['accounts', 'transactions', 'messages', 'transfers'] as const) {
        assert.deepEqual(withoutVersions(together.desk[part]), withoutVersions(singly.desk[part]))
      }
      assert.deepEqual(together.desk.events, singly.desk.events)
    }),
    options,
  )
})

/** How often an account was written is all that batches may change. */
function withoutVersions(part: Iterable<unknown>): unknown[] {
  return [...part].map((one) => JSON.parse(JSON.stringify(one, skipped)))
}
const skipped = (name: string, value: unknown) =>
  name === 'version' ? undefined : typeof value === 'bigint' ? String(value) : value

test('it makes no difference whether a switch was never set or is on', () => {
  const on = Object.fromEntries(switches.map((name) => [name, true]))
  fc.assert(
    fc.property(input, (steps) => {
      const messages = messagesOf(steps)
      const never = decideAll(messages, steps, false)
      const set = decideAll(messages, steps, false, makeDesk(settingsOf(on, on)))
      assert.deepEqual(set.answers, never.answers)
      for (const part of ['accounts', 'transactions', 'transfers'] as const) {
        assert.deepEqual([...set.desk[part]], [...never.desk[part]])
      }
    }),
    options,
  )
})

/** By the schema of the payload, but for ids: those of the desk are words. */
const isTransaction = createAjv(false).addFormat('uuid', true).compile(closed(Transaction, ''))

test('the history of a transaction contains its state after each of its events', () => {
  fc.assert(
    fc.property(input, (steps) => {
      const desk = makeDesk()
      const evidence = new Map<string, TransactionRow>()
      for (const message of messagesOf(steps)) {
        if (typeof message === 'number') pass(desk, message)
        else desk.ask(message)
        for (const row of desk.transactions.values()) {
          const name = `${row.id}|${row.events.length}`
          if (!evidence.has(name)) evidence.set(name, structuredClone(row))
        }
      }
      for (const [name, then] of evidence) {
        const [id = '', sequence] = name.split('|')
        const now = desk.transactions.get(id)
        assert.ok(now)
        const rendered = present(asOf(now, Number(sequence)))
        assert.deepEqual(rendered, present(then))
        // The payload of an event is what this renders, as JSON (D-61).
        const sent: unknown = JSON.parse(JSON.stringify(rendered))
        assert.ok(isTransaction(sent), faults(isTransaction.errors))
      }
    }),
    options,
  )
})

/** An advice or a presentment of the same payment came first and has taken the money (D-316). */
const wasTakenBefore = (desk: Desk, { rrn = '' }: TestMessage): boolean =>
  [...desk.transactions.values()].some(
    (row) =>
      row.rrn === rrn &&
      row.status !== 'DECLINED' &&
      (row.message_type === '0120' || row.message_type === '0220'),
  )

test('a request is approved exactly when what it asks for is there, and never goes below zero', () => {
  fc.assert(
    fc.property(input, (steps) => {
      const desk = makeDesk()
      for (const message of messagesOf(steps)) {
        if (typeof message === 'number') {
          pass(desk, message)
          continue
        }
        const card = 'card_id' in message.card ? desk.cards.get(message.card.card_id) : undefined
        assert.ok(card)
        const before = desk.available(card.account_id)
        const isKnown = wasTakenBefore(desk, message)
        const { approved, repeated, amount, status_code } = desk.ask(message)
        const after = desk.available(card.account_id)
        const asks = ['0100', '0200'].includes(message.message_type)
        const isPlain = /^0[01]/.test(message.processing_code) && message.currency === 'AED'
        if (!asks || !isPlain || repeated || status_code === '1894') continue
        if (isKnown) {
          assert.ok(after <= before && after >= before - amount)
          continue
        }
        const part = card.partial_approval && message.partial_capable && before > 0n
        const fits = message.amount > 0n && (message.amount <= before || part)
        assert.equal(approved, fits && card.user_status === 'ACTIVE')
        assert.equal(after, before - amount)
        if (approved) assert.ok(after >= 0n)
      }
    }),
    options,
  )
})
