import { type Static, Type } from 'typebox'
import { Amount, Instant, ListQuery, OneOf, Uuid } from '#kit/schema.ts'

export const transactionStatuses = ['PENDING', 'SETTLED', 'VOIDED', 'EXPIRED', 'DECLINED'] as const
export type TransactionStatus = (typeof transactionStatuses)[number]

/** What a message asks for, told by the first two digits of its processing code (DE3). */
export const transactionTypes = [
  'PURCHASE',
  'WITHDRAWAL',
  'CASH_BACK',
  'ACCOUNT_FUNDING',
  'QUASI_CASH',
  'CASH_DISBURSEMENT',
  'REFUND',
  'DEPOSIT',
  'LOAD',
  'UNLOAD',
  'ORIGINAL_CREDIT',
  'PAYMENT',
  'BALANCE_INQUIRY',
  'VERIFICATION',
  'TRANSFER',
  'UNKNOWN',
] as const
export type TransactionType = (typeof transactionTypes)[number]

export const entryModes = [
  'CHIP',
  'CONTACTLESS',
  'MAGSTRIPE',
  'FALLBACK',
  'MANUAL',
  'ECOMMERCE',
  'CREDENTIAL_ON_FILE',
  'UNKNOWN',
] as const
export type EntryMode = (typeof entryModes)[number]

/** Where it happened. `country` is ISO 3166 alpha-3. */
export const Merchant = Type.Object({
  id: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  mcc: Type.Optional(Type.String()),
  city: Type.Optional(Type.String()),
  country: Type.Optional(Type.String()),
})
export type Merchant = Static<typeof Merchant>

export const Pos = Type.Object({
  entry_mode: OneOf(entryModes),
  environment: OneOf(['ATM', 'POS', 'ECOMMERCE', 'MAIL_PHONE', 'UNKNOWN']),
  terminal_id: Type.Optional(Type.String()),
})
export type Pos = Static<typeof Pos>

export const eventTypes = [
  'AUTHORIZED',
  'DECLINED',
  'INCREMENTED',
  'REVERSED',
  'CLEARED',
  'REFUNDED',
  'REFUND_REVERSED',
  'RELEASED',
  'EXPIRED',
  'REFUSED',
] as const
export type TransactionEventType = (typeof eventTypes)[number]

/** One thing that happened to a transaction; `amount` in its billing currency. */
export const TransactionEvent = Type.Object({
  type: OneOf(eventTypes),
  message_type: Type.Optional(Type.String()),
  status_code: Type.String(),
  amount: Amount,
  created: Instant,
})

/** D-46. */
export const Transaction = Type.Object(
  {
    id: Uuid,
    card_id: Type.Optional(Uuid),
    account_id: Type.Optional(Uuid),
    user_id: Type.Optional(Uuid),
    message_type: Type.String(),
    transaction_type: OneOf(transactionTypes),
    status: OneOf(transactionStatuses),
    status_code: Type.String(),
    status_description: Type.String(),
    amount: Amount,
    currency: Type.String(),
    billing_amount: Type.Optional(Amount),
    billing_currency: Type.Optional(Type.String()),
    merchant: Merchant,
    pos: Pos,
    approval_code: Type.Optional(Type.String()),
    rrn: Type.Optional(Type.String()),
    stan: Type.Optional(Type.String()),
    cleared_amount: Amount,
    refunded_amount: Amount,
    hold_expires: Type.Optional(Instant),
    reference_transaction_id: Type.Optional(Uuid),
    events: Type.Array(TransactionEvent),
    created: Instant,
    modified: Instant,
  },
  { title: 'Transaction' },
)
export type Transaction = Static<typeof Transaction>

/** One check of a decision: what it looked at, and what it said (D-45). */
export const TraceEntry = Type.Object({
  check: Type.String(),
  detail: Type.Optional(Type.String()),
  verdict: OneOf(['passed', 'refused']),
  status_code: Type.Optional(Type.String()),
})
export type TraceEntry = Static<typeof TraceEntry>

export const Trace = Type.Object(
  { transaction_id: Uuid, status_code: Type.String(), checks: Type.Array(TraceEntry) },
  { title: 'TransactionTrace' },
)

export const TransactionQuery = ListQuery({
  card_id: Type.Optional(Uuid),
  account_id: Type.Optional(Uuid),
  user_id: Type.Optional(Uuid),
  status: Type.Optional(OneOf(transactionStatuses)),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
})
