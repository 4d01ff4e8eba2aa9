/** Everything that a decision may use, gathered and locked before any check runs. */

import type { CardSettings } from '#issuing/cards/cards.ts'
import type { Account } from '#issuing/ledger/schema.ts'
import type { Count, LimitTerms, Standing } from '#issuing/limits/rules.ts'
import type { ListRule } from '#issuing/lists/rules.ts'
import type { Emv, ResponderPolicy, StoredCharge } from '#issuing/products/schema.ts'
import type { TenantSettings } from '#issuing/tenants/schema.ts'
import type { TransactionRow } from '#issuing/transactions/rules.ts'
import type { KeptPin, KeySet } from '#issuing/vault/schema.ts'
import type { Secret } from '#lib/secret.ts'
import type { AuthorizationRequest } from '../../schema.ts'
import type { ChipEvidence } from './chip_evidence.ts'
import type { Verdict } from './verdict.ts'

/** The lists that product or card name, if they name any (D-34). */
export type Lists = { countries?: ListRule; mccs?: ListRule; merchants?: ListRule }
export type ListsInForce = { product: Lists; card: Lists }

/** A card with its product and its holder, as they are under the account's lock. */
export type CardEvidence = {
  card_id: string
  account_id: string | null
  user_id: string | null
  card_product_id: string
  status: 'INACTIVE' | 'ACTIVE' | 'SUSPENDED' | 'TERMINATED'
  status_reason_code: string
  /** False for a card that is not TERMINATED (D-897). */
  terminated_by_operator: boolean
  /** YYYY-MM. */
  expiry_date: string
  /** A card on its way to plastic gets no authorization from this instant on (D-32). */
  migration_ends: Date | null
  pin_max_tries: number
  currency: string
  partial_approval: boolean
  identify_above: bigint | null
  clearing_tolerance_percent: number
  /** The most that credits without a purchase may be, minor units; null for any (D-315). */
  unlinked_credit_max_amount: bigint | null
  unlinked_credit_max_daily_amount: bigint | null
  /** Whether chip entries pass if the product has no keys to verify them (D-325, D-446). */
  emv: Emv
  /**
   * The product's charges for transactions, and whether they may take the balance below zero
   * (D-477).
   */
  charges: readonly StoredCharge[]
  allow_negative_charges: boolean
  user_status: string | null
  user_vip: boolean
  /** Whether one-time passwords can reach the cardholder (1893). */
  user_has_mobile: boolean
  /** The product sends one-time passwords for 3-D Secure. */
  otp_3ds: boolean
  /** Whether the responder is asked about debits of the product (D-514). */
  responder: ResponderPolicy
  /** The present settings; a migrating card has those that were frozen (D-32). */
  settings: CardSettings
  /** The lists that these settings name. */
  lists: ListsInForce
}

/** The wallet token by whose number a message names its card (D-39). */
export type TokenEvidence = {
  token_id: string
  status: string
  /** YYYY-MM: its own, which is the one that a message contains. */
  expiry_date: string
}

/** A transaction that a message acts on. */
export type OpenTransaction = {
  row: TransactionRow
  /** How many changes it had when it was read; 0 for one of this batch. */
  read_sequence: number
}

/** A part of a transaction in both of its currencies, minor units. */
export type Part = { amount: bigint; billing: bigint }

/** One request with the data found for it. */
export type Evidence = {
  request: AuthorizationRequest
  card: CardEvidence | undefined
  /** The number is a card's, whose product does not exist: `card` is undefined (1847). */
  lacks_product?: boolean | undefined
  account: Account | undefined
  keys: KeySet | undefined
  /** Present if the number of the message is a token's. */
  token: TokenEvidence | undefined
  /** The card's own number, if the message contains a PIN: its verification value is over that. */
  card_number: Secret | undefined
  /** The card's PIN with the wrong tries so far, if the message contains one. */
  pin: KeptPin | undefined
  /** The result of the chip's check; undefined if the message has no chip data. */
  chip?: ChipEvidence | undefined
  /** Instants of the card's wrong tries that count, oldest first (D-122). */
  wrong_tries: readonly Date[]
  /** So many of them within 24 hours block; 0 for never. */
  max_tries: number
  /** The deadline had passed when the batch came to it. */
  late: boolean
  /** A reversal of this very request came before it. */
  reversed_early: boolean
  /**
   * The amount in minor units of the account's currency; undefined if there is no rate to it, or it
   * has more than 15 digits (D-51).
   */
  billing: bigint | undefined
  /** The rate, if the message has another currency and there is one. */
  rate?: string | undefined
  /** The charges beyond the amount, minor units of the account's currency (D-477). */
  charge: bigint
  /** Minor units of the message's currency that so many of the account's pay. */
  covered: (available: bigint) => bigint
  /**
   * The amount requested before, if the message raises a hold; minor units of the account's
   * currency (D-107).
   */
  raises?: bigint | undefined
  /** The limits that apply, with their counts and the funds of the account and its user. */
  limits: {
    velocity: readonly { limit: LimitTerms; counted: Count }[]
    balance: readonly LimitTerms[]
    standing?: Standing | undefined
  }
  /** The most that may be debited: the available funds, less the minimum of balance limits. */
  room: bigint
  /** A stop order of the card is about this recurring payment (D-111). */
  stopped: boolean
  /** Whether the tenant has a responder, and its verdict about this message. */
  has_responder: boolean
  verdict?: Verdict | undefined
  /** Settings of the tenant that a switch asks (D-948). */
  settings: Pick<TenantSettings, 'atm_deposit' | 'time_zone'>
  now: Date
}
