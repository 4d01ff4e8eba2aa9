/**
 * An advice (0120) of a payment that has an authorization: the network relies on that from then on,
 * whether our answer came to it or it stood in for us (D-529).
 */

import { clearedOf, heldOf, type TransactionRow } from '#issuing/transactions/rules.ts'
import { least } from '#lib/money.ts'
import type { AuthorizationAnswer } from '../../schema.ts'
import type { OpenTransaction } from '../checks/evidence.ts'
import type { DecisionInput } from '../decision_input.ts'
import { billedOf, heldPart } from '../money/billing.ts'
import type { WorkingSet } from '../state/working_set.ts'
import { note, presentmentsOf } from './payment.ts'
import { answerOf, eventOf } from './record.ts'

/** What is approved and not held yet is held beyond limits and funds; else the advice is noted. */
export function adopt(
  workingSet: WorkingSet,
  input: DecisionInput,
  open: OpenTransaction,
): AuthorizationAnswer {
  const { amount } = input.request
  const missing = open.row.status === 'PENDING' ? missingOf(open.row, amount) : 0n
  if (missing === 0n) {
    return note(workingSet, input, open, releasePresented(workingSet, input, open))
  }
  const { row } = open
  const billing = billedOf(workingSet, input, missing)
  workingSet.hold(open, { amount: missing, billing }, true)
  const raised = {
    amount: row.amount + missing,
    billing_amount: (row.billing_amount ?? 0n) + billing,
  }
  workingSet.change(open, raised, eventOf(workingSet, input, 'INCREMENTED', '0000', missing))
  return answerOf(workingSet, input, row, { status_code: '0000', approved: true, amount })
}

/**
 * Minor units that the network has approved and the transaction does not have: an increment that
 * never came or was taken back, or what our partial approval left out. An advice of an approval
 * that is there has its amount, or that of all of them.
 */
function missingOf(row: TransactionRow, advised: bigint): bigint {
  const approvals: bigint[] = []
  for (const [at, { type, amount, unsent }] of row.events.entries()) {
    if (at === 0 || type === 'INCREMENTED') approvals.push(BigInt(amount))
    const taken_back = unsent ? approvals.indexOf(BigInt(amount)) : -1
    if (taken_back >= 0) approvals.splice(taken_back, 1)
  }
  const all = approvals.reduce((sum, amount) => sum + amount, 0n)
  if (approvals.includes(advised) || advised === all) return 0n
  const isOfPartial = row.asked?.amount === String(advised)
  return isOfPartial && advised > row.amount ? advised - row.amount : advised
}

/**
 * What was presented under the network's approval before this advice came was posted apart, since
 * we did not know its code: that much is not held any longer. What changes of the transaction.
 */
function releasePresented(
  workingSet: WorkingSet,
  input: DecisionInput,
  open: OpenTransaction,
): Partial<TransactionRow> {
  const { row } = open
  const isAdvised = row.events.some(({ message_type }) => message_type === '0120')
  const presented = presentmentsOf(workingSet, input)
  const last = presented.at(-1)
  if (row.held === 0n || row.reference_transaction_id !== null || isAdvised || !last) return {}
  const sum = presented.reduce((total, { row }) => total + clearedOf(row), 0n)
  workingSet.release(open, heldPart(row, least(sum, heldOf(row))))
  const linked = { reference_transaction_id: last.row.id }
  return row.held > 0n ? linked : { ...linked, status: 'SETTLED', hold_expires: null }
}
