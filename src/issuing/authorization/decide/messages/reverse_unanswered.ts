/** The reversal by the platform of an approval of which no answer has left (D-301, D-528). */

import { clearedOf, type TransactionRow } from '#issuing/transactions/rules.ts'
import type { AuthorizationAnswer } from '../../schema.ts'
import type { Case } from '../case.ts'
import type { Unanswered } from '../state/unanswered.ts'
import { isRequest } from '../state/undone.ts'
import type { WorkingSet } from '../state/working_set.ts'
import { reverse } from './reverse.ts'

/**
 * One answer of an approval could not be sent. The approval is reversed if that was the last that
 * might have reached the network, and the network has not acted on it either; else it is kept, and
 * only the answer is noted as one that never left.
 */
export function reverseUnanswered(
  workingSet: WorkingSet,
  input: Case,
  unanswered: Unanswered,
): AuthorizationAnswer {
  const { message_key, transaction_id } = unanswered
  const { answers, unsent } = workingSet.answered(message_key)
  const row = workingSet.transaction(transaction_id)
  // Whatever comes of it: a repeat at another process must not be answered beside it.
  workingSet.touch(row?.account_id ?? input.card?.account_id)
  const mayHaveArrived = answers - unsent > 1
  if (!row || !(mayHaveArrived || isKnownToNetwork(row, unanswered))) {
    return reverse(workingSet, input)
  }
  const kept = { status_code: '0000', approved: true, amount: 0n }
  return { transaction_id, ...kept, hints: {}, repeated: false }
}

/**
 * The network has advised of the approval, or presented more than all that the transaction would
 * have without it: it counts on it, whether an answer of ours came to it or it stood in for us.
 */
function isKnownToNetwork(row: TransactionRow, { amount }: Unanswered): boolean {
  const { events } = row
  const at = events.findLastIndex(
    ({ type, message_type = '', amount: approved }) =>
      APPROVING.has(type) && isRequest(message_type) && BigInt(approved) === amount,
  )
  const later = events.slice(at + 1)
  const isAdvised = later.some(
    (event) => event.message_type === '0120' && BigInt(event.amount) === amount,
  )
  const isPresented = later.some(({ message_type }) => message_type === '0220')
  return isAdvised || (isPresented && clearedOf(row) > row.amount - amount)
}

const APPROVING: ReadonlySet<string> = new Set(['AUTHORIZED', 'INCREMENTED'])
