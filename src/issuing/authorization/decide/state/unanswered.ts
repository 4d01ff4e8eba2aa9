/** Approvals whose answer the network never got, and the reversals of them (D-301). */

import type { TransactionRow } from '#issuing/transactions/rules.ts'
import type { AuthorizationAnswer, AuthorizationRequest } from '../../schema.ts'
import { unsentKey } from './message_keys.ts'
import { isRequest } from './undone.ts'

/** An answer of an approved request that certainly never left. */
export type Unanswered = {
  /** The duplicate key of the request. */
  message_key: string
  /** Which of its answers it was: 1 for the first, others are of repeats. */
  answer_number: number
  transaction_id: string
  processing_code: string
  /** The approved amount, minor units of the transaction's currency. */
  amount: bigint
}

/**
 * A hold or posting is there to be reversed. A noted advice or presentment (D-316) counts as
 * repeated without a number of its own, and has nothing.
 */
export const isReversible = (
  { message_type }: Pick<AuthorizationRequest, 'message_type'>,
  { approved, amount, repeated, answer_number }: AuthorizationAnswer,
): boolean =>
  approved && (!repeated || answer_number !== undefined) && amount > 0n && isRequest(message_type)

/** The approval that the network never got; undefined for a request that has no duplicate key. */
export function unansweredOf(
  { duplicate_key, processing_code }: AuthorizationRequest,
  { transaction_id, amount, answer_number = 1 }: AuthorizationAnswer,
): Unanswered | undefined {
  if (duplicate_key === undefined) return undefined
  return { message_key: duplicate_key, answer_number, transaction_id, processing_code, amount }
}

/**
 * The names of a reversal by the platform and of its original. The key cannot be one of the
 * network's, and stays the same in every try.
 */
export function namesOf({ message_key, answer_number, transaction_id }: Unanswered) {
  const withoutRrn = message_key.slice(0, message_key.lastIndexOf('|'))
  return {
    original: { transaction_id, message_key: withoutRrn },
    duplicate_key: unsentKey(message_key, answer_number),
  }
}

/** The reversal of an approval, made from its transaction: no card number is stored for it. */
export function reversalOf(row: TransactionRow, one: Unanswered): AuthorizationRequest {
  const { card_id, currency, merchant, pos, rrn, stan } = row
  if (card_id === null) throw new Error(`transaction ${row.id} was approved without a card`)
  const { processing_code, amount } = one
  return {
    message_type: '0420',
    processing_code,
    amount,
    currency,
    merchant,
    pos,
    entry_mode: pos.entry_mode,
    card: { card_id },
    three_ds: 'NONE',
    recurring: false,
    partial_capable: false,
    is_verification: false,
    ...(rrn !== null && { rrn }),
    ...(stan !== null && { stan }),
    ...namesOf(one),
  }
}
