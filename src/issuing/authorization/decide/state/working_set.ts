/**
 * The working copy of a batch: the gathered rows, changed request by request as each is decided,
 * and then written. Nothing here does I/O.
 */

import type { ObjectEvent } from '#events/outbox.ts'
import {
  debit,
  forceDebit,
  forceHold,
  placeHold,
  releaseHold,
  credit as toCredit,
} from '#issuing/ledger/rules.ts'
import type { Account, AccountState, NewTransfer } from '#issuing/ledger/schema.ts'
import type { ShadowDecision } from '#issuing/shadows/rules.ts'
import {
  heldOf,
  type StoredEvent,
  stateOf,
  type TransactionRow,
  transactionEvent,
} from '#issuing/transactions/rules.ts'
import type { KeptPin } from '#issuing/vault/schema.ts'
import { localTime } from '#lib/window.ts'
import type { AuthorizationAnswer } from '../../schema.ts'
import { BatchCharges } from '../charges/batch_charges.ts'
import { exchangeOf, postingOf } from '../money/postings.ts'
import type { OpenTransaction, Part } from '../rows.ts'
import { Chips } from './chips.ts'
import type { Counters } from './counters.ts'
import type { Gathered, NewMessage, ReadCards } from './gathered.ts'
import { DecisionChanges, InvariantViolated } from './invariants.ts'
import { LimitsInForce } from './limits_in_force.ts'
import { type Answered, countAnswers, earlyReversalsOf } from './message_keys.ts'
import { Originals } from './originals.ts'
import { makingAnswer, makingMessage } from './repeats.ts'
import { Tries } from './tries.ts'
import { declineThese, isUndone, type Undone } from './undone.ts'
import { UnlinkedCredits } from './unlinked_credits.ts'

export class WorkingSet {
  readonly tenant_id: string
  readonly now: Date
  readonly settings: Gathered['settings']
  readonly read: ReadCards
  readonly tries: Tries
  readonly #accounts: Map<string, Account>
  readonly #touched = new Set<string>()
  readonly #pins: Map<string, KeptPin>
  /** The earlier count of wrong PINs, for each card whose PIN was tried. */
  readonly #tried = new Map<string, number>()
  readonly originals = new Originals()
  readonly unlinked: UnlinkedCredits
  readonly limits: LimitsInForce
  readonly counters: Counters
  readonly rates: ReadonlyMap<string, string>
  readonly chips: Chips
  #local_time: string | undefined
  readonly #stored = new Map<string, NewMessage>()
  /** The keys that this batch stores. */
  readonly #keys = new Set<string>()
  #decision = { changes: new DecisionChanges(), transfers: 0 }
  readonly created: TransactionRow[] = []
  readonly #changed = new Set<OpenTransaction>()
  readonly transfers: NewTransfer[] = []
  readonly charges = new BatchCharges()
  readonly events: ObjectEvent[] = []
  readonly messages: NewMessage[] = []
  /** Messages that are stored with the transactions that they made. */
  readonly making: NewMessage[] = []
  /** Requests of before this batch, or of it, that were reversed in full. */
  readonly undone: Undone[] = []
  /** The lists and limits in SHADOW that would have declined (D-481). */
  readonly shadows: ShadowDecision[] = []

  constructor(gathered: Gathered) {
    const { tenant_id, now, settings, accounts, pins, transactions, messages, named } = gathered
    this.unlinked = new UnlinkedCredits(settings.time_zone, gathered.credited ?? [])
    this.rates = gathered.rates ?? new Map()
    this.chips = new Chips(gathered.chips ?? [])
    this.tenant_id = tenant_id
    this.now = now
    this.settings = settings
    this.read = gathered
    this.tries = new Tries(gathered.tries ?? [])
    this.#accounts = new Map(accounts.map((account) => [account.id, account]))
    this.limits = new LimitsInForce(gathered, this.#accounts)
    this.counters = this.limits.counters
    this.#pins = new Map(pins)
    for (const message of messages) this.#know(message)
    for (const [key, id] of named) this.originals.name(key, id)
    for (const open of transactions) this.originals.add(open)
  }

  /** The tenant's local time of the batch, hh:mm:ss. */
  readonly localTime = (): string => {
    this.#local_time ??= localTime(this.now, this.settings.time_zone)
    return this.#local_time
  }

  /** The decision of a message begins. */
  begin(): void {
    this.#decision = { changes: new DecisionChanges(), transfers: this.transfers.length }
  }

  /** Fails with InvariantViolated if the decision does not add up. */
  assertSound(): void {
    const { changes, transfers } = this.#decision
    changes.assertSound((id) => this.#accounts.get(id), this.transfers.slice(transfers))
  }

  account(id: string | null): Account | undefined {
    return id === null ? undefined : this.#accounts.get(id)
  }

  /** The card's PIN with the wrong tries up to now; undefined when it has none. */
  pin(card_id: string | undefined): KeptPin | undefined {
    return card_id === undefined ? undefined : this.#pins.get(card_id)
  }

  /** Sets the number of wrong PINs in a row. */
  countPin(card_id: string | undefined, failures: number): void {
    const kept = this.pin(card_id)
    if (card_id === undefined || !kept || kept.failures === failures) return
    this.#pins.set(card_id, { ...kept, failures })
    if (!this.#tried.has(card_id)) this.#tried.set(card_id, kept.failures)
  }

  transaction(id: string | undefined): TransactionRow | undefined {
    return this.originals.get(id)?.row
  }

  /** The earlier answer under this key. */
  stored(duplicate_key: string | undefined): NewMessage | undefined {
    return duplicate_key === undefined ? undefined : this.#stored.get(duplicate_key)
  }

  answered(duplicate_key: string): Answered {
    return countAnswers(duplicate_key, (key) => this.#stored.has(key))
  }

  /** Whether the reversal of a message of this card and key came before it. */
  wasReversedEarly(duplicate_key: string | undefined, card_id: string | undefined): boolean {
    if (duplicate_key === undefined) return false
    return earlyReversalsOf(duplicate_key, card_id).some((key) => this.#stored.has(key))
  }

  /** Adds a new transaction with its first event. */
  open(row: TransactionRow): OpenTransaction {
    const open: OpenTransaction = { row, read_sequence: 0 }
    this.#decision.changes.noteTransaction(open, 0n)
    this.#decision.changes.noteWritten(open)
    this.counters.watch(open, true)
    this.created.push(row)
    this.events.push(transactionEvent(row))
    this.originals.add(open)
    return open
  }

  /** Changes a transaction; the event is added to its events and reported. */
  change(
    open: OpenTransaction,
    fields: Partial<TransactionRow>,
    event: StoredEvent,
    kind: 'TRANSACTION' | 'EXPIRED_AUTH' = 'TRANSACTION',
  ): void {
    this.#watch(open)
    this.#decision.changes.noteWritten(open)
    const before = open.row.events.slice(0, -1)
    const last = open.row.events.slice(-1).map((one) => ({ ...one, after: stateOf(open.row) }))
    const events = [...before, ...last, event]
    Object.assign(open.row, fields, { events, modified: this.now })
    if (open.read_sequence > 0) this.#changed.add(open)
    this.events.push(transactionEvent(open.row, kind))
  }

  /** Holds more for a transaction; forced if the network has already decided. */
  hold(open: OpenTransaction, { amount, billing }: Part, forced = false): void {
    const { row } = open
    this.#watch(open)
    const account = this.#accountOf(row)
    this.#setAccount(forced ? forceHold(account, billing) : placeHold(account, billing))
    setHeld(row, heldOf(row) + amount, row.held + billing)
  }

  /** Gives back a part of the hold. */
  release(open: OpenTransaction, { amount, billing }: Part): void {
    if (amount === 0n) return
    const { row } = open
    this.#watch(open)
    this.#setAccount(releaseHold(this.#accountOf(row), billing))
    setHeld(row, heldOf(row) - amount, row.held - billing)
  }

  /** Money leaves the account to the network. */
  post({ row }: OpenTransaction, amount: bigint, kind: string, forced = false): void {
    const account = this.#accountOf(row)
    this.#setAccount(forced ? forceDebit(account, amount) : debit(account, amount))
    this.transfers.push(...postingOf(this.tenant_id, account, { kind, amount, id: row.id }, 'out'))
  }

  /** A charge for the transaction: taken if the account covers it, else it waits. */
  charge(open: OpenTransaction, wanted: Parameters<BatchCharges['add']>[2]): void {
    const account = this.#accountOf(open.row)
    const after = this.charges.add(open, account, wanted)
    if (!after) return
    this.#decision.changes.noteCharge(account.id, wanted.amount)
    this.#setAccount(after)
  }

  /** Money comes to the account from the network. */
  credit({ row }: OpenTransaction, amount: bigint, kind: string): void {
    const account = this.#accountOf(row)
    this.#setAccount(toCredit(account, amount))
    this.transfers.push(...postingOf(this.tenant_id, account, { kind, amount, id: row.id }, 'in'))
  }

  /**
   * The network gets more or less for a posting than the account paid; the difference is the
   * program's loss or gain (D-457). Minor units; a gain is negative.
   */
  exchange({ row }: OpenTransaction, loss: bigint): void {
    const { currency } = this.#accountOf(row)
    this.transfers.push(...exchangeOf(this.tenant_id, currency, loss, row.id))
  }

  /** Stores the answer of a message for its repeats. */
  remember(message: NewMessage): void {
    this.#take(message.key)
    this.messages.push(message)
    this.#know(message)
  }

  /** Stores the answer of a message in the row of the transaction that it made. */
  rememberMaking(message: NewMessage & { answer: AuthorizationAnswer; fingerprint: string }): void {
    const { key, answer, fingerprint } = message
    this.#take(key)
    const made = this.originals.get(answer.transaction_id)
    if (!made) throw new Error(`transaction ${answer.transaction_id} was not made`)
    made.row.message = { key, fingerprint, answer: makingAnswer(answer) }
    this.#know(message)
    this.making.push(message)
  }

  /** Requests were reversed in full: their repeats are declined from now on (D-302). */
  declineRepeats(undone: Undone): void {
    this.undone.push(undone)
    const reversed = this.originals.get(undone.transaction_id)
    const making = reversed && makingMessage(reversed.row)
    if (making && isUndone(making, making.answer, undone)) reversed.row.withdrawn = true
    declineThese(this.#stored.values(), undone)
  }

  /** Writes the account though no money moves, because counting changes it. */
  touch(account_id: string | null | undefined): void {
    if (account_id && this.#accounts.has(account_id)) this.#touched.add(account_id)
  }

  get pinFailures(): { card_id: string; failures: number; read: number }[] {
    return [...this.#tried].map(([card_id, read]) => ({
      card_id,
      read,
      failures: this.#pins.get(card_id)?.failures ?? 0,
    }))
  }

  get changed(): OpenTransaction[] {
    return [...this.#changed]
  }

  /** The accounts that were read and stay as they are. */
  get unchangedAccounts(): Account[] {
    return [...this.#accounts.values()].filter(({ id }) => !this.#isChanged(id))
  }

  get changedAccounts(): Account[] {
    return [...this.#accounts.values()].filter(({ id }) => this.#isChanged(id))
  }

  /** The counts against limits on an account are in its row. */
  #isChanged(id: string): boolean {
    return this.#touched.has(id) || this.counters.hasChanged(id)
  }

  #watch(open: OpenTransaction): void {
    this.#decision.changes.noteTransaction(open)
    this.counters.watch(open)
  }

  /** One row a key. */
  #take(key: string): void {
    if (this.#keys.has(key)) throw new InvariantViolated('a key is stored twice')
    this.#keys.add(key)
  }

  #know(message: NewMessage): void {
    const { key, transaction_id, answer } = message
    this.#stored.set(key, message)
    if (answer && transaction_id !== null) this.originals.name(key, transaction_id)
  }

  #accountOf(row: TransactionRow): Account {
    const account = this.account(row.account_id)
    if (!account) throw new Error(`the account of transaction ${row.id} was not read`)
    return account
  }

  #setAccount(state: AccountState): void {
    const before = this.#accounts.get(state.id)
    if (!before) throw new Error(`account ${state.id} was not read`)
    this.#decision.changes.noteAccount(before)
    this.#accounts.set(state.id, { ...before, ...state })
    this.#touched.add(state.id)
    this.limits.touch(before)
  }
}

/** Nothing is held of a transaction whose hold has come to nothing in the account's currency. */
function setHeld(row: TransactionRow, amount: bigint, billing: bigint): void {
  row.held = billing
  if (row.foreign) row.foreign = { ...row.foreign, held: billing === 0n ? 0n : amount }
}
