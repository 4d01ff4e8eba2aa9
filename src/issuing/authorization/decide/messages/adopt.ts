/**
 * An advice (0120) of a payment that has an authorization: the network relies on that from then on,
 * whether our answer came to it or it stood in for us (D-529).
 */

import type { TransactionRow } from '#issuing/transactions/rules.ts'
import type { AuthorizationAnswer } from '../../schema.ts'
import type { Case } from '../case.ts'
import { isDebit } from '../kinds.ts'
import { billedOf } from '../money/billing.ts'
import type { OpenTransaction } from '../rows.ts'
import type { WorkingSet } from '../state/working_set.ts'
import { missingOf, note } from './payment.ts'
import { linkPresented, raise, settle } from './presented_apart.ts'
import { answerOf } from './record.ts'
import { declineReversed, leaveWaited, waitedFor } from './reversed_before.ts'

/**
 * An amount that is approved and not held yet is held beyond limits and funds; else the advice is
 * noted.
 */
export function adopt(
  workingSet: WorkingSet,
  input: Case,
  open: OpenTransaction,
): AuthorizationAnswer {
  const { row } = open
  const { amount } = input.request
  // The account is touched even if the advice holds nothing: another process may post a presentment
  // at this moment because it lacks the code of the advice.
  workingSet.touch(row.account_id)
  const missing =
    RAISABLE.has(row.status) && isDebit(row.transaction_type) ? missingOf(row, amount) : 0n
  const link = linkPresented(workingSet, input, open)
  if (missing === 0n) {
    const settled = row.held > 0n ? { ...link, ...settle(workingSet, input, open, link) } : {}
    return note(workingSet, input, open, settled)
  }
  const waited = waitedFor(workingSet, input)
  if (waited && waited.stays === undefined) return declineReversed(workingSet, input, waited)
  const billing = billedOf(input, missing)
  raise(workingSet, input, open, { amount: missing, billing, link, status_code: '0000' })
  if (waited) leaveWaited(workingSet, input, row, waited)
  return answerOf(workingSet, input, row, { status_code: '0000', approved: true, amount })
}

const RAISABLE: ReadonlySet<TransactionRow['status']> = new Set(['PENDING', 'SETTLED'])
