import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asOf, present, stateOf, type TransactionRow, tracePresented } from './rules.ts'

const created = new Date('2026-06-12T10:00:00.000Z')
const row: TransactionRow = {
  id: 'id',
  card_id: 'card',
  account_id: null,
  user_id: null,
  message_type: '0100',
  transaction_type: 'PURCHASE',
  status: 'PENDING',
  status_code: '0000',
  amount: 1_250n,
  currency: 'AED',
  billing_amount: 1_250n,
  billing_currency: 'AED',
  cleared_amount: 5n,
  refunded_amount: 0n,
  hold_expires: created,
  approval_code: null,
  rrn: null,
  stan: '000001',
  reference_transaction_id: null,
  merchant: { id: 'SHOP1' },
  created,
  modified: created,
  foreign: null,
  held: 1_245n,
  trace: [],
  message: null,
  withdrawn: false,
  pos: { entry_mode: 'CHIP', environment: 'POS' },
  events: [
    {
      type: 'AUTHORIZED',
      message_type: '0100',
      status_code: '0000',
      amount: '1250',
      created: created.toISOString(),
    },
  ],
}

test('amounts are shown in major units, and what was never set is left out', () => {
  const shown = present(row)
  assert.partialDeepStrictEqual(shown, { amount: 12.5, billing_amount: 12.5, cleared_amount: 0.05 })
  assert.equal(shown.events[0]?.amount, 12.5)
  assert.deepEqual(shown.events[0]?.created, created)
  for (const name of ['account_id', 'user_id', 'approval_code', 'rrn']) {
    assert.equal(name in shown, false, name)
  }
})

test('the decimals are those of the currency; without one, minor units', () => {
  for (const [currency, amount] of [
    ['JPY', 1_250],
    ['KWD', 1.25],
    ['000', 1_250],
  ] as const) {
    const shown = present({ ...row, currency, billing_amount: null, billing_currency: null })
    assert.deepEqual([shown.amount, shown.events[0]?.amount], [amount, amount])
    assert.equal('billing_amount' in shown, false)
  }
})

test('what each event left is kept in it, and is not shown', () => {
  const [first] = row.events
  assert.ok(first)
  const later = { ...first, type: 'INCREMENTED' as const, amount: '50' }
  const now: TransactionRow = {
    ...row,
    amount: 1_300n,
    status: 'VOIDED',
    hold_expires: null,
    events: [{ ...first, after: stateOf(row) }, later],
  }
  assert.deepEqual(present(asOf(now, 1)), present(row))
  assert.deepEqual(present(asOf(now, 2)), present(now))
  assert.equal('after' in (present(now).events[0] ?? {}), false)
})

test('a trace has a verdict for each check, the code of each that declined, and what decided', () => {
  const shown = tracePresented([
    ['card', 'found'],
    ['amount', '0', '1010'],
    ['PIN', 'not checked'],
    ['account', 'ACTIVE'],
    ['funds', 'available 0', '1016'],
    ['purchase', 'none'],
  ])
  const skipped = { check: 'PIN', detail: 'not checked', verdict: 'skipped', decisive: false }
  assert.deepEqual(shown, [
    { check: 'card', detail: 'found', verdict: 'passed', decisive: true },
    { check: 'amount', detail: '0', verdict: 'refused', status_code: '1010', decisive: true },
    skipped,
    { check: 'account', detail: 'ACTIVE', verdict: 'passed', decisive: false },
    {
      check: 'funds',
      detail: 'available 0',
      verdict: 'refused',
      status_code: '1016',
      decisive: false,
    },
    { check: 'purchase', detail: 'none', verdict: 'passed', decisive: true },
  ])
})
