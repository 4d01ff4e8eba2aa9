/**
 * The working copy of a batch: what was gathered under lock, changed request by request as each is
 * decided, and then written as it stands. Nothing here touches the world.
 */

import {
  debit,
  forceDebit,
  forceHold,
  placeHold,
  programAccountId,
  releaseHold,
  credit as toCredit,
} from '#issuing/ledger/rules.ts'
import type { AccountState, HoldState, NewTransfer } from '#issuing/ledger/schema.ts'
import type { TenantSettings } from '#issuing/tenants/schema.ts'
import {
  type StoredEvent,
  type StoredTrace,
  stateOf,
  type TransactionRow,
  transactionEvent,
} from '#issuing/transactions/rules.ts'
import type { SequencedEvent } from '#kit/outbox.ts'
import type { AuthorizationAnswer, OriginalReference } from '../schema.ts'
import type { Account, KeptPin, OpenTransaction } from './evidence.ts'
import { declineThese, type Undone } from './undone.ts'

export type NewMessage = {
  key: string
  mti: string
  transaction_id: string | null
  answer: AuthorizationAnswer | null
}

export type Gathered = {
  tenant_id: string
  now: Date
  settings: Pick<TenantSettings, 'hold_days' | 'clearing_hold_days' | 'atm_deposit'>
  accounts: readonly Account[]
  /** By card, of those whose message brings a PIN. */
  pins?: ReadonlyMap<string, KeptPin>
  transactions: readonly OpenTransaction[]
  /** Duplicate keys that were answered before, with the transaction that they made. */
  messages: readonly NewMessage[]
  /** Transactions that DE90 of a message in this batch names, by that name. */
  named: ReadonlyMap<string, string>
}

/** The key under which a reversal waits for an original that has not come yet. */
export const earlyReversalKey = (message_key: string): string => `R|${message_key}`

/** `class|DE11|DE7|DE32|DE37` without the last: how DE90 names its original. */
const withoutRrn = (key: string): string => key.slice(0, key.lastIndexOf('|'))

export class Book {
  readonly tenant_id: string
  readonly now: Date
  readonly settings: Gathered['settings']
  readonly #accounts: Map<string, Account>
  readonly #touched = new Set<string>()
  readonly #pins: Map<string, KeptPin>
  readonly #tried = new Set<string>()
  readonly #transactions = new Map<string, OpenTransaction>()
  readonly #answers = new Map<string, NewMessage>()
  readonly #early = new Set<string>()
  readonly #byMessage = new Map<string, string>()
  readonly #byRrn = new Map<string, OpenTransaction[]>()
  readonly #holds = new Map<string, HoldState>()
  readonly created: { row: TransactionRow; trace: StoredTrace }[] = []
  readonly #new = new Set<OpenTransaction>()
  readonly #changed = new Set<OpenTransaction>()
  readonly transfers: NewTransfer[] = []
  readonly events: SequencedEvent[] = []
  readonly messages: NewMessage[] = []
  /** Requests of before this batch, or of it, that were reversed in full. */
  readonly undone: Undone[] = []

  constructor(gathered: Gathered) {
    const { tenant_id, now, settings, accounts, pins, transactions, messages, named } = gathered
    this.tenant_id = tenant_id
    this.now = now
    this.settings = settings
    this.#accounts = new Map(accounts.map((account) => [account.id, account]))
    this.#pins = new Map(pins)
    for (const message of messages) this.#know(message)
    for (const [key, id] of named) this.#byMessage.set(key, id)
    for (const open of transactions) this.#index(open)
  }

  account(id: string | null): Account | undefined {
    return id === null ? undefined : this.#accounts.get(id)
  }

  /** The card's PIN with the wrong tries up to now; undefined when it has none. */
  pin(card_id: string | undefined): KeptPin | undefined {
    return card_id === undefined ? undefined : this.#pins.get(card_id)
  }

  /** So many wrong PINs in a row there are now. */
  countPin(card_id: string | undefined, failures: number): void {
    const kept = this.pin(card_id)
    if (card_id === undefined || !kept || kept.failures === failures) return
    this.#pins.set(card_id, { ...kept, failures })
    this.#tried.add(card_id)
  }

  transaction(id: string | undefined): TransactionRow | undefined {
    return id === undefined ? undefined : this.#transactions.get(id)?.row
  }

  answerTo(duplicate_key: string | undefined): AuthorizationAnswer | undefined {
    const known = duplicate_key === undefined ? undefined : this.#answers.get(duplicate_key)
    return known?.answer ?? undefined
  }

  wasReversedEarly(duplicate_key: string | undefined): boolean {
    return duplicate_key !== undefined && this.isEarlyReversal(withoutRrn(duplicate_key))
  }

  /** Whether a reversal of that message already waits for it. */
  isEarlyReversal(message_key: string): boolean {
    return this.#early.has(earlyReversalKey(message_key))
  }

  /**
   * The transaction that a message names, of the same card where the card is known. Several may
   * have one retrieval reference: the newest that `fits` is meant, then any that was not declined.
   */
  find(
    original: OriginalReference | undefined,
    card_id: string | undefined,
    fits: (row: TransactionRow) => boolean = () => true,
  ): OpenTransaction | undefined {
    if (!original) return undefined
    const { transaction_id, message_key, rrn, approval_code } = original
    const isMeant = ({ row }: OpenTransaction) =>
      (card_id === undefined || row.card_id === card_id) &&
      (approval_code === undefined ||
        row.approval_code === null ||
        approval_code === row.approval_code)
    const id =
      transaction_id ?? (message_key === undefined ? undefined : this.#byMessage.get(message_key))
    if (id !== undefined) {
      const open = this.#transactions.get(id)
      return open && isMeant(open) ? open : undefined
    }
    if (rrn === undefined) return undefined
    const same = (this.#byRrn.get(`${card_id}|${rrn}`) ?? []).filter(isMeant)
    const honoured = same.filter(({ row }) => row.status !== 'DECLINED')
    return honoured.findLast(({ row }) => fits(row)) ?? honoured.at(-1) ?? same.at(-1)
  }

  /** Adds a new transaction with its first event. */
  open(row: TransactionRow, trace: StoredTrace): OpenTransaction {
    const open: OpenTransaction = { row, held: 0n, hold: 'none' }
    this.created.push({ row, trace })
    this.#new.add(open)
    this.events.push(transactionEvent(row))
    this.#index(open)
    return open
  }

  /** Changes a transaction: what happened is added to its events and reported. */
  change(
    open: OpenTransaction,
    fields: Partial<TransactionRow>,
    event: StoredEvent,
    kind: 'TRANSACTION' | 'EXPIRED_AUTH' = 'TRANSACTION',
  ): void {
    const before = open.row.events.slice(0, -1)
    const last = open.row.events.slice(-1).map((one) => ({ ...one, after: stateOf(open.row) }))
    const events = [...before, ...last, event]
    Object.assign(open.row, fields, { events, modified: this.now })
    if (!this.#new.has(open)) this.#changed.add(open)
    this.events.push(transactionEvent(open.row, kind))
  }

  /** Holds more for a transaction until `expires`; forced where the network has already decided. */
  hold(open: OpenTransaction, amount: bigint, expires: Date, forced = false): void {
    const account = this.#accountOf(open)
    this.#setAccount(forced ? forceHold(account, amount) : placeHold(account, amount))
    this.#setHold(open, account, open.held + amount, expires)
  }

  /** Gives back a part of what is held. */
  release(open: OpenTransaction, amount: bigint): void {
    if (amount === 0n) return
    const account = this.#accountOf(open)
    this.#setAccount(releaseHold(account, amount))
    this.#setHold(open, account, open.held - amount, open.row.hold_expires ?? this.now)
  }

  /** Keeps what is held until another day. */
  keepHold(open: OpenTransaction, expires: Date): void {
    this.#setHold(open, this.#accountOf(open), open.held, expires)
  }

  /** Money leaves the account to the network. */
  post(open: OpenTransaction, amount: bigint, kind: string, forced = false): void {
    const account = this.#accountOf(open)
    this.#setAccount(forced ? forceDebit(account, amount) : debit(account, amount))
    this.#move(kind, account, amount, open.row.id, 'out')
  }

  /** Money comes to the account from the network. */
  credit(open: OpenTransaction, amount: bigint, kind: string): void {
    const account = this.#accountOf(open)
    this.#setAccount(toCredit(account, amount))
    this.#move(kind, account, amount, open.row.id, 'in')
  }

  /** Keeps the answer of a message for its repeats. */
  remember(message: NewMessage): void {
    this.messages.push(message)
    this.#know(message)
  }

  /** Requests were reversed in full: their repeats are declined from now on (D-302). */
  declineRepeats(undone: Undone): void {
    this.undone.push(undone)
    declineThese(this.#answers.values(), undone)
  }

  get pinFailures(): { card_id: string; failures: number }[] {
    return [...this.#tried].map((card_id) => ({
      card_id,
      failures: this.#pins.get(card_id)?.failures ?? 0,
    }))
  }

  get changed(): TransactionRow[] {
    return [...this.#changed].map(({ row }) => row)
  }

  get accountStates(): AccountState[] {
    return [...this.#touched].flatMap((id) => this.#accounts.get(id) ?? [])
  }

  get holdStates(): HoldState[] {
    return [...this.#holds.values()]
  }

  #know(message: NewMessage): void {
    const { key, transaction_id, answer } = message
    if (answer) this.#answers.set(key, message)
    else this.#early.add(key)
    if (answer && transaction_id !== null) this.#byMessage.set(withoutRrn(key), transaction_id)
  }

  #index(open: OpenTransaction): void {
    const { id, card_id, rrn } = open.row
    this.#transactions.set(id, open)
    if (rrn === null || card_id === null) return
    const key = `${card_id}|${rrn}`
    this.#byRrn.set(key, [...(this.#byRrn.get(key) ?? []), open])
  }

  #accountOf({ row }: OpenTransaction): Account {
    const account = this.account(row.account_id)
    if (!account) throw new Error(`the account of transaction ${row.id} was not locked`)
    return account
  }

  #setAccount(state: AccountState): void {
    const before = this.#accounts.get(state.id)
    if (!before) throw new Error(`account ${state.id} was not locked`)
    this.#accounts.set(state.id, { ...before, ...state })
    this.#touched.add(state.id)
  }

  #setHold(open: OpenTransaction, account: Account, amount: bigint, expires: Date): void {
    const is_new = open.hold !== 'stored'
    open.hold = is_new ? 'new' : 'stored'
    open.held = amount
    this.#holds.set(open.row.id, {
      id: open.row.id,
      account_id: account.id,
      contra_account_id: this.#settlement(account),
      currency: account.currency,
      amount,
      expires,
      is_new,
    })
  }

  #move(kind: string, account: Account, amount: bigint, id: string, way: 'in' | 'out'): void {
    const settlement = this.#settlement(account)
    const [debit_account_id, credit_account_id] =
      way === 'out' ? [account.id, settlement] : [settlement, account.id]
    const accounts = { debit_account_id, credit_account_id, currency: account.currency }
    this.transfers.push({ kind, ...accounts, amount, transaction_id: id })
  }

  #settlement({ currency }: Account): string {
    return programAccountId(this.tenant_id, 'SETTLEMENT', currency)
  }
}
