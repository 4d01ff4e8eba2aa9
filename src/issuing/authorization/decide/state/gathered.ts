/** The data that a batch is decided on, as they were read for its messages. */

import type { Chip } from '#issuing/chips/schema.ts'
import type { Account } from '#issuing/ledger/schema.ts'
import type { CardLimits, HolderCounters } from '#issuing/limits/rules.ts'
import type { TenantSettings } from '#issuing/tenants/schema.ts'
import type { KeptPin, KeySet } from '#issuing/vault/schema.ts'
import type { Secret } from '#lib/secret.ts'
import type { AuthorizationAnswer } from '../../schema.ts'
import type { HeldCard, OpenTransaction, Token } from '../rows.ts'
import type { CardTries } from './tries.ts'
import type { CardDay } from './unlinked_credits.ts'

export type NewMessage = {
  key: string
  mti: string
  transaction_id: string | null
  answer: AuthorizationAnswer | null
  /** Keyed digest of the members that a repeat must have in common with it (D-312), in hex. */
  fingerprint: string | null
}

/** The cards of a batch and all that belongs to them. No decision changes any of it. */
export type ReadCards = {
  cards: ReadonlyMap<string, HeldCard>
  /** The cards that exist, also those whose product does not. */
  known_cards: ReadonlySet<string>
  tokens: ReadonlyMap<string, Token>
  /** By product, if a message of a card of it contains something to verify. */
  keys: ReadonlyMap<string, KeySet>
  /** The cards' own numbers, for the PINs of messages that do not contain them. */
  numbers: ReadonlyMap<string, Secret>
  /** The payments that a stop order is about, by `nameOfPayment`. */
  stopped: ReadonlySet<string>
}

export const NO_CARDS: ReadCards = {
  cards: new Map(),
  known_cards: new Set(),
  tokens: new Map(),
  keys: new Map(),
  numbers: new Map(),
  stopped: new Set(),
}

export type Gathered = ReadCards & {
  tenant_id: string
  now: Date
  settings: Readonly<TenantSettings>
  accounts: readonly Account[]
  /** The PINs of the cards whose message contains one, by card. */
  pins?: ReadonlyMap<string, KeptPin>
  /** The wrong tries of the cards. */
  tries?: readonly CardTries[]
  transactions: readonly OpenTransaction[]
  /** Duplicate keys that were answered before, with the transaction that they made. */
  messages: readonly NewMessage[]
  /** Transactions of messages that DE90 may mean, by the duplicate keys of those messages. */
  named: ReadonlyMap<string, string>
  /** Credits without a purchase, of the cards whose message is a credit. */
  credited?: readonly CardDay[]
  /** The limits by card, if any are linked to it, its product, account or user. */
  limits?: ReadonlyMap<string, CardLimits>
  /**
   * Counters of the holders that limits count at, and of those that a transaction was counted at.
   */
  counters?: readonly HolderCounters[]
  /** Rates that the messages need, by `rateKey`. */
  rates?: ReadonlyMap<string, string>
  /** The chips of the cards and tokens whose message comes from a chip. */
  chips?: readonly Chip[]
}
