/**
 * The messages of one payment may come in any order: what has been advised, presented or reversed
 * before is neither held nor posted again (D-316). They share the card, the type, the currency and
 * the retrieval reference, or name each other by DE90.
 */

import { isTakenBackUnsent, type TransactionRow } from '#issuing/transactions/rules.ts'
import type { AuthorizationAnswer } from '../../schema.ts'
import type { OpenTransaction } from '../checks/evidence.ts'
import type { DecisionInput } from '../decision_input.ts'
import { kindOf } from '../kinds.ts'
import { isOwnReversal } from '../state/message_keys.ts'
import { isRaisedByAdvice } from '../state/undone.ts'
import type { WorkingSet } from '../state/working_set.ts'
import { answerOf, decline, eventOf } from './record.ts'

/** The transactions of the payment of a message. */
export function paymentOf(
  workingSet: WorkingSet,
  { request, card }: DecisionInput,
): OpenTransaction[] {
  const { type } = kindOf(request)
  return (
    workingSet.originals
      .ofPayment(request.original, card?.card_id)
      .filter(({ row }) => row.transaction_type === type && row.currency === request.currency)
      // What the platform took back itself does not bind the network (D-529).
      .filter(({ row }) => !isTakenBackUnsent(row))
  )
}

export const isHonoured = ({ status }: TransactionRow): boolean => status !== 'DECLINED'
const hasBeen = (row: TransactionRow, mti: string): boolean =>
  row.events.some(({ message_type }) => message_type === mti)
/** Its request came after its advice; increments came later still. */
const isRequested = ({ events }: TransactionRow): boolean =>
  events.some(({ type, message_type }) => type === 'AUTHORIZED' && message_type === '0100')
/** Amount of its first message, minor units; partial reversals do not change it. */
const firstAmount = ({ events: [first] }: TransactionRow): bigint => BigInt(first?.amount ?? 0)

/**
 * What an advice, or the presentment of a credit, has already done of this request or of the
 * request that this reversal names, of `amount`. An increment shares the retrieval reference with
 * the request, so only the first request of the same amount is meant.
 */
export function doneFor(
  workingSet: WorkingSet,
  input: DecisionInput,
  amount = input.request.amount,
): OpenTransaction | undefined {
  const { direction } = kindOf(input.request)
  const does = ({ message_type }: TransactionRow) =>
    message_type === '0120' || (direction === 'credit' && message_type === '0220')
  return paymentOf(workingSet, input).find(
    ({ row }) => isHonoured(row) && does(row) && !isRequested(row) && firstAmount(row) === amount,
  )
}

/**
 * The hold that an advice has raised by `amount`, for the increment that this reversal names: one
 * that never came, was declined, or whose approval never left us.
 */
export const raisedFor = (
  workingSet: WorkingSet,
  input: DecisionInput,
  amount: bigint,
): OpenTransaction | undefined =>
  paymentOf(workingSet, input).find(({ row }) => row.held > 0n && isRaisedByAdvice(row, amount))

/** What an advice (0120) is about: the authorization or credit that is there already. */
export function advisedOf(
  workingSet: WorkingSet,
  input: DecisionInput,
): OpenTransaction | undefined {
  const { direction } = kindOf(input.request)
  const payment = paymentOf(workingSet, input).filter(({ row }) => isHonoured(row))
  if (direction === 'credit') {
    // Refunds of one purchase may share its reference: each has one advice.
    return payment.find(
      ({ row }) => !hasBeen(row, '0120') && firstAmount(row) === input.request.amount,
    )
  }
  const authorized = payment.filter(({ row }) => row.message_type !== '0220')
  return (
    authorized.findLast(({ row }) => row.status === 'PENDING') ??
    authorized.findLast(({ row }) => row.status !== 'VOIDED') ??
    authorized.at(-1)
  )
}

/**
 * The reversals by the network that found nothing in force: of requests, or of the completion that
 * DE90 names so.
 */
export const missedReversalsOf = (
  workingSet: WorkingSet,
  input: DecisionInput,
  completion?: string,
): TransactionRow[] =>
  paymentOf(workingSet, input)
    .map(({ row }) => row)
    .filter(
      ({ message_type, status_code, message, asked }) =>
        REVERSALS.has(message_type) &&
        MISSED.has(status_code) &&
        !isOwnReversal(message?.key) &&
        asked?.of_completion === completion,
    )

const REVERSALS: ReadonlySet<string> = new Set(['0400', '0420'])
/**
 * A reversal makes a transaction of its own where it finds nothing, or what was declined or
 * reversed before.
 */
const MISSED: ReadonlySet<string> = new Set(['9114', '9115', '1894'])

/**
 * A message about an existing transaction is added to the transaction's events; nothing moves. Of a
 * reversed one it is recorded as 1894. The answer counts as a repeat: should it not reach the
 * network, it has nothing of its own to reverse.
 */
export function note(
  workingSet: WorkingSet,
  input: DecisionInput,
  open: OpenTransaction,
  fields: Partial<TransactionRow> = {},
): AuthorizationAnswer {
  const { row } = open
  if (row.status === 'VOIDED') {
    return decline(
      workingSet,
      input,
      '1894',
      [['reversal', `${row.id} was reversed`, '1894']],
      open,
    )
  }
  const { amount } = input.request
  const approval_code = row.approval_code ?? input.approval_code
  workingSet.change(open, fields, eventOf(workingSet, input, 'AUTHORIZED', '0000', amount))
  const outcome = { status_code: '0000', approved: true, amount, approval_code }
  return { ...answerOf(workingSet, input, row, outcome), repeated: true }
}
