/**
 * An advice (0120) of a payment that has an authorization: the network relies on that from then on,
 * whether our answer came to it or it stood in for us (D-529).
 */

import type { TransactionRow } from '#issuing/transactions/rules.ts'
import type { AuthorizationAnswer } from '../../schema.ts'
import type { OpenTransaction } from '../checks/evidence.ts'
import type { DecisionInput } from '../decision_input.ts'
import { billedOf } from '../money/billing.ts'
import type { WorkingSet } from '../state/working_set.ts'
import { missedReversalsOf, note } from './payment.ts'
import { releasePresented } from './presented_apart.ts'
import { answerOf, decline, eventOf } from './record.ts'

/** What is approved and not held yet is held beyond limits and funds; else the advice is noted. */
export function adopt(
  workingSet: WorkingSet,
  input: DecisionInput,
  open: OpenTransaction,
): AuthorizationAnswer {
  const { amount } = input.request
  // Also where it holds nothing: a presentment may be posted by another process at this moment for
  // want of the code that comes with it.
  workingSet.touch(open.row.account_id)
  const missing = open.row.status === 'PENDING' ? missingOf(open.row, amount) : 0n
  if (missing === 0n) {
    return note(workingSet, input, open, releasePresented(workingSet, input, open))
  }
  if (reversedByNetwork(workingSet, input, open)) {
    return decline(workingSet, input, '1894', [['reversal', 'came first', '1894']])
  }
  const { row } = open
  const billing = billedOf(workingSet, input, missing)
  workingSet.hold(open, { amount: missing, billing }, true)
  const raised = {
    amount: row.amount + missing,
    billing_amount: (row.billing_amount ?? 0n) + billing,
    ...releasePresented(workingSet, input, open),
  }
  workingSet.change(open, raised, eventOf(workingSet, input, 'INCREMENTED', '0000', missing))
  return answerOf(workingSet, input, row, { status_code: '0000', approved: true, amount })
}

/**
 * The network reversed this very increment, which never came or which the platform had taken back
 * itself.
 */
const reversedByNetwork = (
  workingSet: WorkingSet,
  input: DecisionInput,
  { row }: OpenTransaction,
): boolean =>
  missedReversalsOf(workingSet, input).some(
    ({ reference_transaction_id: of, amount }) =>
      (of === row.id || of === null) && amount === input.request.amount,
  )

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
