/** The reversal of a completion releases the claimed amount, which may be claimed again (D-87). */

import { clearedOf, refundedOf, type TransactionRow } from '#issuing/transactions/rules.ts'
import { least } from '#lib/money.ts'
import { addDays } from '#lib/time.ts'
import type { AuthorizationAnswer, AuthorizationRequest, OriginalReference } from '../../schema.ts'
import type { Case } from '../case.ts'
import { isCredit } from '../kinds.ts'
import {
  afterClearing,
  type Clearing,
  clearedPart,
  negated,
  takenBackOf,
} from '../money/billing.ts'
import type { OpenTransaction } from '../rows.ts'
import { earlyReversalKey } from '../state/message_keys.ts'
import type { WorkingSet } from '../state/working_set.ts'
import { OF_COMPLETION, settle, withoutOver } from './presented_apart.ts'
import { answerOf, decline, eventOf, lessen, traceOf, voided } from './record.ts'

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
  input: Case,
  original: OpenTransaction,
): AuthorizationAnswer {
  const { request } = input
  const { row } = original
  const { message_key = '' } = request.original ?? {}
  const card_id = input.card?.card_id
  // The key has the completion's own reference, because two reversals of it may have two others
  // (D-310).
  const rrn = workingSet.originals.rrnOfNamed(request.original, card_id)
  const key = earlyReversalKey(message_key, rrn, card_id)
  const cleared = clearedOf(row)
  // The amount of a completion that is too old to be looked up is not known.
  const claimed = workingSet.stored(`${message_key}|${rrn ?? ''}`)?.answer?.amount ?? cleared
  const amount = least(goesBack(request, claimed), cleared)
  const code = amount === 0n || workingSet.stored(key) ? '1894' : unfit(input, row, amount)
  if (code !== undefined) {
    return decline(workingSet, input, code, traceOf(`${row.id} is ${row.status}`, code), original)
  }
  const { message_type: mti } = request
  workingSet.remember({ key, mti, transaction_id: null, answer: null, fingerprint: null })
  takeBackCleared(workingSet, input, original, amount)
  return answerOf(workingSet, input, row, { status_code: '0000', approved: true, amount })
}

/** Takes back `amount` of the cleared sum, which is held as before. */
export function takeBackCleared(
  workingSet: WorkingSet,
  input: Case,
  original: OpenTransaction,
  amount: bigint,
): void {
  const { row } = original
  const isAll = amount === clearedOf(row)
  const { less, ...seen } = withoutOver(workingSet, input, original, amount)
  const back = creditBack(workingSet, original, amount)
  if (isAll) workingSet.charges.reverse(original)
  const after = { ...less, ...afterClearing(row, negated(back)) }
  const settled = settle(workingSet, input, original, after, amount)
  const end = addDays(workingSet.now, workingSet.settings.hold_days)
  const reversed = eventOf(workingSet, input, 'REVERSED', '0000', amount)
  const event = { ...reversed, ...OF_COMPLETION, ...seen }
  // A new end, because the hold has changed.
  const cleared = afterClearing(row, negated(back))
  const left = less.amount === 0n && isAll ? voided(row) : { ...less, ...cleared, ...settled }
  workingSet.change(original, { ...left, hold_expires: row.held > 0n ? end : null }, event)
}

/** Credits the account with `amount` of the cleared sum, at the rates of the clearing. */
function creditBack(workingSet: WorkingSet, original: OpenTransaction, amount: bigint): Clearing {
  const back = takenBackOf(original.row, clearedPart(original.row, amount))
  workingSet.credit(original, back.billing, 'REVERSAL')
  workingSet.exchange(original, back.billing - back.settled)
  return back
}

/** Takes back `amount` of a presentment that belongs to no authorization, the way it came. */
export function takeBackApart(
  workingSet: WorkingSet,
  input: Case,
  original: OpenTransaction,
  amount: bigint,
): void {
  const { row } = original
  const back = creditBack(workingSet, original, amount)
  lessen(workingSet, input, original, back, afterClearing(row, negated(back)))
}

/** DE95 contains what stays of the completion, DE4 what goes: never more than it claimed. */
const goesBack = ({ remaining_amount, amount }: AuthorizationRequest, claimed: bigint): bigint =>
  remaining_amount === undefined
    ? least(amount, claimed)
    : claimed - least(remaining_amount, claimed)

/** The presentment of a credit moved nothing; a refunded amount is paid to the cardholder. */
function unfit({ request, kind }: Case, row: TransactionRow, amount: bigint): '1858' | undefined {
  const fits = row.currency === request.currency && row.transaction_type === kind.type
  const isLeft = clearedOf(row) - amount >= refundedOf(row)
  return fits && isLeft && !isCredit(row.transaction_type) ? undefined : '1858'
}
