/** The reversal of a completion: what it claimed is released and may be claimed again (D-87). */

import type { TransactionRow } from '#issuing/transactions/rules.ts'
import { addDays } from '#lib/time.ts'
import type { AuthorizationAnswer, OriginalReference } from '../schema.ts'
import type { DecisionInput } from './decision_input.ts'
import type { OpenTransaction } from './evidence.ts'
import { isCredit, kindOf } from './kinds.ts'
import { earlyReversalKey } from './message_keys.ts'
import { answerOf, decline, eventOf, traceOf } from './record.ts'
import type { WorkingSet } from './working_set.ts'

/** Whether DE90 names a completion (0220) of this authorization rather than the authorization. */
export function namesCompletion(
  original: OriginalReference | undefined,
  { row }: OpenTransaction,
): boolean {
  const authorized = row.message_type === '0100' || row.message_type === '0120'
  return authorized && original?.message_key?.startsWith('0220|') === true
}

/**
 * A completion that its sender got no answer to: the money comes back and is held as before. Once:
 * the reversal is remembered under the completion's key, which also declines the completion, should
 * it arrive later.
 */
export function takeBackCompletion(
  workingSet: WorkingSet,
  input: DecisionInput,
  original: OpenTransaction,
): AuthorizationAnswer {
  const { request } = input
  const { row } = original
  const { message_key = '' } = request.original ?? {}
  const card_id = input.card?.card_id
  // By the completion's own reference: two reversals of it may have two others (D-310).
  const rrn = workingSet.originals.rrnOfNamed(request.original, card_id)
  const key = earlyReversalKey(message_key, rrn, card_id)
  const amount = request.amount < row.cleared_amount ? request.amount : row.cleared_amount
  const code = amount === 0n || workingSet.stored(key) ? '1894' : unfit(input, row, amount)
  if (code !== undefined) {
    return decline(workingSet, input, code, traceOf(`${row.id} is ${row.status}`, code), original)
  }
  const { message_type: mti } = request
  workingSet.remember({ key, mti, transaction_id: null, answer: null, fingerprint: null })
  workingSet.credit(original, amount, 'REVERSAL')
  const cleared_amount = row.cleared_amount - amount
  const free = row.amount - cleared_amount - row.held
  const end = addDays(workingSet.now, workingSet.settings.hold_days)
  if (free > 0n) workingSet.hold(original, amount < free ? amount : free, true)
  // Of more than was authorized, what comes back may leave nothing to hold.
  const after =
    row.held > 0n
      ? ({ status: 'PENDING', hold_expires: end } as const)
      : ({ status: 'SETTLED', hold_expires: null } as const)
  const event = eventOf(workingSet, input, 'REVERSED', '0000', amount)
  workingSet.change(original, { ...after, cleared_amount }, event)
  return answerOf(workingSet, input, row, { status_code: '0000', approved: true, amount })
}

/** The presentment of a credit moved nothing; what was refunded is paid to the cardholder. */
function unfit(
  { request }: DecisionInput,
  row: TransactionRow,
  amount: bigint,
): '1858' | undefined {
  const fits = row.currency === request.currency && row.transaction_type === kindOf(request).type
  const isLeft = row.cleared_amount - amount >= row.refunded_amount
  return fits && isLeft && !isCredit(row.transaction_type) ? undefined : '1858'
}
