/** Requests that were reversed in full: the answers to their repeats from then on (D-302). */

import type { TransactionRow } from '#issuing/transactions/rules.ts'
import type { AuthorizationAnswer } from '../../schema.ts'

/** Which requests of a transaction were reversed. */
export type Undone = {
  transaction_id: string
  /**
   * `class|DE11|DE7|DE32` of the one request that was reversed; undefined if the reversal left
   * nothing of the whole transaction.
   */
  message_key?: string
  /** The amount taken back, minor units: a request for more was reversed in part only. */
  amount: bigint
}

/** The members that change in the answer of a request that was reversed. */
export const DECLINED = { status_code: '1894', approved: false, amount: 0n } as const

/** Only the answers of requests change. */
export const isRequest = (mti: string): boolean => mti === '0100' || mti === '0200'

/** Several requests or advices made its hold: each may be reversed by itself. */
export const isRaised = ({ events }: TransactionRow): boolean =>
  events.some(({ type }) => type === 'INCREMENTED')

/**
 * An advice has raised the hold by this amount, minor units, and no reversal has taken it back. The
 * platform takes back what it approved itself.
 */
export function isRaisedByAdvice({ events }: TransactionRow, amount: bigint): boolean {
  const ofAmount = events.filter((event) => BigInt(event.amount) === amount)
  const raised = ofAmount.findLastIndex(
    ({ type, message_type }) => type === 'INCREMENTED' && message_type === '0120',
  )
  const reversed = ofAmount
    .slice(raised)
    .filter((event) => event.type === 'REVERSED' && !event.stays && !event.of_completion)
    .filter(({ unsent }) => !unsent)
  return raised >= 0 && reversed.length === 0
}

/**
 * The amount that a reversal which found nothing leaves of the message it names (DE95), minor
 * units.
 */
export const staysOf = ({ asked }: TransactionRow): bigint => BigInt(asked?.stays ?? 0)

/** A part of the payment stays, so it was approved: nothing that is presented of it is declined. */
export const isOfPart = (row: TransactionRow): boolean =>
  row.status === 'DECLINED' && row.message_type.startsWith('04') && staysOf(row) > 0n

type Stored = { key: string; mti: string; answer: AuthorizationAnswer | null }

/** Changes the answers of requests that were reversed. The answer of an advice stays accepted. */
export function declineThese(messages: Iterable<Stored>, undone: Undone): void {
  for (const message of messages) {
    if (!message.answer || !isUndone(message, message.answer, undone)) continue
    const { approval_code: _withdrawn, emv: _approved, ...rest } = message.answer
    message.answer = { ...rest, ...DECLINED }
  }
}

export function isUndone(
  { key, mti }: Stored,
  answer: AuthorizationAnswer,
  { transaction_id, message_key, amount }: Undone,
): boolean {
  if (!answer.approved || !isRequest(mti) || answer.transaction_id !== transaction_id) {
    return false
  }
  return message_key === undefined || (key.startsWith(`${message_key}|`) && answer.amount <= amount)
}
