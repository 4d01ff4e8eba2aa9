/**
 * A presentment that comes by line and by clearing file is posted by the one that comes first
 * (D-1046). The other one changes nothing, and each answers for one of the other way.
 */

import type { AuthorizationAnswer } from '../../schema.ts'
import type { Case } from '../case.ts'
import type { OpenTransaction } from '../rows.ts'
import { isApproved } from '../state/originals.ts'
import type { WorkingSet } from '../state/working_set.ts'
import { answerOf, eventOf } from './record.ts'

/**
 * The transaction of this payment that a presentment of the same amount, which came the other way,
 * has posted and that no presentment of this way has answered for. `found` is what this one claims.
 */
export function twinOf(
  workingSet: WorkingSet,
  { request, card }: Case,
  found: OpenTransaction | undefined,
): OpenTransaction | undefined {
  const ofPayment = workingSet.originals.ofPayment(request.original, card?.card_id)
  const { approval_code } = request.original ?? {}
  return [...new Set([...(found ? [found] : []), ...ofPayment])].find(
    (open) =>
      open.row.currency === request.currency &&
      isApproved(open, { approval_code }) &&
      isUnanswered(open, request.amount, request.by_file === true),
  )
}

function isUnanswered({ row }: OpenTransaction, of: bigint, by_file: boolean): boolean {
  const amount = String(of)
  let left = 0
  for (const event of row.events) {
    if (event.amount !== amount || event.message_type === undefined) continue
    const isOfFile = event.by_file === true
    const isTakenBack = event.of_completion === true || row.message_type === '0220'
    if (event.type === 'REVERSED' && isTakenBack && left > 0) left -= 1
    if (event.type !== 'CLEARED' || event.message_type !== '0220') continue
    if (event.twin) left -= isOfFile === by_file ? 1 : 0
    else if (isOfFile !== by_file) left += 1
  }
  return left > 0
}

/** Records that it came this way, too. */
export function acknowledgeTwin(
  workingSet: WorkingSet,
  input: Case,
  open: OpenTransaction,
): AuthorizationAnswer {
  const { amount } = input.request
  const event = { ...eventOf(workingSet, input, 'CLEARED', '0000', amount), twin: true as const }
  workingSet.change(open, {}, event)
  return answerOf(workingSet, input, open.row, { status_code: '0000', approved: true, amount })
}
