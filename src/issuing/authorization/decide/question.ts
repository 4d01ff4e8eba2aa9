/** Whether the tenant's responder is to be asked about a message before it is decided (D-470). */

import type { TransactionRow } from '#issuing/transactions/rules.ts'
import { examine } from './checks/checks.ts'
import { lookAtChip } from './checks/chip.ts'
import { isAskedAbout } from './checks/responder.ts'
import type { DecisionInput } from './decision_input.ts'
import { evidenceFor, incrementOf } from './messages/authorize.ts'
import { doneFor } from './messages/payment.ts'
import { newTransaction } from './messages/record.ts'
import type { WorkingSet } from './state/working_set.ts'

/** `id` is of the message: that of its transaction, if it makes one. */
export type Question = { id: string; transaction: TransactionRow }

/**
 * The transaction as it would be, if every check passes and the responder has not been asked;
 * undefined if the message is decided without it. Changes nothing: the message is examined again
 * with the verdict. One that raises a hold has the id of that transaction, with its own amount.
 */
export function questionOf(workingSet: WorkingSet, input: DecisionInput): Question | undefined {
  const { request } = input
  if (input.verdict || !workingSet.settings.responder || !isAskedAbout(input)) return undefined
  // A repeat gets the stored answer, and an amount that an advice has taken is not asked about
  // again.
  if (workingSet.stored(request.duplicate_key)?.answer) return undefined
  if (request.message_type === '0100' && doneFor(workingSet, input)) return undefined

  const raised = incrementOf(workingSet, input)
  const chip = lookAtChip(workingSet, input, raised !== undefined)
  const { declined } = examine({ ...evidenceFor(workingSet, input, raised), chip })
  if (declined !== undefined) return undefined
  const row = newTransaction(workingSet, input, [], { status: 'PENDING', status_code: '0000' })
  return { id: input.id, transaction: { ...row, id: raised?.row.id ?? row.id, events: [] } }
}
