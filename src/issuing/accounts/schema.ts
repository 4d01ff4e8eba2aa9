/** The contract of accounts, transfers and program funding (D-35, D-100, D-111). */

import { type Static, Type } from 'typebox'
import {
  Amount,
  AmountInput,
  Currency,
  Instant,
  ListOf,
  ListQuery,
  Note,
  OneOf,
  Strict,
  Uuid,
} from '#kit/schema.ts'

export const AccountStatus = OneOf(['ACTIVE', 'INACTIVE', 'SUSPENDED'])
export type AccountStatus = Static<typeof AccountStatus>

export const AccountAnswer = Type.Object(
  {
    id: Uuid,
    user_id: Type.Optional(Uuid),
    card_ids: Type.Array(Uuid),
    currency: Currency,
    balance: Amount,
    available_balance: Amount,
    held_amount: Amount,
    status: AccountStatus,
    default_account: Type.Boolean(),
    created: Instant,
    modified: Instant,
  },
  { title: 'Account' },
)

export const AccountList = ListOf(AccountAnswer)
export const AccountsQuery = ListQuery({
  user_id: Type.Optional(Uuid),
  card_id: Type.Optional(Uuid),
})
export type AccountsQuery = Static<typeof AccountsQuery>
export const AccountsOfCardQuery = ListQuery({})
export type AccountsOfCardQuery = Static<typeof AccountsOfCardQuery>

export const FundsInput = Strict({
  currency: Currency,
  amount: AmountInput,
  dry_run: Type.Optional(Type.Boolean()),
  notes: Type.Optional(Note),
})
export type FundsInput = Static<typeof FundsInput>

/** A movement between an account and program funding; a dry run leaves no transfer to name. */
export const FundsAnswer = Type.Object(
  {
    transfer_id: Type.Optional(Uuid),
    amount: Amount,
    currency: Currency,
    dry_run: Type.Boolean(),
    notes: Type.Optional(Note),
    account: AccountAnswer,
  },
  { title: 'FundsMovement' },
)

export const AccountStatusChange = Strict({ status: AccountStatus, notes: Type.Optional(Note) })
export type AccountStatusChange = Static<typeof AccountStatusChange>

export const TransferInput = Strict({
  sender_account_id: Uuid,
  recipient_account_id: Uuid,
  amount: AmountInput,
  currency: Currency,
  notes: Type.Optional(Note),
  dry_run: Type.Optional(Type.Boolean()),
})
export type TransferInput = Static<typeof TransferInput>

export const TransferAnswer = Type.Object(
  {
    transfer_id: Type.Optional(Uuid),
    sender_account_id: Uuid,
    recipient_account_id: Uuid,
    amount: Amount,
    currency: Currency,
    dry_run: Type.Boolean(),
    notes: Type.Optional(Note),
    sender_account: AccountAnswer,
    recipient_account: AccountAnswer,
  },
  { title: 'Transfer' },
)

/** What moved the money: at a client's word, or by a card transaction of this type. */
export const entryTypes = [
  'LOAD',
  'UNLOAD',
  'TRANSFER',
  'PURCHASE',
  'WITHDRAWAL',
  'CASH_BACK',
  'ACCOUNT_FUNDING',
  'QUASI_CASH',
  'CASH_DISBURSEMENT',
  'REFUND',
  'DEPOSIT',
  'ORIGINAL_CREDIT',
  'PAYMENT',
  'REVERSAL',
  'ADJUSTMENT',
] as const
export type EntryType = (typeof entryTypes)[number]

const EntryMerchant = Type.Object({
  id: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  mcc: Type.Optional(Type.String()),
  city: Type.Optional(Type.String()),
  country: Type.Optional(Type.String()),
})
export type EntryMerchant = Static<typeof EntryMerchant>

/** One posted entry; `amount` is below zero where money left, `balance` is what it left behind. */
export const AccountEntry = Type.Object(
  {
    id: Uuid,
    type: OneOf(entryTypes),
    amount: Amount,
    currency: Currency,
    balance: Amount,
    transaction_id: Type.Optional(Uuid),
    card_id: Type.Optional(Uuid),
    merchant: Type.Optional(EntryMerchant),
    notes: Type.Optional(Note),
    created: Instant,
  },
  { title: 'AccountEntry' },
)
export const AccountEntryList = ListOf(AccountEntry)
export const StatementQuery = ListQuery({
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
})
export type StatementQuery = Static<typeof StatementQuery>

/** Without a currency it is the tenant's `default_currency`. */
export const FundingInput = Strict({ currency: Type.Optional(Currency), amount: AmountInput })
export type FundingInput = Static<typeof FundingInput>

const funding = { account_id: Uuid, currency: Currency, balance: Amount }
export const FundingBalance = Type.Object(funding, { title: 'FundingBalance' })
export const FundingList = ListOf(FundingBalance)
/** The program's own accounts: what the bank, the card network and the fees stand at. */
export const ProgramAccount = Type.Object(
  { ...funding, kind: OneOf(['FUNDING', 'EXTERNAL', 'SETTLEMENT', 'FEES']) },
  { title: 'ProgramAccount' },
)
export const ProgramAccountList = ListOf(ProgramAccount)
export const FundingAnswer = Type.Object(
  { transfer_id: Uuid, amount: Amount, ...funding },
  { title: 'Funding' },
)
