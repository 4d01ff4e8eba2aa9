/** The contract of accounts, transfers and program funding (D-35, D-100, D-111). */

import { type Static, Type } from 'typebox'
import {
  Amount,
  AmountInput,
  Currency,
  Field,
  Instant,
  ListOf,
  ListQuery,
  Note,
  OneOf,
  Strict,
  Uuid,
} from '#kit/http/schema.ts'

export const AccountStatus = OneOf(['ACTIVE', 'INACTIVE', 'SUSPENDED'])
export type AccountStatus = Static<typeof AccountStatus>

export const AccountPath = Strict({ id: Field('Id of the account.', Uuid) })
export const CardPath = Strict({ id: Field('Id of the card.', Uuid) })
export const TenantPath = Strict({ id: Field('Id of the tenant.', Uuid) })

const AccountCurrency = Field('ISO 4217 code of the currency of the account.', Currency)
const AmountMoved = Field('Amount that was moved, in major units.', Amount)
const AmountToMove = Field('Amount to move, in major units and above zero.', AmountInput)
const CurrencyMoved = Field('ISO 4217 code of the currency of the amount.', Currency)
const MoneyCurrency = Field('ISO 4217 code; must be the currency of the account.', Currency)
const DryRun = Type.Boolean({ description: 'Whether the call checks only and moves nothing.' })
const DryRunInput = Type.Optional(
  Type.Boolean({ description: 'Checks only and moves nothing; false by default.' }),
)
const Notes = Type.Optional(Field('Note of the client about the movement.', Note))
const TransferId = Type.Optional(Field('Id of the movement; absent in a dry run.', Uuid))
const Sender = Field('Id of the account that the money leaves.', Uuid)
const Recipient = Field('Id of the account that receives the money.', Uuid)

export const AccountAnswer = Type.Object(
  {
    id: Field('Id of the account.', Uuid),
    user_id: Type.Optional(Field('Id of the user that owns the account, if any.', Uuid)),
    card_ids: Type.Array(Uuid, { description: 'Ids of the cards that spend from the account.' }),
    currency: AccountCurrency,
    balance: Field('Sum of all posted entries, in major units.', Amount),
    available_balance: Field('Balance less the held amount, in major units.', Amount),
    held_amount: Field('Sum of the open holds of card transactions, in major units.', Amount),
    status: Field(
      'Only an ACTIVE account is loaded, unloaded or part of a transfer.',
      AccountStatus,
    ),
    default_account: Type.Boolean({
      description: 'Whether it is the first account of the user in its currency.',
    }),
    created: Field('Time of creation.', Instant),
    modified: Field('Time of the last change.', Instant),
  },
  { title: 'Account' },
)

export const AccountList = ListOf(AccountAnswer)
export const AccountsQuery = ListQuery({
  user_id: Type.Optional(Field('Lists only the accounts of this user.', Uuid)),
  card_id: Type.Optional(Field('Lists only the account of this card.', Uuid)),
})
export type AccountsQuery = Static<typeof AccountsQuery>
export const AccountsOfCardQuery = ListQuery({})
export type AccountsOfCardQuery = Static<typeof AccountsOfCardQuery>

export const FundsInput = Strict({
  currency: MoneyCurrency,
  amount: AmountToMove,
  dry_run: DryRunInput,
  notes: Notes,
})
export type FundsInput = Static<typeof FundsInput>

/** A movement between an account and program funding; a dry run has no transfer id. */
export const FundsAnswer = Type.Object(
  {
    transfer_id: TransferId,
    amount: AmountMoved,
    currency: CurrencyMoved,
    dry_run: DryRun,
    notes: Notes,
    account: AccountAnswer,
  },
  { title: 'FundsMovement' },
)

export const AccountStatusChange = Strict({
  status: Field('New status, other than the present one.', AccountStatus),
  notes: Type.Optional(Field('Reason of the change, sent in ACCOUNT_STATUS_CHANGE.', Note)),
})
export type AccountStatusChange = Static<typeof AccountStatusChange>

export const TransferInput = Strict({
  sender_account_id: Sender,
  recipient_account_id: Recipient,
  amount: AmountToMove,
  currency: Field('ISO 4217 code; must be the currency of both accounts.', Currency),
  notes: Notes,
  dry_run: DryRunInput,
})
export type TransferInput = Static<typeof TransferInput>

export const TransferAnswer = Type.Object(
  {
    transfer_id: TransferId,
    sender_account_id: Sender,
    recipient_account_id: Recipient,
    amount: AmountMoved,
    currency: CurrencyMoved,
    dry_run: DryRun,
    notes: Notes,
    sender_account: AccountAnswer,
    recipient_account: AccountAnswer,
  },
  { title: 'Transfer' },
)

/** The cause of a movement: a call of a client, or a card transaction of this type. */
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
  'CHARGE',
  'CHARGE_REVERSAL',
  'DISPUTE_CREDIT',
  'DISPUTE_CREDIT_REVERSAL',
  'ADJUSTMENT',
] as const
export type EntryType = (typeof entryTypes)[number]

const EntryMerchant = Type.Object(
  {
    id: Type.Optional(Type.String({ description: 'Id of the merchant, from DE42.' })),
    name: Type.Optional(Type.String({ description: 'Name of the merchant, from DE43.' })),
    mcc: Type.Optional(Type.String({ description: 'Merchant category code, from DE18.' })),
    city: Type.Optional(Type.String({ description: 'City of the merchant, from DE43.' })),
    country: Type.Optional(Type.String({ description: 'ISO 3166-1 alpha-3 country code.' })),
  },
  { description: 'Merchant of the card transaction.' },
)
export type EntryMerchant = Static<typeof EntryMerchant>

/** One posted entry. */
export const AccountEntry = Type.Object(
  {
    id: Field('Id of the entry.', Uuid),
    type: Field(
      'Kind of movement: a call of a client, or the type of a card transaction.',
      OneOf(entryTypes),
    ),
    amount: Field('Amount in major units, below zero if money left the account.', Amount),
    currency: AccountCurrency,
    balance: Field('Balance of the account after the entry, in major units.', Amount),
    transaction_id: Type.Optional(Field('Id of the card transaction, if any.', Uuid)),
    card_id: Type.Optional(Field('Id of the card of that transaction.', Uuid)),
    merchant: Type.Optional(EntryMerchant),
    notes: Type.Optional(Field('Note of the client about the movement.', Note)),
    created: Field('Time of the posting.', Instant),
  },
  { title: 'AccountEntry' },
)
export const AccountEntryList = ListOf(AccountEntry)
export const StatementQuery = ListQuery({
  from: Type.Optional(Field('Time of the earliest entry to list.', Instant)),
  to: Type.Optional(Field('Lists only entries before this time.', Instant)),
})
export type StatementQuery = Static<typeof StatementQuery>

export const FundingInput = Strict({
  currency: Type.Optional(
    Field('ISO 4217 code; by default the default currency of the tenant.', Currency),
  ),
  amount: Field('Amount to add, in major units and above zero.', AmountInput),
})
export type FundingInput = Static<typeof FundingInput>

const funding = {
  account_id: Field('Id of the program account.', Uuid),
  currency: AccountCurrency,
  balance: Field('Balance of the account, in major units.', Amount),
}
export const FundingBalance = Type.Object(funding, { title: 'FundingBalance' })
export const FundingList = ListOf(FundingBalance)
/** The tenant's view of its own funding (D-612). */
export const FundingUse = Type.Object(
  {
    ...funding,
    held: Field('Part of the balance that bulk issuances hold, in major units.', Amount),
    drawn: Field('Amount that left the account since `drawn_since`, in major units.', Amount),
    drawn_since: Field(
      'Time 7 days ago, or later where more than 10,000 movements follow.',
      Instant,
    ),
    days_left: Type.Optional(
      Type.Integer({
        description:
          'Whole days that what is not held lasts, if as much leaves it each day as since ' +
          '`drawn_since`; absent if nothing has left it.',
      }),
    ),
  },
  { title: 'FundingUse' },
)
export const FundingUseList = ListOf(FundingUse)
export const LowFunding = Type.Object(
  {
    tenant_id: Field('Id of the tenant.', Uuid),
    tenant_name: Type.String({ description: 'Name of the tenant.' }),
    ...funding,
    available: Field('Balance less what is held, in major units.', Amount),
  },
  { title: 'LowFunding' },
)
export const LowFundingList = ListOf(LowFunding)
export const LowFundingQuery = Strict({
  below: Type.Number({
    minimum: 0,
    maximum: 1e9,
    default: 1_000,
    description: 'Available balance below which an account is listed, in major units.',
  }),
})
/** The tenant's own accounts with the bank, the card network and the fees. */
export const ProgramAccount = Type.Object(
  {
    ...funding,
    kind: Field(
      'FUNDING loads accounts; EXTERNAL is the bank, SETTLEMENT the card network, FX gains and ' +
        'losses of exchange, DISPUTES what the network has given back and cardholders have not, ' +
        'SUSPENSE what it has settled and no account has.',
      OneOf(['FUNDING', 'EXTERNAL', 'SETTLEMENT', 'FEES', 'FX', 'DISPUTES', 'SUSPENSE']),
    ),
  },
  { title: 'ProgramAccount' },
)
export const ProgramAccountList = ListOf(ProgramAccount)
export const FundingAnswer = Type.Object(
  {
    transfer_id: Field('Id of the movement.', Uuid),
    amount: Field('Amount that was added, in major units.', Amount),
    ...funding,
  },
  { title: 'Funding' },
)
