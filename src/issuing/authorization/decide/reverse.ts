/** 0400 and 0420: what a message did is reversed, all of it or a part (D-47, D-107). */

import type { TransactionRow } from '#issuing/transactions/rules.ts'
import type { AuthorizationAnswer, AuthorizationRequest } from '../schema.ts'
import type { ReversalCode } from './answers.ts'
import { uncountCredit } from './credit.ts'
import type { DecisionInput } from './decision_input.ts'
import type { OpenTransaction } from './evidence.ts'
import { isCredit, kindOf } from './kinds.ts'
import { doneFor, presentedApart } from './payment.ts'
import { answerOf, decline, eventOf, traceOf } from './record.ts'
import { namesCompletion, takeBackCompletion } from './take_back.ts'
import type { WorkingSet } from './working_set.ts'

export function reverse(workingSet: WorkingSet, input: DecisionInput): AuthorizationAnswer {
  const { request, card } = input
  if (request.format_fault) {
    const { status_code, detail } = request.format_fault
    return decline(workingSet, input, status_code, traceOf(detail, status_code))
  }
  const { type } = kindOf(request)
  const sameType = (row: TransactionRow) => row.transaction_type === type
  const found = workingSet.originals.findReversed(request.original, card?.card_id, sameType)
  const original = isOfAdvice(request, found) ? (doneFor(workingSet, input) ?? found) : found
  if (!original) return decline(workingSet, input, '9114', traceOf('none was found', '9114'))
  if (namesCompletion(request.original, original))
    return takeBackCompletion(workingSet, input, original)
  const { row } = original
  const { held } = row
  const taken = takenBack(workingSet, input, original)
  const code = unfit(input, original, taken)
  if (code !== undefined) {
    return decline(workingSet, input, code, traceOf(`${row.id} is ${row.status}`, code), original)
  }
  if (held > 0n) return releaseHeld(workingSet, input, original, taken)
  return row.status === 'EXPIRED'
    ? cancel(workingSet, input, original, taken)
    : undo(workingSet, input, original, taken)
}

/** A request that never came, or was declined, may be held for all the same by an advice. */
const isOfAdvice = ({ original }: AuthorizationRequest, found: OpenTransaction | undefined) =>
  original?.message_key?.startsWith('0100|') === true &&
  (found === undefined || found.row.status === 'DECLINED')

/** What of the original a reversal can reach: what is held, would be, or was posted. */
const reachOf = ({ row }: OpenTransaction): bigint =>
  row.held > 0n ? row.held : row.status === 'EXPIRED' ? row.amount : row.cleared_amount

/** DE95 contains what stays; a simulation, what goes. Never more than there is. */
function takenBack(
  workingSet: WorkingSet,
  input: DecisionInput,
  original: OpenTransaction,
): bigint {
  const { remaining_amount, reverse_amount, amount } = input.request
  const reach = reachOf(original)
  const { row } = original
  const { held } = row
  if (reverse_amount !== undefined) return least(reverse_amount, reach)
  if (remaining_amount !== undefined) {
    const presented = row.cleared_amount + presentedApart(workingSet, input, original)
    const stays = held > 0n ? remaining_amount - presented : remaining_amount
    return stays <= 0n ? reach : reach - least(stays, reach)
  }
  // Several messages made this hold: what goes is the amount of the one that is taken back.
  const raised = row.events.some(({ type }) => type === 'INCREMENTED')
  return held > 0n && raised && amount > 0n ? least(amount, reach) : reach
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** Why a reversal is recorded without taking anything back (D-44, D-108). */
function unfit(
  { request }: DecisionInput,
  { row }: OpenTransaction,
  taken: bigint,
): ReversalCode | undefined {
  if (row.status === 'DECLINED') return '9115'
  if (row.status === 'VOIDED') return '1894'
  const fits = row.currency === request.currency && row.transaction_type === kindOf(request).type
  if (!fits) return '1858'
  if (row.held > 0n || row.status === 'EXPIRED') return undefined
  // What was refunded is not paid to the cardholder twice.
  const isLeft = row.cleared_amount - taken >= row.refunded_amount
  return isUndoable(row) && isLeft ? undefined : '1858'
}

/**
 * Only what one message both authorized and posted can be undone by one message: what was cleared
 * apart is taken back by a refund.
 */
const isUndoable = ({ message_type, cleared_amount, transaction_type }: TransactionRow): boolean =>
  message_type === '0200' ||
  message_type === '0220' ||
  cleared_amount === 0n ||
  isCredit(transaction_type)

function releaseHeld(
  workingSet: WorkingSet,
  input: DecisionInput,
  original: OpenTransaction,
  amount: bigint,
) {
  const { row } = original
  const all = amount === row.held
  workingSet.release(original, amount)
  if (all && row.cleared_amount === 0n) return voidIt(workingSet, input, original, amount)
  return lessen(
    workingSet,
    input,
    original,
    amount,
    all && { status: 'SETTLED', hold_expires: null },
  )
}

/** Nothing is held any more; what a completion may still claim becomes less. */
function cancel(
  workingSet: WorkingSet,
  input: DecisionInput,
  original: OpenTransaction,
  amount: bigint,
) {
  if (amount === original.row.amount) return voidIt(workingSet, input, original, amount)
  return lessen(workingSet, input, original, amount)
}

/** What was posted goes back the way it came. */
function undo(
  workingSet: WorkingSet,
  input: DecisionInput,
  original: OpenTransaction,
  amount: bigint,
) {
  const { row } = original
  const { cleared_amount } = row
  if (amount > 0n && isCredit(row.transaction_type)) {
    workingSet.post(original, amount, 'REVERSAL', true)
    uncountCredit(workingSet, input, row, amount)
  } else if (amount > 0n) workingSet.credit(original, amount, 'REVERSAL')
  if (amount === cleared_amount) return voidIt(workingSet, input, original, amount)
  return lessen(workingSet, input, original, amount, { cleared_amount: cleared_amount - amount })
}

/** The transaction goes on with a lower amount, as an increment would have raised it. */
function lessen(
  workingSet: WorkingSet,
  input: DecisionInput,
  original: OpenTransaction,
  amount: bigint,
  fields: Partial<TransactionRow> | false = false,
): AuthorizationAnswer {
  const { row } = original
  const billing_amount = row.billing_amount === null ? null : row.billing_amount - amount
  const less = { amount: row.amount - amount, billing_amount, ...fields }
  workingSet.change(original, less, eventOf(workingSet, input, 'REVERSED', '0000', amount))
  // It may be all of the one request that is named.
  const message_key = input.request.original?.message_key
  if (message_key !== undefined)
    workingSet.declineRepeats({ transaction_id: row.id, message_key, amount })
  return answerReversal(workingSet, input, original, amount)
}

function voidIt(
  workingSet: WorkingSet,
  input: DecisionInput,
  original: OpenTransaction,
  amount: bigint,
) {
  const event = eventOf(workingSet, input, 'REVERSED', '0000', amount)
  workingSet.change(original, { status: 'VOIDED', cleared_amount: 0n, hold_expires: null }, event)
  workingSet.declineRepeats({ transaction_id: original.row.id, amount })
  return answerReversal(workingSet, input, original, amount)
}

const answerReversal = (
  workingSet: WorkingSet,
  input: DecisionInput,
  { row }: OpenTransaction,
  amount: bigint,
) => answerOf(workingSet, input, row, { status_code: '0000', approved: true, amount })
