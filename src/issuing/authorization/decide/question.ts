/** Whether the tenant's responder is to be asked about a message before it is decided (D-470). */

import type { TransactionRow } from '#issuing/transactions/rules.ts'
import type { Case } from './case.ts'
import { examine } from './checks/checks.ts'
import { isAskedAbout } from './checks/responder.ts'
import { newTransaction } from './messages/record.ts'
import type { WorkingSet } from './state/working_set.ts'

/** `id` is of the message: that of its transaction, if it makes one. */
export type Question = { id: string; transaction: TransactionRow }

/**
 * The transaction as it would be, if every check passes and the responder has not been asked;
 * undefined if the message is decided without it. Changes nothing: the message is examined again
 * with the verdict. One that raises a hold has the id of that transaction, with its own amount.
 */
export function questionOf(workingSet: WorkingSet, input: Case): Question | undefined {
  const { request } = input
  if (input.verdict || !input.settings.responder || !isAskedAbout(input)) return undefined
  // A repeat gets the stored answer, and an amount that an advice has taken is not asked about
  // again.
  if (workingSet.stored(request.duplicate_key)?.answer) return undefined
  if (input.done) return undefined

  if (examine(input).declined !== undefined) return undefined
  const row = newTransaction(workingSet, input, [], { status: 'PENDING', status_code: '0000' })
  return { id: input.id, transaction: { ...row, id: input.raised?.row.id ?? row.id, events: [] } }
}
