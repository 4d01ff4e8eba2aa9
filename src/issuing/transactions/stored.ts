/** A transaction between its columns and its `details`, which no query searches (D-400). */

import type {
  Counted,
  Foreign,
  MakingMessage,
  StoredDetails,
  StoredEvent,
  TransactionRow,
} from './rules.ts'
import type { Merchant, Pos, TransactionStatus, TransactionType } from './schema.ts'
import { type PackedTrace, packTrace, unpackTrace } from './usual_checks.ts'

/** Absent members are null in the row. Amounts in minor units, as text. */
type Details = {
  user_id?: string
  message_type: string
  billing_amount?: string
  billing_currency?: string
  foreign?: StoredForeign
  approval_code?: string
  stan?: string
  reference_transaction_id?: string
  merchant: Merchant
  pos: Pos
  events: StoredEvent[]
  trace: PackedTrace
  message?: Omit<MakingMessage, 'key'>
  counted?: readonly Counted[]
  charged?: true
  asked?: StoredDetails
}

/** Amounts in minor units, as text. */
type StoredForeign = Record<'held' | 'cleared' | 'refunded' | 'settled', string> &
  Pick<Foreign, 'rate' | 'clearing_rate' | 'by_scheme'>

export type StoredTransaction = {
  id: string
  card_id: string | null
  account_id: string | null
  transaction_type: TransactionType
  status: TransactionStatus
  status_code: string
  amount: bigint
  currency: string
  held: bigint
  hold_expires: Date | null
  cleared_amount: bigint
  refunded_amount: bigint
  rrn: string | null
  message_key: string | null
  withdrawn: boolean
  created: Date
  details: Details
}

export function readTransaction(stored: StoredTransaction): TransactionRow {
  const { message_key, details, ...columns } = stored
  const { message, billing_amount, ...rest } = details
  const last = rest.events.at(-1)
  return {
    id: columns.id,
    card_id: columns.card_id,
    account_id: columns.account_id,
    user_id: rest.user_id ?? null,
    message_type: rest.message_type,
    transaction_type: columns.transaction_type,
    status: columns.status,
    status_code: columns.status_code,
    amount: columns.amount,
    currency: columns.currency,
    billing_amount: billing_amount === undefined ? null : BigInt(billing_amount),
    billing_currency: rest.billing_currency ?? null,
    foreign: rest.foreign ? readForeign(rest.foreign) : null,
    cleared_amount: columns.cleared_amount,
    refunded_amount: columns.refunded_amount,
    held: columns.held,
    hold_expires: columns.hold_expires,
    approval_code: rest.approval_code ?? null,
    rrn: columns.rrn,
    stan: rest.stan ?? null,
    reference_transaction_id: rest.reference_transaction_id ?? null,
    merchant: rest.merchant,
    pos: rest.pos,
    events: rest.events,
    trace: unpackTrace(rest.trace),
    message: message_key === null || !message ? null : { key: message_key, ...message },
    ...(rest.counted && { counted: rest.counted }),
    ...(rest.charged && { charged: true }),
    ...(rest.asked && { asked: rest.asked }),
    withdrawn: columns.withdrawn,
    created: columns.created,
    modified: last ? new Date(last.created) : columns.created,
  }
}

const readForeign = ({ held, cleared, refunded, settled, ...rates }: StoredForeign): Foreign => ({
  ...rates,
  held: BigInt(held),
  cleared: BigInt(cleared),
  refunded: BigInt(refunded),
  settled: BigInt(settled),
})

const storedForeign = ({ held, cleared, refunded, settled, ...rates }: Foreign): StoredForeign => ({
  ...rates,
  held: String(held),
  cleared: String(cleared),
  refunded: String(refunded),
  settled: String(settled),
})

/** The text of the column `details`. */
export function detailsOf(row: TransactionRow): string {
  const details: Details = {
    message_type: row.message_type,
    merchant: row.merchant,
    pos: row.pos,
    events: row.events,
    trace: packTrace(row.trace),
  }
  if (row.user_id !== null) details.user_id = row.user_id
  if (row.billing_amount !== null) details.billing_amount = String(row.billing_amount)
  if (row.billing_currency !== null) details.billing_currency = row.billing_currency
  if (row.foreign) details.foreign = storedForeign(row.foreign)
  if (row.approval_code !== null) details.approval_code = row.approval_code
  if (row.stan !== null) details.stan = row.stan
  if (row.reference_transaction_id !== null) {
    details.reference_transaction_id = row.reference_transaction_id
  }
  if (row.counted) details.counted = row.counted
  if (row.charged) details.charged = true
  if (row.asked) details.asked = row.asked
  if (row.message) {
    const { fingerprint, answer } = row.message
    details.message = { fingerprint, answer }
  }
  return JSON.stringify(details)
}
