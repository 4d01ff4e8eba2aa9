/** 0220: the money of an earlier authorization is claimed; acknowledged in every case (D-47). */

import {
  clearedOf,
  heldOf,
  isTakenBackUnsent,
  type TransactionRow,
} from '#issuing/transactions/rules.ts'
import { least } from '#lib/money.ts'
import { addDays } from '#lib/time.ts'
import type { AuthorizationAnswer } from '../../schema.ts'
import type { Case } from '../case.ts'
import { chargePosting } from '../charges/charges.ts'
import { isCredit, kindOf } from '../kinds.ts'
import { afterClearing, billed, billedOf, clearingOf, heldPart } from '../money/billing.ts'
import type { OpenTransaction } from '../rows.ts'
import { isApproved } from '../state/originals.ts'
import type { WorkingSet } from '../state/working_set.ts'
import type { CompletionCode } from './answers.ts'
import { creditNow } from './credit.ts'
import { isAlike, isFuel, isHonoured, paymentOf } from './payment.ts'
import { answerOf, decline, eventOf, newTransaction, traceOf } from './record.ts'
import { isDeclinedForPart, leftOfCompletion } from './reversed_before.ts'
import { takeBackApart, takeBackCleared } from './take_back.ts'
import { acknowledgeTwin, twinOf } from './twin.ts'

type Fault = { code: CompletionCode; detail: string }

const NO_CARD: Fault = { code: '1018', detail: 'no card has this number' }
const NO_PRODUCT: Fault = { code: '1847', detail: 'the card product of the card does not exist' }

export function complete(workingSet: WorkingSet, given: Case): AuthorizationAnswer {
  const input = given.request.claims_rest ? claimingRest(workingSet, given) : given
  const left = leftBefore(workingSet, input)
  const answer = completeAll(workingSet, input, left)
  return left === undefined || !answer.approved ? answer : leave(workingSet, input, answer, left)
}

/**
 * Minor units that a reversal which came first has left of the completion of a purchase (D-877);
 * undefined if none came, or nothing was left.
 */
function leftBefore(workingSet: WorkingSet, input: Case): bigint | undefined {
  if (input.kind.direction !== 'debit') return undefined
  const left = leftOfCompletion(workingSet, input)
  return left === 0n ? undefined : left
}

/** Applies the reversal as if it came now. */
function leave(
  workingSet: WorkingSet,
  input: Case,
  answer: AuthorizationAnswer,
  left: bigint,
): AuthorizationAnswer {
  const open = workingSet.originals.get(answer.transaction_id)
  if (!open) throw new Error(`transaction ${answer.transaction_id} was not read`)
  const { amount } = input.request
  const back = amount - least(left, amount)
  // The event is added even if nothing goes back: the transaction shows the reversal of a message
  // in force.
  if (back === 0n) workingSet.change(open, {}, eventOf(workingSet, input, 'REVERSED', '0000', 0n))
  else if (open.row.message_type === '0220') takeBackApart(workingSet, input, open, back)
  else takeBackCleared(workingSet, input, open, back)
  return answerOf(workingSet, input, open.row, answer)
}

function completeAll(
  workingSet: WorkingSet,
  input: Case,
  left: bigint | undefined,
): AuthorizationAnswer {
  const { request, card } = input
  if (request.format_fault) {
    const { status_code, detail } = request.format_fault
    return decline(workingSet, input, status_code, traceOf(detail, status_code))
  }
  if (!card) {
    const { code, detail } = input.lacks_product ? NO_PRODUCT : NO_CARD
    return decline(workingSet, input, code, traceOf(detail, code))
  }
  if (!input.account)
    return decline(workingSet, input, '1019', traceOf('the card has no account', '1019'))
  const { direction, type } = input.kind
  const sameType = (row: TransactionRow) => row.transaction_type === type
  const isClaimable = (row: TransactionRow) =>
    sameType(row) && (direction === 'credit' || row.message_type !== '0220')
  // The decline of a refund under the reference of its purchase is none of the purchase (D-938).
  const mayBe = (row: TransactionRow) =>
    direction === 'credit' || isHonoured(row) || !isCredit(row.transaction_type)
  const { originals } = workingSet
  const named =
    originals.find(request.original, card.card_id, isClaimable, mayBe) ??
    originals.findApproved(request.original, card.card_id, isAlike(input))
  const live = named && liveOf(workingSet, input, named)
  // The network does not know that the platform took the payment back, or has reversed a part of a
  // payment that the platform declined for that. The presented amount was approved.
  const isApart =
    named &&
    !live &&
    (isTakenBackUnsent(named.row) || isDeclinedForPart(workingSet, input, named.row))
  const found = isApart ? undefined : (live ?? named)
  // A credit may name the purchase that it refunds, which is not what it completes.
  const original = found && (direction === 'debit' || sameType(found.row)) ? found : undefined
  const fault = unpostable(workingSet, input, original, left) ?? unfit(input, original)
  if (fault) return decline(workingSet, input, fault.code, traceOf(fault.detail, fault.code), found)
  const twin = twinOf(workingSet, input, found)
  if (twin) return acknowledgeTwin(workingSet, input, twin)
  const against = direction === 'debit' ? againstOf(original) : undefined
  if (against) return postApart(workingSet, input, against, original)

  if (direction === 'credit') return completeCredit(workingSet, input, original)
  // A presentment without an original authorizes nothing that another could claim.
  const claimed = original?.row.message_type === '0220' ? undefined : original
  return claimed ? post(workingSet, input, claimed) : postApart(workingSet, input, ALONE)
}

/**
 * The hold of the payment, if the named message was reversed or declined: another one was
 * approved, and the presented amount is claimed of it, whichever came first.
 */
function liveOf(
  workingSet: WorkingSet,
  input: Case,
  { row: { status } }: OpenTransaction,
): OpenTransaction | undefined {
  const isVoid = status === 'VOIDED' || status === 'DECLINED'
  if (!isVoid || input.kind.direction !== 'debit') return undefined
  const { approval_code } = input.request.original ?? {}
  return paymentOf(workingSet, input).findLast(
    (open) => open.row.status === 'PENDING' && isApproved(open, { approval_code }),
  )
}

/** The case with the amount of the transaction that is not cleared yet. */
function claimingRest(workingSet: WorkingSet, input: Case): Case {
  const { request } = input
  const row = workingSet.transaction(request.original?.transaction_id)
  const rest = row ? row.amount - clearedOf(row) : request.amount
  const claiming = { ...request, amount: rest > 0n ? rest : 0n }
  const claimed = { ...input, request: claiming, kind: kindOf(claiming) }
  return { ...claimed, billing: billed(claimed) }
}

/** Why no money could move (D-108); another currency than the original's is 1858 (D-121). */
function unpostable(
  workingSet: WorkingSet,
  input: Case,
  original: OpenTransaction | undefined,
  left: bigint | undefined,
): Fault | undefined {
  const { request, kind, card, billing } = input
  if (left === undefined && workingSet.wasReversedEarly(request.duplicate_key, card?.card_id)) {
    return { code: '1894', detail: 'its reversal came first' }
  }
  if (kind.direction === 'none') return { code: '1888', detail: request.processing_code }
  if (original && original.row.currency !== request.currency) {
    return { code: '1858', detail: `${original.row.id} in ${original.row.currency}` }
  }
  if (billing === undefined) return { code: '1888', detail: `no rate to ${input.currency}` }
  return request.amount === 0n || (billing === 0n && (!original || againstOf(original)))
    ? { code: '1010', detail: '0' }
    : undefined
}

/** Why a completion does not belong to its original (D-44, D-108). */
function unfit(
  { kind: { type, direction } }: Case,
  original: OpenTransaction | undefined,
): Fault | undefined {
  if (!original) return undefined
  const { row } = original
  // A credit that was declined is presented all the same: the money is the cardholder's.
  if (direction === 'credit') {
    const isReversed = row.status === 'VOIDED'
    return isReversed ? { code: '1894', detail: `${row.id} was reversed` } : undefined
  }
  if (againstOf(original)) return undefined
  if (row.transaction_type !== type) return { code: '1858', detail: row.transaction_type }
  // A financial request has posted its own money.
  return row.message_type === '0200' ? { code: '1858', detail: `${row.id} is complete` } : undefined
}

/** The scheme has settled a presentment, also of a reversed or declined payment (D-1037). */
function againstOf(original: OpenTransaction | undefined): Fault | undefined {
  if (!original || original.row.message_type === '0220') return undefined
  const { id, status } = original.row
  if (status === 'VOIDED')
    return { code: '1894', detail: `posted against ${id}, which was reversed` }
  return status === 'DECLINED'
    ? { code: '9115', detail: `posted against ${id}, which was declined` }
    : undefined
}

function post(workingSet: WorkingSet, input: Case, original: OpenTransaction): AuthorizationAnswer {
  const { amount } = input.request
  const { row } = original
  const status_code = excessCode(input, original)
  const clearing = clearingOf(input, row)
  const held = heldOf(row)
  workingSet.release(original, heldPart(row, amount < held && !isFuel(row) ? amount : held))
  workingSet.post(original, clearing.billing, 'CLEARING', true)
  workingSet.exchange(original, clearing.settled - clearing.billing)
  const { billing } = clearing
  chargePosting(workingSet, input, original, { billing, first: row.cleared_amount === 0n })

  const open = row.held > 0n
  const hold_expires = open ? addDays(workingSet.now, workingSet.settings.clearing_hold_days) : null
  const event = eventOf(workingSet, input, 'CLEARED', status_code, amount)
  const after = {
    status: open ? ('PENDING' as const) : ('SETTLED' as const),
    ...afterClearing(row, clearing, input.rate),
    hold_expires,
    ...(status_code !== '0000' && { status_code }),
  }
  workingSet.change(original, after, event)
  return answerOf(workingSet, input, row, { status_code, approved: true, amount })
}

/**
 * Above what was authorized by more than the product tolerates: reported, and posted all the same.
 */
function excessCode(
  { request, product }: Case,
  { row }: OpenTransaction,
): '0000' | '1854' | '1855' {
  const total = clearedOf(row) + request.amount
  const percent = BigInt(product?.clearing_tolerance_percent ?? 0)
  if (total <= row.amount) return '0000'
  if (percent === 0n) return '1854'
  return total * 100n > row.amount * (100n + percent) ? '1855' : '0000'
}

const ALONE: Fault = { code: '1857', detail: 'none was found' }

/** A presentment that claims no authorization is posted, as the scheme requires. */
function postApart(
  workingSet: WorkingSet,
  input: Case,
  { code: status_code, detail }: Fault,
  original?: OpenTransaction,
): AuthorizationAnswer {
  const { amount } = input.request
  const billing = billedOf(input)
  const row = newTransaction(workingSet, input, traceOf(detail, status_code), {
    status: 'SETTLED',
    status_code,
    cleared_amount: billing,
    reference_transaction_id: original?.row.id ?? null,
  })
  const open = workingSet.open(row)
  workingSet.post(open, billing, 'CLEARING', true)
  chargePosting(workingSet, input, open, { billing, first: true })
  return answerOf(workingSet, input, row, { status_code, approved: true, amount })
}

/** The first presentment of a credit that was posted with its authorization moves nothing. */
function completeCredit(
  workingSet: WorkingSet,
  input: Case,
  original: OpenTransaction | undefined,
): AuthorizationAnswer {
  const { amount } = input.request
  if (original && isBooked(input, original.row)) {
    const { row } = original
    workingSet.change(original, {}, eventOf(workingSet, input, 'CLEARED', '0000', amount))
    return answerOf(workingSet, input, row, { status_code: '0000', approved: true, amount })
  }
  const trace = traceOf(original ? original.row.id : 'none')
  return creditNow(workingSet, input, { status_code: '0000' }, trace, original)
}

const isBooked = ({ kind }: Case, { transaction_type, status, events }: TransactionRow) =>
  transaction_type === kind.type &&
  status === 'SETTLED' &&
  !events.some(({ message_type }) => message_type === '0220')
