import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Desk, purchase } from '#test/support/desk.ts'
import { DecisionChanges, InvariantViolated } from './invariants.ts'

const desk = new Desk()
const account = desk.addAccount(100_000n)
desk.ask(purchase(desk.addCard(account.id), 1_000n))
const [row] = desk.transactions.values()
assert.ok(row)
const { id } = desk.account(account.id)

/** The transfer of a decision that holds 1,000 for the purchase and takes 300. */
const transfer = {
  kind: 'CLEARING',
  debit_account_id: id,
  credit_account_id: 'settlement',
  currency: 'AED',
  amount: 300n,
}
const before = { id, balance: 100_000n, held: 0n, floor: 0n }
const after = { ...before, balance: 99_700n, held: 1_000n }

type Changed = {
  row?: object
  after?: object
  transfers?: object[]
  charged?: bigint
  unwritten?: true
}

function assertSound(changed: Changed = {}): void {
  const changes = new DecisionChanges()
  assert.ok(row)
  const open = { row: { ...row, ...changed.row }, read_sequence: 1 }
  changes.noteTransaction(open, 0n)
  if (!changed.unwritten) changes.noteWritten(open)
  changes.noteAccount(before)
  if (changed.charged !== undefined) changes.noteCharge(id, changed.charged)
  const transfers = (changed.transfers ?? [{}]).map((one) => ({ ...transfer, ...one }))
  changes.assertSound(() => ({ ...after, ...changed.after }), transfers)
}

describe('a decision', () => {
  test('that adds up passes, with a charge too', () => {
    assertSound()
    assertSound({ after: { balance: 99_600n }, charged: 100n })
  })

  const wrong: Record<string, Changed> = {
    'holds of the account that are none of its transactions': { after: { held: 900n } },
    'holds of transactions that are none of the account': { row: { held: 999n } },
    'a hold that is changed and not written': { unwritten: true },
    'a balance without an entry': { transfers: [] },
    'an entry without a balance': { after: { balance: 100_000n } },
    'a charge that was not taken': { charged: 1n },
    'an entry of nothing': { transfers: [{}, { amount: 0n }] },
    'an entry of an account to itself': { transfers: [{}, { credit_account_id: id }] },
    'a settled transaction that holds': { row: { status: 'SETTLED' } },
    'a declined transaction that holds': { row: { status: 'DECLINED' } },
    'less than nothing cleared': { row: { cleared_amount: -1n } },
    'more refunded than cleared': { row: { refunded_amount: 1n } },
    'a voided transaction that is cleared': {
      row: { status: 'VOIDED', held: 0n, cleared_amount: 1n },
      after: { held: 0n },
    },
  }
  for (const [name, changed] of Object.entries(wrong)) {
    test(`with ${name} fails`, () => {
      assert.throws(() => assertSound(changed), InvariantViolated)
    })
  }
})
