/** The ledger's own terms. Amounts are minor units of the account's currency. */

/** The program's own accounts. */
const programKinds = [
  'FUNDING',
  'EXTERNAL',
  'SETTLEMENT',
  'FEES',
  'FX',
  'DISPUTES',
  'SUSPENSE',
] as const
export type ProgramKind = (typeof programKinds)[number]

/** Kinds of accounts: those of cards, and the program's own. */
export const accountKinds = ['CARD', ...programKinds] as const
export type AccountKind = (typeof accountKinds)[number]

/** The columns of an account that money movements change. Available is `balance - held`. */
export type AccountState = {
  id: string
  balance: bigint
  held: bigint
  /** How far below zero available may be: 0 unless a forced posting took it there. */
  floor: bigint
}

/** The state with the version that was read: a change is written on the same version only. */
export type VersionedAccount = AccountState & { version: bigint }

/** A kept account (CARD or FUNDING). */
export type Account = VersionedAccount & {
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
  /** Made if it is left out. */
  id?: string
  /** Taken whether it is available or not: the account may go below zero. */
  forced?: true
}

/**
 * The effect of movements on an account; minor units. `known` is the version that they were
 * decided on, with the floor after them; without it they need only the funds that they take.
 */
export type AccountChange = {
  id: string
  /** The balance after all movements, less the one before. */
  moved: bigint
  /** The most that the movements take beyond what those before them have added. */
  needed: bigint
  /** The most by which the movements raise the balance in between. */
  raised: bigint
  known: { floor: bigint; version: bigint } | undefined
}

/** The result of a batch, each account once and in its last state. */
export type LedgerWrites = {
  accounts: readonly VersionedAccount[]
  /** JSON of the counts against limits (issuing/limits), by the accounts whose counts change. */
  counters?: ReadonlyMap<string, string>
  transfers: readonly NewTransfer[]
}
