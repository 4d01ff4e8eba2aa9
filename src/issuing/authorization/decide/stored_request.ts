/**
 * A stored decision keeps these facts of its message, so that its checks can be made again (D-483).
 */

import type { StoredDetails, TransactionRow } from '#issuing/transactions/rules.ts'
import { asOf } from '#issuing/transactions/rules.ts'
import { convert } from '#lib/money.ts'
import { Secret } from '#lib/secret.ts'
import type { AuthorizationRequest } from '../schema.ts'
import { processingCodeOf } from './kinds.ts'

const isReversal = ({ message_type }: AuthorizationRequest): boolean =>
  message_type.startsWith('04')

/** Nothing of most messages; `amount` is what was approved. */
export function askedOf(request: AuthorizationRequest, amount: bigint): { asked?: StoredDetails } {
  const { cvv2, pin_block, partial_capable, recurring, three_ds, original } = request
  const { remaining_amount: stays, trace_id } = request
  const { message_key: named = '' } = original ?? {}
  const asked: StoredDetails = {
    ...(cvv2 && { cvv2: true }),
    ...(pin_block && { pin: true }),
    ...(partial_capable && { partial: true }),
    ...(recurring && { recurring: true }),
    ...(three_ds !== 'NONE' && { three_ds }),
    ...(amount !== request.amount && { amount: String(request.amount) }),
    ...(named.startsWith('0220|')
      ? { of_completion: named }
      : isReversal(request) && named !== '' && { of: named }),
    ...(stays !== undefined && { stays: String(stays) }),
    ...(trace_id !== undefined && { trace_id }),
  }
  return Object.keys(asked).length > 0 ? { asked } : {}
}

/** Stands for a proof that is not stored: only checks of its presence may see it. */
const NOT_STORED = new Secret('')

/** The message as far as it is stored: the first, or the increment with this number of an event. */
export function requestOf(row: TransactionRow, sequence = 1): AuthorizationRequest {
  const { asked = {}, merchant, pos, currency, transaction_type: type } = row
  const { cvv2, pin, partial = false, recurring = false, three_ds = 'NONE' } = asked
  const isFirst = sequence === 1
  const approved = BigInt(row.events[sequence - 1]?.amount ?? 0)
  return {
    message_type: row.message_type === '0200' ? '0200' : '0100',
    processing_code: processingCodeOf(type),
    card: { card_id: row.card_id ?? '' },
    amount: isFirst && asked.amount !== undefined ? BigInt(asked.amount) : approved,
    currency,
    merchant,
    pos,
    entry_mode: pos.entry_mode,
    three_ds,
    recurring,
    ...(isFirst && cvv2 && { cvv2: NOT_STORED }),
    ...(isFirst && pin && { pin_block: NOT_STORED }),
    partial_capable: partial,
    is_verification: type === 'VERIFICATION',
  }
}

/** The requested amount in minor units of the account's currency; undefined without a rate. */
export function requestedOf(row: TransactionRow, sequence = 1): bigint | undefined {
  const { billing_amount } = asOf(row, sequence)
  const { asked, currency, billing_currency, foreign } = row
  if (billing_amount === null) return undefined
  if (sequence > 1) return billing_amount - (asOf(row, sequence - 1).billing_amount ?? 0n)
  if (asked?.amount === undefined) return billing_amount
  const amount = BigInt(asked.amount)
  if (!foreign || billing_currency === null) return amount
  return convert(amount, currency, billing_currency, foreign.rate)
}
