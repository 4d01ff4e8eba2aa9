import { type Static, Type } from 'typebox'
import { accountKinds } from '#issuing/ledger/schema.ts'
import {
  Amount,
  AmountInput,
  AmountOfCurrency,
  Currency,
  Field,
  Instant,
  ListQuery,
  OneOf,
  Strict,
  Uuid,
} from '#kit/http/schema.ts'

export const transactionStatuses = ['PENDING', 'SETTLED', 'VOIDED', 'EXPIRED', 'DECLINED'] as const
export type TransactionStatus = (typeof transactionStatuses)[number]

/**
 * The kind of transaction that a message requests: the first two digits of its processing code
 * (DE3).
 */
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

/** The place of the transaction. */
export const Merchant = Type.Object({
  id: Type.Optional(Type.String({ description: 'Id of the merchant, from DE42.' })),
  name: Type.Optional(Type.String({ description: 'Name of the merchant, from DE43.' })),
  mcc: Type.Optional(Type.String({ description: 'Merchant category code, from DE18.' })),
  city: Type.Optional(Type.String({ description: 'City of the merchant, from DE43.' })),
  country: Type.Optional(Type.String({ description: 'ISO 3166-1 alpha-3 country code.' })),
})
export type Merchant = Static<typeof Merchant>

export const Pos = Type.Object({
  entry_mode: Field('How the card data was read.', OneOf(entryModes)),
  environment: Field(
    'Kind of place of the sale.',
    OneOf(['ATM', 'POS', 'ECOMMERCE', 'MAIL_PHONE', 'UNKNOWN']),
  ),
  terminal_id: Type.Optional(Type.String({ description: 'Id of the terminal, from DE41.' })),
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

/** One change of a transaction. */
export const TransactionEvent = Type.Object({
  type: Field('Kind of event of the transaction.', OneOf(eventTypes)),
  message_type: Type.Optional(
    Type.String({ description: 'ISO 8583 message type; absent if no message caused it.' }),
  ),
  status_code: Type.String({ description: 'Four-digit status code of the decision.' }),
  amount: Field('Amount in major units of the currency of the transaction.', Amount),
  created: Field('Time of the event.', Instant),
})

/** D-46. */
export const Transaction = Type.Object(
  {
    id: Field('Id of the transaction.', Uuid),
    card_id: Type.Optional(Field('Id of the card, if the number is of a known card.', Uuid)),
    account_id: Type.Optional(Field('Id of the account of the card.', Uuid)),
    user_id: Type.Optional(Field('Id of the user that holds the card.', Uuid)),
    message_type: Type.String({ description: 'ISO 8583 type of the first message.' }),
    transaction_type: Field('Type by processing code (DE3).', OneOf(transactionTypes)),
    status: Field(
      'PENDING while funds are held. SETTLED once nothing is held and something was posted, ' +
        'VOIDED once all was reversed, EXPIRED once the hold has ended with nothing posted. ' +
        'DECLINED holds and posts nothing.',
      OneOf(transactionStatuses),
    ),
    status_code: Type.String({ description: 'Four-digit status code; 0000 is an approval.' }),
    status_description: Type.String({ description: 'Text of the status code.' }),
    amount: AmountOfCurrency,
    currency: Type.String({
      description: 'Currency of the transaction, ISO 4217; XXX where the message names none.',
    }),
    billing_amount: Type.Optional(Field('Amount in major units of `billing_currency`.', Amount)),
    billing_currency: Type.Optional(
      Type.String({ description: 'ISO 4217 code of the currency of the account.' }),
    ),
    rate: Type.Optional(
      Type.String({
        description:
          'Rate at which the amount was converted: major units of `billing_currency` for one of ' +
          '`currency`. Absent if the two are the same.',
      }),
    ),
    clearing_rate: Type.Optional(
      Type.String({ description: 'Rate at which the last clearing was settled.' }),
    ),
    merchant: Field('Merchant as the message names it.', Merchant),
    pos: Field('Point of sale.', Pos),
    approval_code: Type.Optional(Type.String({ description: 'Approval code (DE38).' })),
    rrn: Type.Optional(Type.String({ description: 'Retrieval reference number (DE37).' })),
    stan: Type.Optional(Type.String({ description: 'System trace audit number (DE11).' })),
    cleared_amount: Field('Amount posted, in major units of the billing currency.', Amount),
    refunded_amount: Field('Amount refunded, in major units of the billing currency.', Amount),
    hold_expires: Type.Optional(Field('Time at which the hold on funds ends.', Instant)),
    reference_transaction_id: Type.Optional(
      Field('Id of the transaction that this one refers to.', Uuid),
    ),
    events: Type.Array(TransactionEvent, { description: 'Changes so far, oldest first.' }),
    created: Field('Time of the first message.', Instant),
    modified: Field('Time of the last change.', Instant),
  },
  { title: 'Transaction' },
)
export type Transaction = Static<typeof Transaction>

/** One check of a decision, with its detail and its verdict (D-45). */
export const TraceEntry = Type.Object({
  check: Type.String({ description: 'Name of the check.' }),
  detail: Type.Optional(Type.String({ description: 'Finding of the check.' })),
  verdict: Field(
    '`refused` where the check declined the message; `skipped` where it was not made, because an ' +
      'earlier check declined; `would_refuse` where a list or limit in SHADOW would have declined.',
    OneOf(['passed', 'refused', 'skipped', 'would_refuse']),
  ),
  status_code: Type.Optional(Type.String({ description: 'Status code of a check that declined.' })),
  control_id: Type.Optional(Field('Id of the list or limit in SHADOW.', Uuid)),
  decisive: Type.Boolean({
    description: 'False for a check after the first that declined: it had no effect.',
  }),
})
export type TraceEntry = Static<typeof TraceEntry>

export const Trace = Type.Object(
  {
    transaction_id: Field('Id of the transaction.', Uuid),
    status_code: Type.String({ description: 'Four-digit status code of the transaction.' }),
    checks: Type.Array(TraceEntry, {
      description: 'Checks in their order, also those after the first that declined.',
    }),
  },
  { title: 'TransactionTrace' },
)

const entrySides = ['DEBIT', 'CREDIT'] as const

const Entry = Type.Object(
  {
    id: Type.String({ description: 'Id of the movement, with its side behind it.' }),
    transfer_id: Field('Id of the movement, which its other side has too.', Uuid),
    kind: Type.String({
      description:
        'Kind of movement: CLEARING, REVERSAL, FX_DIFFERENCE, CHARGE, CHARGE_REVERSAL, one that ' +
        'begins with DISPUTE_, or the type of a transaction that was posted at once.',
    }),
    account_id: Field('Id of the account.', Uuid),
    account_kind: Field('Account of the card, or one of the program.', OneOf(accountKinds)),
    side: Field('DEBIT takes from the account, CREDIT adds to it.', OneOf(entrySides)),
    amount: Field('Amount in major units, above zero.', Amount),
    currency: Type.String({ description: 'ISO 4217 code.' }),
    created: Field('Time of the posting.', Instant),
  },
  { title: 'TransactionEntry' },
)

export const Entries = Type.Object({
  data: Type.Array(Entry, { description: 'Entries, oldest first, the debit before its credit.' }),
})
export type Entries = Static<typeof Entries>

export const TransactionPath = Strict({ id: Field('Id of the transaction.', Uuid) })

export const TransactionQuery = ListQuery({
  card_id: Type.Optional(Field('Lists only transactions of this card.', Uuid)),
  account_id: Type.Optional(Field('Lists only those of the cards of this account.', Uuid)),
  user_id: Type.Optional(Field('Lists only those of the cards of this user.', Uuid)),
  status: Type.Optional(
    Field('Lists only transactions of this status.', OneOf(transactionStatuses)),
  ),
  transaction_type: Type.Optional(
    Field('Lists only transactions of this type.', OneOf(transactionTypes)),
  ),
  status_code: Type.Optional(
    Type.String({ pattern: '^[0-9]{4}$', description: 'Lists only those with this status code.' }),
  ),
  amount: Type.Optional(
    Field('Lists only those of this amount, in major units of their currency.', AmountInput),
  ),
  currency: Type.Optional(Field('Lists only transactions in this currency.', Currency)),
  rrn: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 12,
      description: 'Lists only those of known cards with this retrieval reference (DE37).',
    }),
  ),
  reference_transaction_id: Type.Optional(
    Field('Lists only those that refer to this one, of a known card: refunds of it, say.', Uuid),
  ),
  from: Type.Optional(Field('Time of the earliest transaction to list.', Instant)),
  to: Type.Optional(Field('Lists only transactions before this time.', Instant)),
})
export type TransactionQuery = Static<typeof TransactionQuery>
