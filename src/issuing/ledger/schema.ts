/** The ledger's own terms. Amounts are minor units of the account's currency. */

export type ProgramKind = 'FUNDING' | 'EXTERNAL' | 'SETTLEMENT' | 'FEES'

/** What of an account money movements change. Available is `balance - held`. */
export type AccountState = {
  id: string
  balance: bigint
  held: bigint
  /** How far below zero available may be: 0 unless a forced posting took it there. */
  floor: bigint
}

/** A kept account (CARD or FUNDING) under lock. */
export type Account = AccountState & {
  currency: string
  status: 'ACTIVE' | 'INACTIVE' | 'SUSPENDED'
  user_id: string | null
  card_product_id: string | null
}

/** A kept account with its kind: clients may name CARD accounts only. */
export type KeptAccount = Account & { kind: 'CARD' | 'FUNDING' }

/** A movement that happens now, between two accounts of one currency. */
export type NewTransfer = {
  kind: string
  debit_account_id: string
  credit_account_id: string
  currency: string
  amount: bigint
  transaction_id?: string
  notes?: string
}

/** A pending transfer as it is after a batch; `amount` is what is still held. */
export type HoldState = {
  id: string
  account_id: string
  contra_account_id: string
  currency: string
  amount: bigint
  expires: Date
  is_new: boolean
}

/** What a batch leaves behind, each account and hold once and in its last state. */
export type LedgerWrites = {
  accounts: readonly AccountState[]
  transfers: readonly NewTransfer[]
  holds: readonly HoldState[]
}
