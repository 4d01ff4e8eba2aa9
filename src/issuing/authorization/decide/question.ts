/**
 * The questions before a message is decided: the security module about what it proves
 * (D-1013), then the tenant's responder (D-470).
 */

import type { TransactionRow } from '#issuing/transactions/rules.ts'
import type { Case } from './case.ts'
import { examine } from './checks/checks.ts'
import { issuerDataOf } from './checks/chip.ts'
import { asks } from './checks/proofs.ts'
import { isAskedAbout } from './checks/responder.ts'
import { foreseen } from './messages/authorize.ts'
import { hintsOf, newTransaction } from './messages/record.ts'
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

/**
 * Has the proofs of a request note what they do not know, as far as its decision would come to it.
 * A proof that is not known counts as right, so that all of them are noted together, and so is the
 * answer to the chip. Changes nothing.
 */
export function noteProofs(workingSet: WorkingSet, input: Case): void {
  const { request, chip } = input
  if (!asks(request) || workingSet.stored(request.duplicate_key)?.answer) return
  const answer = { ...foreseen(input), hints: hintsOf(input) }
  if (chip?.right) issuerDataOf(chip.right, answer)
}
