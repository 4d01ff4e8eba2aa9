/** A record of a clearing file as a message to the engine. Pure. */

import type { AuthorizationRequest } from '#issuing/authorization/schema.ts'
import type { Facts } from './facts.ts'

export type Posted = {
  file_id: string
  number: number
  card_id: string
  amount: bigint
  currency: string
  ard: string | null
  facts: Facts
}

/** The key of a record, as DE90 has those of messages: a record is decided once under it. */
const nameOf = (
  { ard, file_id, number }: Pick<Posted, 'ard' | 'file_id' | 'number'>,
  attempt = 'FILE',
): string => `${ard ?? ''}|${file_id}.${number}|${attempt}`

/** A presentment (0220); `original_id` is the authorization that it claims. */
export function presentmentOf(
  record: Posted,
  original_id: string | undefined,
  attempt = 'FILE',
): AuthorizationRequest & { card: { card_id: string } } {
  const { rrn = '' } = record.facts
  return {
    ...messageOf(record),
    message_type: '0220',
    by_file: true,
    duplicate_key: `0220|${nameOf(record, attempt)}|${rrn}`,
    original: {
      ...(original_id !== undefined && { transaction_id: original_id }),
      ...(rrn !== '' && { rrn }),
    },
  }
}

/** The reversal (0420) of the presentment that record `number` of `file_id` was. */
export function reversalOf(
  record: Posted,
  of: Pick<Posted, 'file_id' | 'number'>,
): AuthorizationRequest {
  const { rrn = '' } = record.facts
  return {
    ...messageOf(record),
    message_type: '0420',
    duplicate_key: `0420|${nameOf(record)}|${rrn}`,
    original: {
      message_key: `0220|${nameOf({ ...of, ard: record.ard })}`,
      ...(rrn !== '' && { rrn }),
    },
  }
}

function messageOf({ card_id, amount, currency, facts }: Posted) {
  const { processing_code, merchant, pos, entry_mode, rrn, acquirer_id } = facts
  const { local_time, local_date, billed } = facts
  const billing = billed && { ...billed, amount: BigInt(billed.amount) }
  // An amount that the network bills in the transaction's own currency is the amount itself.
  const isSame = billing?.currency === currency
  return {
    processing_code: processing_code.padEnd(6, '0'),
    card: { card_id },
    amount: isSame ? billing.amount : amount,
    currency,
    merchant,
    pos,
    entry_mode,
    three_ds: 'NONE' as const,
    recurring: false,
    partial_capable: false,
    is_verification: false,
    ...(rrn !== undefined && { rrn }),
    ...(acquirer_id !== undefined && { acquirer_id }),
    ...(local_time !== undefined && { local_time }),
    ...(local_date !== undefined && { local_date }),
    ...(billing && !isSame && { billed: billing }),
  }
}
