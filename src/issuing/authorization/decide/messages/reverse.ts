/** 0400 and 0420 reverse the effect of a message, all of it or a part (D-47, D-107). */

import {
  clearedOf,
  heldOf,
  isTakenBackUnsent,
  refundedOf,
  type TransactionRow,
} from '#issuing/transactions/rules.ts'
import { timeOfId } from '#lib/id.ts'
import { least, portionOf } from '#lib/money.ts'
import type { AuthorizationAnswer, AuthorizationRequest } from '../../schema.ts'
import type { Case } from '../case.ts'
import { isCredit } from '../kinds.ts'
import { afterClearing, clearedPart, heldPart, negated, takenBackOf } from '../money/billing.ts'
import type { OpenTransaction, Part } from '../rows.ts'
import { DECLINED, isRaised, isRaisedByAdvice } from '../state/undone.ts'
import type { WorkingSet } from '../state/working_set.ts'
import type { ReversalCode } from './answers.ts'
import { uncountCredit } from './credit.ts'
import { doneFor, isAlike, raisedFor } from './payment.ts'
import { holdAgain, presentedApart } from './presented_apart.ts'
import { answerOf, decline, eventOf, lessen, traceOf, voided } from './record.ts'
import { lower } from './reversed_before.ts'
import { namesCompletion, takeBackCompletion } from './take_back.ts'

export function reverse(workingSet: WorkingSet, input: Case): AuthorizationAnswer {
  const { request, kind, card } = input
  if (request.format_fault) {
    const { status_code, detail } = request.format_fault
    return decline(workingSet, input, status_code, traceOf(detail, status_code))
  }
  // The account is touched even if no original is found: another process may decide the original at
  // this moment, and one of the two has to see the other.
  workingSet.touch(card?.account_id)
  const { type } = kind
  const found =
    workingSet.originals.findReversed(request.original, card?.card_id, {
      fits: (row) => row.transaction_type === type,
      now: timeOfId(input.id),
    }) ?? workingSet.originals.findApproved(request.original, card?.card_id, isAlike(input))
  const requested = found ? BigInt(found.row.events[0]?.amount ?? 0) : request.amount
  const done = isOfAdvice(request, found)
    ? (doneFor(workingSet, input, requested) ?? raisedFor(workingSet, input, requested))
    : undefined
  const original = done ?? found
  if (!original) return decline(workingSet, input, '9114', traceOf('none was found', '9114'))
  if (namesCompletion(request.original, original))
    return takeBackCompletion(workingSet, input, original)
  const { row } = original
  const { held } = row
  const taken = takenBack(workingSet, input, original)
  const code = unfit(input, original, taken) ?? reversedBefore(workingSet, input, original)
  if (code !== undefined) {
    return decline(workingSet, input, code, traceOf(`${row.id} is ${row.status}`, code), original)
  }
  if (held > 0n) {
    return request.remaining_amount === undefined
      ? releaseHeld(workingSet, input, original, taken)
      : leaveOnly(workingSet, input, original, request.remaining_amount)
  }
  if (isOneOfPresented(workingSet, input, original))
    return releaseHeld(workingSet, input, original, 0n)
  return row.status === 'EXPIRED'
    ? cancel(workingSet, input, original, taken)
    : undo(workingSet, input, original, taken)
}

/**
 * A request that never came, was declined, or whose approval never left us, may be held for all the
 * same by an advice.
 */
const isOfAdvice = ({ original }: AuthorizationRequest, found: OpenTransaction | undefined) =>
  original?.message_key?.startsWith('0100|') === true &&
  (found === undefined || found.row.status === 'DECLINED' || isTakenBackUnsent(found.row))

/** One of several approvals, all of which were presented apart: the others stay. */
const isOneOfPresented = (
  workingSet: WorkingSet,
  input: Case,
  original: OpenTransaction,
): boolean =>
  original.row.status === 'SETTLED' &&
  isRaised(original.row) &&
  clearedOf(original.row) === 0n &&
  input.request.remaining_amount === undefined &&
  input.request.amount < original.row.amount &&
  presentedApart(workingSet, input, original) > 0n

/** The amount that a reversal can reach: held, else expired, else posted. */
const reachOf = ({ row }: OpenTransaction): bigint =>
  row.held > 0n ? heldOf(row) : row.status === 'EXPIRED' ? row.amount : clearedOf(row)

/**
 * DE95 contains the amount that stays, a simulation the amount that goes. Never more than the
 * reach.
 */
function takenBack(workingSet: WorkingSet, input: Case, original: OpenTransaction): bigint {
  const { remaining_amount, reverse_amount, amount } = input.request
  const reach = reachOf(original)
  const { row } = original
  const { held } = row
  if (reverse_amount !== undefined) return least(reverse_amount, reach)
  if (remaining_amount !== undefined) {
    const presented = clearedOf(row) + presentedApart(workingSet, input, original)
    const stays = held > 0n ? remaining_amount - presented : remaining_amount
    return stays <= 0n ? reach : reach - least(stays, reach)
  }
  // The amount of the reversal goes: all of the one message that is taken back, or a part (D-1035).
  return amount > 0n ? least(amount, reach) : reach
}

/** Why a reversal is recorded without taking anything back (D-44, D-108). */
function unfit(
  { request, kind }: Case,
  { row }: OpenTransaction,
  taken: bigint,
): ReversalCode | undefined {
  if (row.status === 'DECLINED') return '9115'
  if (row.status === 'VOIDED') return '1894'
  const fits = row.currency === request.currency && row.transaction_type === kind.type
  if (!fits) return '1858'
  if (row.held > 0n || row.status === 'EXPIRED') return undefined
  // A refunded amount is not paid to the cardholder twice.
  const isLeft = clearedOf(row) - taken >= refundedOf(row)
  return isUndoable(row) && isLeft ? undefined : '1858'
}

/**
 * If several messages made one hold, each is reversed once, by the network or by the platform,
 * except for an amount that an advice has held again.
 */
function reversedBefore(
  workingSet: WorkingSet,
  input: Case,
  { row }: OpenTransaction,
): '1894' | undefined {
  const { remaining_amount, amount } = input.request
  // The amount that stays of the whole may come with any of its messages.
  if (remaining_amount !== undefined || !isRaised(row)) return undefined
  const answer = namedAnswer(workingSet, input)
  if (answer?.status_code !== DECLINED.status_code) return undefined
  return !input.unanswered && isRaisedByAdvice(row, amount) ? undefined : '1894'
}

/** The answer of the request that a reversal names. */
function namedAnswer(
  workingSet: WorkingSet,
  { request, card, unanswered }: Case,
): AuthorizationAnswer | undefined {
  const { message_key } = request.original ?? {}
  if (message_key === undefined) return undefined
  const rrn = workingSet.originals.rrnOfNamed(request.original, card?.card_id)
  const key = unanswered?.message_key ?? `${message_key}|${rrn ?? ''}`
  return workingSet.stored(key)?.answer ?? undefined
}

/**
 * Only a message that both authorized and posted can be undone by one message: an amount that was
 * cleared apart is taken back by a refund.
 */
const isUndoable = (row: TransactionRow): boolean =>
  row.message_type === '0200' ||
  row.message_type === '0220' ||
  clearedOf(row) === 0n ||
  isCredit(row.transaction_type)

/**
 * Leaves `stays` of the sum that several messages have authorized, however often that is repeated
 * (D-107).
 */
function leaveOnly(
  workingSet: WorkingSet,
  input: Case,
  original: OpenTransaction,
  stays: bigint,
): AuthorizationAnswer {
  const { row } = original
  const named = namedAnswer(workingSet, input)
  const amount = lower(workingSet, input, original, { stays })
  const { id: transaction_id } = row
  const { message_key } = input.request.original ?? {}
  if (row.status === 'VOIDED') workingSet.declineRepeats({ transaction_id, amount })
  // It may be all of the one request that is named.
  else if (message_key !== undefined && named?.amount === amount)
    workingSet.declineRepeats({ transaction_id, message_key, amount })
  return answerReversal(workingSet, input, original, amount)
}

function releaseHeld(
  workingSet: WorkingSet,
  input: Case,
  original: OpenTransaction,
  amount: bigint,
) {
  const { row } = original
  const part = heldPart(row, amount)
  const all = part.billing === row.held
  workingSet.release(original, part)
  const { amount: named, reverse_amount } = input.request
  const whole = isRaised(row) ? named : named > 0n ? least(named, row.amount) : row.amount
  const over = reverse_amount === undefined && whole > amount ? whole - amount : 0n
  const isUsed = clearedOf(row) + presentedApart(workingSet, input, original) > 0n
  if (all && !isUsed) return voidIt(workingSet, input, original, amount)
  const after = all && ({ status: 'SETTLED', hold_expires: null } as const)
  return leaveRest(workingSet, input, original, part, after, over)
}

/** Nothing is held any more; the amount that a completion may still claim becomes less. */
function cancel(workingSet: WorkingSet, input: Case, original: OpenTransaction, amount: bigint) {
  const { row } = original
  if (amount === row.amount) return voidIt(workingSet, input, original, amount)
  const billing = portionOf(row.billing_amount ?? 0n, row.amount, amount)
  return leaveRest(workingSet, input, original, { amount, billing })
}

/** The posted amount goes back the way it came. */
function undo(workingSet: WorkingSet, input: Case, original: OpenTransaction, amount: bigint) {
  const { row } = original
  const back = takenBackOf(row, clearedPart(row, amount))
  const { billing } = back
  if (amount > 0n && isCredit(row.transaction_type)) {
    workingSet.post(original, billing, 'REVERSAL', true)
    workingSet.exchange(original, back.settled - billing)
    uncountCredit(workingSet, input, row, back)
  } else if (amount > 0n) {
    workingSet.credit(original, billing, 'REVERSAL')
    workingSet.exchange(original, billing - back.settled)
  }
  const answer =
    amount === clearedOf(row)
      ? voidIt(workingSet, input, original, amount)
      : leaveRest(workingSet, input, original, back, afterClearing(row, negated(back)))
  if (row.message_type === '0220' && !isCredit(row.transaction_type))
    holdAgain(workingSet, input, amount)
  return answer
}

/** The transaction goes on with the rest of it. */
function leaveRest(
  workingSet: WorkingSet,
  input: Case,
  original: OpenTransaction,
  part: Part,
  fields: Partial<TransactionRow> | false = false,
  over = 0n,
): AuthorizationAnswer {
  const { amount } = part
  lessen(workingSet, input, original, { ...part, over }, fields)
  // It may be all of the one request that is named.
  const message_key = input.request.original?.message_key
  if (message_key !== undefined)
    workingSet.declineRepeats({ transaction_id: original.row.id, message_key, amount })
  return answerReversal(workingSet, input, original, amount)
}

function voidIt(workingSet: WorkingSet, input: Case, original: OpenTransaction, amount: bigint) {
  const event = eventOf(workingSet, input, 'REVERSED', '0000', amount)
  workingSet.charges.reverse(original)
  workingSet.change(original, voided(original.row), event)
  workingSet.declineRepeats({ transaction_id: original.row.id, amount })
  return answerReversal(workingSet, input, original, amount)
}

const answerReversal = (
  workingSet: WorkingSet,
  input: Case,
  { row }: OpenTransaction,
  amount: bigint,
) => answerOf(workingSet, input, row, { status_code: '0000', approved: true, amount })
