/**
 * The messages of one payment may come in any order. An amount that was advised, presented or
 * reversed before is neither held nor posted again (D-316). The messages share the card, the type,
 * the currency and the retrieval reference, or name each other by DE90.
 */

import {
  approvalsOf,
  FUEL_MCC,
  isTakenBackUnsent,
  type StoredEvent,
  type TransactionRow,
} from '#issuing/transactions/rules.ts'
import type { AuthorizationAnswer } from '../../schema.ts'
import type { Case } from '../case.ts'
import { isDebit } from '../kinds.ts'
import type { OpenTransaction } from '../rows.ts'
import { isNamedBy, isOwnReversal } from '../state/message_keys.ts'
import type { WorkingSet } from '../state/working_set.ts'
import { answerOf, decline, eventOf } from './record.ts'

/** The transactions of the payment of a message. */
export function paymentOf(
  workingSet: WorkingSet,
  { request, kind: { type }, card }: Case,
): OpenTransaction[] {
  return (
    workingSet.originals
      .ofPayment(request.original, card?.card_id)
      .filter(({ row }) => row.transaction_type === type && row.currency === request.currency)
      // A reversal by the platform itself does not bind the network (D-529).
      .filter(({ row }) => !isTakenBackUnsent(row))
  )
}

/**
 * Whether an approval with the code of the message may be meant by it: one of its kind and
 * currency, and of its amount or its acceptor (D-1035).
 */
export const isAlike =
  ({ request: { amount, currency, merchant }, kind: { type } }: Case) =>
  (row: TransactionRow): boolean =>
    isHonoured(row) &&
    row.message_type !== '0220' &&
    row.transaction_type === type &&
    row.currency === currency &&
    (row.amount === amount || (merchant.id !== undefined && row.merchant.id === merchant.id))

/** Whether the payment is of a fuel pump (D-1036). */
export const isFuel = ({ merchant: { mcc } }: Pick<TransactionRow, 'merchant'>): boolean =>
  mcc === FUEL_MCC

export const isHonoured = ({ status }: TransactionRow): boolean => status !== 'DECLINED'
const hasBeen = (row: TransactionRow, mti: string): boolean =>
  row.events.some(({ message_type }) => message_type === mti)
/** Its request came after its advice; increments came later still. */
const isRequested = ({ events }: TransactionRow): boolean =>
  events.some(({ type, message_type }) => type === 'AUTHORIZED' && message_type === '0100')
/** Amount of its first message, minor units; partial reversals do not change it. */
const firstAmount = ({ events: [first] }: TransactionRow): bigint => BigInt(first?.amount ?? 0)

/**
 * The transaction that an advice, or the presentment of a credit, has already made for this request
 * or for the request that this reversal names, of `amount`. An increment shares the retrieval
 * reference with the request, so only the first request of the same amount is meant.
 */
export function doneFor(
  workingSet: WorkingSet,
  input: Case,
  amount = input.request.amount,
): OpenTransaction | undefined {
  const { direction } = input.kind
  const does = (row: TransactionRow) =>
    row.message_type === '0120'
      ? advisedAmounts(row).includes(amount)
      : direction === 'credit' && row.message_type === '0220' && firstAmount(row) === amount
  return paymentOf(workingSet, input).find(
    ({ row }) => isHonoured(row) && does(row) && !isRequested(row),
  )
}

/** The amounts of the advices that made or raised the transaction. */
const advisedAmounts = ({ events }: TransactionRow): bigint[] =>
  events.flatMap(({ type, message_type, amount }, at) =>
    message_type === '0120' && (at === 0 || type === 'INCREMENTED') ? BigInt(amount) : [],
  )

/**
 * The hold that an advice has raised by `amount`, for the increment that this reversal names: one
 * that never came, was declined, or whose approval never left us.
 */
export const raisedFor = (
  workingSet: WorkingSet,
  input: Case,
  amount: bigint,
): OpenTransaction | undefined =>
  paymentOf(workingSet, input).find(
    ({ row }) =>
      OPEN.has(row.status) && isDebit(row.transaction_type) && isAdvisedAlone(row, amount),
  )

const OPEN: ReadonlySet<TransactionRow['status']> = new Set(['PENDING', 'SETTLED'])

/** An advice has approved this amount, no request of it came, and no reversal has taken it back. */
function isAdvisedAlone(row: TransactionRow, amount: bigint): boolean {
  const same = ({ amount: of }: StoredEvent) => BigInt(of) === amount
  const requested = row.events.filter(
    (event) => event.type === 'AUTHORIZED' && event.message_type === '0100' && same(event),
  )
  const reversed = row.events.filter(
    ({ type, amount: taken, over = '0', stays, of_completion }) =>
      type === 'REVERSED' &&
      of_completion === undefined &&
      stays === undefined &&
      BigInt(taken) + BigInt(over) === amount,
  )
  const advised = advisedAmounts(row).filter((of) => of === amount)
  return advised.length > requested.length + reversed.length
}

/** The authorization or credit that an advice (0120) is about, if it exists already. */
export function advisedOf(workingSet: WorkingSet, input: Case): OpenTransaction | undefined {
  const { direction } = input.kind
  const payment = paymentOf(workingSet, input).filter(({ row }) => isHonoured(row))
  if (direction === 'credit') {
    // Refunds of one purchase may share its reference: each has one advice.
    return payment.find(
      ({ row }) => !hasBeen(row, '0120') && firstAmount(row) === input.request.amount,
    )
  }
  const authorized = payment.filter(({ row }) => row.message_type !== '0220')
  const isApproved = ({ row }: OpenTransaction) => missingOf(row, input.request.amount) === 0n
  return (
    authorized.findLast((open) => open.row.status === 'PENDING' && isApproved(open)) ??
    authorized.findLast(isApproved) ??
    authorized.findLast(({ row }) => row.status === 'PENDING') ??
    authorized.findLast(({ row }) => row.status !== 'VOIDED')
  )
}

/**
 * Minor units that the network has approved and the transaction does not have: an increment that
 * never came or was taken back, or what our partial approval left out. An advice of an approval
 * that is there has its amount, or that of all of them.
 */
export function missingOf(row: TransactionRow, advised: bigint): bigint {
  const approvals = approvalsOf(row)
  const all = approvals.reduce((sum, amount) => sum + amount, 0n)
  if (approvals.includes(advised) || advised === all) return 0n
  const isOfPartial = row.asked?.amount === String(advised)
  return isOfPartial && advised > row.amount ? advised - row.amount : advised
}

/**
 * The reversals by the network that found nothing in force. They named requests or, with
 * `completion`, the completion that DE90 names so.
 */
export const missedReversalsOf = (
  workingSet: WorkingSet,
  input: Case,
  completion?: string,
): OpenTransaction[] =>
  paymentOf(workingSet, input).filter(
    ({ row: { message_type, status_code, message, asked } }) =>
      REVERSALS.has(message_type) &&
      MISSED.has(status_code) &&
      !isOwnReversal(message?.key) &&
      (completion === undefined
        ? asked?.of_completion === undefined
        : isNamedBy(completion, asked?.of_completion)),
  )

const REVERSALS: ReadonlySet<string> = new Set(['0400', '0420'])
/**
 * A reversal makes a transaction of its own if it finds nothing, or a message that was declined or
 * reversed before.
 */
const MISSED: ReadonlySet<string> = new Set(['9114', '9115', '1894'])

/**
 * A message about an existing transaction is added to the transaction's events; nothing moves. If
 * the transaction was reversed, the message is recorded as 1894. The answer counts as a repeat:
 * should it not reach the network, it has nothing of its own to reverse.
 */
export function note(
  workingSet: WorkingSet,
  input: Case,
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
