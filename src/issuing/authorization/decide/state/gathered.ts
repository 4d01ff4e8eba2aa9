/** The data that a batch is decided on, as they were read for its messages. */

import type { Chip } from '#issuing/chips/schema.ts'
import type { Account } from '#issuing/ledger/schema.ts'
import type { CardLimits, HolderCounters } from '#issuing/limits/rules.ts'
import type { TenantSettings } from '#issuing/tenants/schema.ts'
import type { KeptPin } from '#issuing/vault/schema.ts'
import type { AuthorizationAnswer } from '../../schema.ts'
import type { OpenTransaction } from '../checks/evidence.ts'
import type { CardDay } from './unlinked_credits.ts'

export type NewMessage = {
  key: string
  mti: string
  transaction_id: string | null
  answer: AuthorizationAnswer | null
  /** Keyed digest of the members that a repeat must have in common with it (D-312), in hex. */
  fingerprint: string | null
}

export type Gathered = {
  tenant_id: string
  now: Date
  settings: Pick<
    TenantSettings,
    | 'hold_days'
    | 'clearing_hold_days'
    | 'atm_deposit'
    | 'time_zone'
    | 'card_verification_max_tries'
    | 'responder'
  >
  accounts: readonly Account[]
  /** The PINs of the cards whose message contains one, by card. */
  pins?: ReadonlyMap<string, KeptPin>
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
