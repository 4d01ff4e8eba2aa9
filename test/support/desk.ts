/**
 * A small issuer without a database, for the rules of authorization: each batch is decided on what
 * those before it left, and what it writes is held to the constraints of the tables.
 */

import assert from 'node:assert/strict'
import type { ObjectEvent } from '#events/outbox.ts'
import { NO_LISTS } from '#issuing/authorization/decide/checks/lists.ts'
import { decide } from '#issuing/authorization/decide/decide.ts'
import { kindOf } from '#issuing/authorization/decide/kinds.ts'
import { liveCase } from '#issuing/authorization/decide/make_case.ts'
import { expire } from '#issuing/authorization/decide/messages/expire.ts'
import type {
  Card,
  HeldCard,
  OpenTransaction,
  Product,
} from '#issuing/authorization/decide/rows.ts'
import {
  type Gathered,
  type NewMessage,
  NO_CARDS,
} from '#issuing/authorization/decide/state/gathered.ts'
import { makingMessage } from '#issuing/authorization/decide/state/repeats.ts'
import type { CardTries } from '#issuing/authorization/decide/state/tries.ts'
import type { Unanswered } from '#issuing/authorization/decide/state/unanswered.ts'
import { declineThese } from '#issuing/authorization/decide/state/undone.ts'
import type { CardDay } from '#issuing/authorization/decide/state/unlinked_credits.ts'
import { WorkingSet } from '#issuing/authorization/decide/state/working_set.ts'
import type { AuthorizationAnswer, AuthorizationRequest } from '#issuing/authorization/schema.ts'
import type { Account, NewTransfer } from '#issuing/ledger/schema.ts'
import { type CardLimits, type HolderCounters, laidOver, OF_HOLDER } from '#issuing/limits/rules.ts'
import type { StoredAuthSettings } from '#issuing/products/schema.ts'
import type { TenantSettings } from '#issuing/tenants/schema.ts'
import { mergeSettings } from '#issuing/tenants/tenants.ts'
import type { StoredTrace, TransactionRow } from '#issuing/transactions/rules.ts'
import type { KeptPin, KeySet } from '#issuing/vault/schema.ts'
import { softwareProofs } from '#issuing/vault/software/software.ts'
import { Secret } from '#lib/secret.ts'
import { addDays } from '#lib/time.ts'

/** The check that declined in a trace; the last check if none did. */
export const refusalIn = (trace: StoredTrace): StoredTrace[number] | undefined =>
  trace.find(([, , code]) => code !== undefined) ?? trace.at(-1)

const idOf = (kind: number, number: number) =>
  `${String(kind).padStart(8, '0')}-0000-7000-8000-${String(number).padStart(12, '0')}`

const CARD = 1
const ACCOUNT = 2
const TRANSACTION = 3

/** A message with what the queue would add to it. */
export type TestMessage = AuthorizationRequest & {
  late?: boolean
  keys?: KeySet
  /** Present for a reversal by the platform. */
  unanswered?: Unanswered
}

/** A card with its product and its holder as one object. */
export type TestCard = Card &
  Product & { user_status: string | null; user_vip: boolean; user_has_mobile: boolean }

export function heldOf(card: TestCard): HeldCard {
  const { user_status: status, user_vip: vip, user_has_mobile: has_mobile } = card
  return { card, product: card, holder: { status, vip, has_mobile } }
}

/** The number of every card of the desk, in so far as something is computed over it. */
export const CARD_NUMBER: Secret = new Secret('4999990000000011')

const noLists = { allowed_countries_id: null, allowed_mccs_id: null, allowed_merchants_id: null }

/** The settings of product and card for authorizations; amounts in minor units. */
export const settingsOf = (product: StoredAuthSettings, card: StoredAuthSettings) => ({
  product: { auth_settings: product, ...noLists },
  card: { auth_settings: card, ...noLists },
})

/**
 * Stands for the keyed digest of the engine: the members that a repeat has in common with its
 * original.
 */
const fingerprintOf = ({ card, amount, currency, processing_code }: AuthorizationRequest): string =>
  JSON.stringify([card, String(amount), currency, processing_code])

export class Desk {
  now = new Date('2026-06-12T10:00:00.000Z')
  settings: TenantSettings = mergeSettings({})
  readonly accounts = new Map<string, Account>()
  readonly cards = new Map<string, TestCard>()
  readonly pins = new Map<string, KeptPin>()
  readonly transactions = new Map<string, TransactionRow>()
  readonly messages = new Map<string, NewMessage>()
  readonly credited = new Map<string, CardDay>()
  /** Rates by pair of currencies: `USD|AED`. */
  readonly rates = new Map<string, string>()
  /** Limits by card. */
  readonly limits = new Map<string, CardLimits>()
  readonly counters = new Map<string, HolderCounters>()
  readonly transfers: NewTransfer[] = []
  readonly events: ObjectEvent[] = []
  readonly charges: WorkingSet['charges']['wanted'] = []
  /** Transactions whose charges are given back. */
  readonly uncharged: string[] = []
  #made = 0
  /** The newest of a card is last. */
  #tries: CardTries[] = []

  addAccount(balance: bigint, fields: Partial<Account> = {}): Account {
    const id = idOf(ACCOUNT, this.accounts.size + 1)
    const account: Account = {
      id,
      balance,
      held: 0n,
      floor: 0n,
      version: 1n,
      currency: 'AED',
      status: 'ACTIVE',
      user_id: 'user',
      card_product_id: 'product',
      ...fields,
    }
    this.accounts.set(id, account)
    return account
  }

  addCard(account_id: string | null, fields: Partial<TestCard> = {}): TestCard {
    const card_id = idOf(CARD, this.cards.size + 1)
    const card: TestCard = {
      card_id,
      account_id,
      user_id: 'user',
      card_product_id: 'product',
      status: 'ACTIVE',
      status_reason_code: 'A0',
      terminated_by_operator: false,
      expiry_date: '2029-06',
      currency: 'AED',
      partial_approval: false,
      identify_above: null,
      clearing_tolerance_percent: 15,
      user_status: 'ACTIVE',
      user_vip: false,
      pin_max_tries: 3,
      migration_ends: null,
      charges: [],
      allow_negative_charges: false,
      unlinked_credit_max_amount: null,
      unlinked_credit_max_daily_amount: null,
      emv: 'WAIVED',
      otp_3ds: false,
      user_has_mobile: true,
      lists: NO_LISTS,
      responder: 'ASK',
      settings: settingsOf({}, {}),
      ...fields,
    }
    this.cards.set(card_id, card)
    return card
  }

  /** Decides one batch; the answers are in the order of the messages. */
  decide(...batch: readonly TestMessage[]): AuthorizationAnswer[] {
    return this.decideOn(new WorkingSet({ ...this.read(), ...this.#verifying(batch) }), ...batch)
  }

  /** The same on what was read of the desk, and on what batches before it have changed since. */
  decideOn(workingSet: WorkingSet, ...batch: readonly TestMessage[]): AuthorizationAnswer[] {
    const answers = batch.map(
      ({ late = false, keys: _of_all, unanswered: reverses, ...request }) => {
        this.#made += 1
        const card_id = 'card_id' in request.card ? request.card.card_id : undefined
        const none = { token_id: undefined, verdict: undefined }
        const message = { request, kind: kindOf(request), card_id, late, reverses, ...none }
        const input = liveCase(workingSet, message, {
          id: idOf(TRANSACTION, this.#made),
          approval_code: String(this.#made).padStart(6, '0'),
          fingerprint: () => fingerprintOf(request),
          proofs: softwareProofs,
        })
        return decide(workingSet, input)
      },
    )
    this.#write(workingSet)
    this.#tries = [...this.#tries, ...workingSet.tries.changed]
    return answers
  }

  /** The keys that messages of the batch bring, and the number of each card. */
  #verifying(batch: readonly TestMessage[]): Partial<Gathered> {
    const keys = batch.flatMap((message) => message.keys ?? [])[0]
    return {
      keys: new Map(keys && [['product', keys]]),
      numbers: new Map([...this.cards.keys()].map((card_id) => [card_id, CARD_NUMBER])),
    }
  }

  ask(asked: TestMessage): AuthorizationAnswer {
    const [answer] = this.decide(asked)
    assert.ok(answer)
    return answer
  }

  /** Days pass, and the sweep of holds runs. */
  wait(days: number): void {
    this.now = addDays(this.now, days)
    const workingSet = new WorkingSet(this.read())
    const due = this.#open.filter(({ row }) => {
      return row.held > 0n && row.hold_expires !== null && row.hold_expires <= this.now
    })
    for (const open of due) expire(workingSet, open)
    workingSet.counters.recount()
    this.#write(workingSet)
  }

  /** All that a batch may read, as it is at this moment. */
  read(): Gathered {
    const making = [...this.transactions.values()].flatMap((row) => makingMessage(row) ?? [])
    const messages = [...this.messages.values(), ...making]
    const named = messages.flatMap(({ key, answer, transaction_id }) =>
      answer && transaction_id ? [[key, transaction_id] as const] : [],
    )
    return {
      ...NO_CARDS,
      tenant_id: 'tenant',
      now: this.now,
      settings: this.settings,
      cards: new Map([...this.cards].map(([id, card]) => [id, heldOf(card)])),
      tries: this.#tries,
      accounts: [...this.accounts.values()].map((account) => ({ ...account })),
      pins: this.pins,
      transactions: this.#open,
      messages,
      named: new Map(named),
      credited: [...this.credited.values()],
      rates: this.rates,
      limits: this.limits,
      counters: this.#holders(),
    }
  }

  account(id: string | null): Account {
    const account = this.accounts.get(id ?? '')
    assert.ok(account)
    return account
  }

  /** Minor units; the amount that card payments may still take. */
  available(id: string | null): bigint {
    const { balance, held } = this.account(id)
    return balance - held
  }

  row(answer: { transaction_id: string }): TransactionRow {
    const row = this.transactions.get(answer.transaction_id)
    assert.ok(row)
    return row
  }

  /** The check that failed, with its code. */
  refusedBy(answer: { transaction_id: string }): readonly string[] {
    const refused = refusalIn(this.transactions.get(answer.transaction_id)?.trace ?? [])
    return refused?.[2] === undefined ? [] : [refused[0], refused[2]]
  }

  /** Counters of all holders that limits count at. */
  #holders(): HolderCounters[] {
    const rules = [...this.limits.values()].flatMap(({ velocity }) => velocity)
    return [...new Set(rules.map(({ holder_id }) => holder_id))].map((holder_id) => {
      const none: HolderCounters = { holder_id, version: 0n, counters: [] }
      const { version, ...kept } = this.counters.get(holder_id) ?? none
      const account = this.accounts.get(holder_id)
      const groups = rules.flatMap((rule) =>
        rule.holder_id === holder_id && rule.group !== OF_HOLDER ? rule.group : [],
      )
      // All its chains are looked for.
      const chains = new Map(groups.map((group) => [group, kept.chains?.get(group)]))
      return { ...kept, version: account?.version ?? version, ...(account && { chains }) }
    })
  }

  /** The rows as the last book has them, so that the sweep works on the same objects. */
  #open: OpenTransaction[] = []

  #write(workingSet: WorkingSet): void {
    for (const row of workingSet.created) {
      assert.ok(!this.transactions.has(row.id), 'an id is used once')
      assert.ok(row.trace.length > 0, 'every decision keeps its trace')
      this.#assertHeld(row)
      this.transactions.set(row.id, structuredClone(row))
    }
    for (const { row, read_sequence } of workingSet.changed) this.#update(row, read_sequence)
    for (const state of workingSet.changedAccounts) this.#keep(state)
    for (const transfer of workingSet.transfers)
      assert.ok(transfer.amount > 0n, 'a transfer moves money')
    for (const message of workingSet.messages) {
      assert.ok(!this.messages.has(message.key), 'a key is answered once')
      this.messages.set(message.key, message)
    }
    for (const one of workingSet.undone) declineThese(this.messages.values(), one)
    for (const { card_id, day, amount } of workingSet.unlinked.changes) {
      const key = `${card_id}|${day}`
      const sum = (this.credited.get(key)?.amount ?? 0n) + amount
      this.credited.set(key, { card_id, day, amount: sum > 0n ? sum : 0n })
    }
    for (const { card_id, failures } of workingSet.pinFailures) {
      const kept = this.pins.get(card_id)
      assert.ok(kept, 'only a kept PIN is tried')
      this.pins.set(card_id, { ...kept, failures })
    }
    const written = new Set(workingSet.changedAccounts.map(({ id }) => id))
    for (const one of workingSet.counters.changed) {
      const { holder_id, version } = one
      assert.ok(!this.accounts.has(holder_id) || written.has(holder_id), 'with its account')
      const isNewest = (this.counters.get(holder_id)?.version ?? 0n) === version
      assert.ok(this.accounts.has(holder_id) || isNewest, 'counters rest on the newest state')
      const kept = laidOver(this.counters.get(holder_id) ?? one, one)
      this.counters.set(holder_id, { ...kept, version: version + 1n })
    }
    this.transfers.push(...workingSet.transfers)
    this.charges.push(...workingSet.charges.wanted)
    this.uncharged.push(...workingSet.charges.reversed)
    this.events.push(...workingSet.events)
    this.#open = [...this.transactions.values()].map((row) => {
      return { row: structuredClone(row), read_sequence: row.events.length }
    })
  }

  /** transactions_held. */
  #assertHeld({ held, status, hold_expires }: TransactionRow): void {
    assert.ok(held >= 0n && (held === 0n || status === 'PENDING'), 'only an open one holds')
    assert.equal(status === 'PENDING', hold_expires !== null)
  }

  /** The columns that a later message may change, as the store writes them. */
  #update(row: TransactionRow, read_sequence: number): void {
    const before = this.transactions.get(row.id)
    assert.ok(before, 'only a stored transaction is changed')
    assert.equal(before.events.length, read_sequence, 'a change rests on the newest state')
    this.#assertHeld(row)
    const { status, status_code, amount, billing_amount, cleared_amount } = row
    const { held, withdrawn, foreign, charged, reference_transaction_id } = row
    const { refunded_amount, hold_expires, events, modified, counted } = structuredClone(row)
    if (counted) before.counted = counted
    Object.assign(before, { status, status_code, amount, billing_amount, cleared_amount })
    Object.assign(before, {
      held,
      foreign,
      reference_transaction_id,
      ...(charged && { charged }),
      withdrawn: before.withdrawn || withdrawn,
    })
    Object.assign(before, { refunded_amount, hold_expires, events, modified })
  }

  /** accounts_held, accounts_floor and accounts_funds. */
  #keep({ id, balance, held, floor, version }: Account): void {
    assert.equal(this.account(id).version, version, 'a change rests on the newest state')
    assert.ok(held >= 0n && floor <= 0n && balance - held >= floor, 'the constraints of accounts')
    const next = { balance, held, floor, version: version + 1n }
    this.accounts.set(id, { ...this.account(id), ...next })
  }
}

let stan = 0

/** Withdrawals are made at a machine. */
const mccOf = (processing_code = '') => (/^(01|12|17)/.test(processing_code) ? '6011' : '5411')

/** A purchase in a shop that is fine; every message has numbers of its own. */
export function purchase(
  card: { card_id: string } | undefined,
  amount: bigint,
  fields: Partial<TestMessage> = {},
): TestMessage {
  stan += 1
  const trace = String(stan).padStart(6, '0')
  const rrn = fields.rrn ?? `R${trace.padStart(11, '0')}`
  const { message_type = '0100' } = fields
  return {
    message_type,
    processing_code: '000000',
    amount,
    currency: 'AED',
    card: { card_id: card?.card_id ?? idOf(CARD, 0) },
    merchant: { id: 'SHOP1', name: 'Shop', mcc: mccOf(fields.processing_code) },
    entry_mode: 'ECOMMERCE',
    pos: { entry_mode: 'ECOMMERCE', environment: 'ECOMMERCE' },
    three_ds: 'NONE',
    recurring: false,
    partial_capable: false,
    is_verification: false,
    rrn,
    stan: trace,
    original: { rrn },
    duplicate_key: `${message_type}|${trace}|0612100000|1|${rrn}`,
    ...fields,
  }
}

/** The name that DE90 gives a message. */
export const nameOf = ({ duplicate_key = '' }: TestMessage): string =>
  duplicate_key.slice(0, duplicate_key.lastIndexOf('|'))

type Later = Partial<TestMessage> & { message_type: TestMessage['message_type'] }

/** A message about an earlier one, which it names by DE90 and the retrieval reference. */
export function about(first: TestMessage, fields: Later): TestMessage {
  const { card, processing_code, currency, merchant, is_verification, rrn = '' } = first
  const same = { card, processing_code, currency, merchant, is_verification, rrn }
  const later = purchase(undefined, first.amount, { ...same, ...fields, rrn })
  return { ...later, original: fields.original ?? { message_key: nameOf(first), rrn } }
}
