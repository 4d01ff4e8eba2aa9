/** The rows that a decision is made on, as they are read. */

import type { CardSettings } from '#issuing/cards/cards.ts'
import type { ListRule } from '#issuing/lists/rules.ts'
import type { Emv, ResponderPolicy, StoredCharge } from '#issuing/products/schema.ts'
import type { TransactionRow } from '#issuing/transactions/rules.ts'

/** The lists that product or card name, if they name any (D-34). */
export type Lists = { countries?: ListRule; mccs?: ListRule; merchants?: ListRule }
export type ListsInForce = { product: Lists; card: Lists }

export type Card = {
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
  /** The present settings; a migrating card has those that were frozen (D-32). */
  settings: CardSettings
  /** The lists that these settings name. */
  lists: ListsInForce
}

/** The terms of a card product; all its cards share one. */
export type Product = {
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
  /** The product sends one-time passwords for 3-D Secure. */
  otp_3ds: boolean
  /** Whether the responder is asked about debits of the product (D-514). */
  responder: ResponderPolicy
}

/** The user of a card; without one the status is null. */
export type Holder = {
  status: string | null
  vip: boolean
  /** Whether one-time passwords can reach the cardholder (1893). */
  has_mobile: boolean
}

/** A card with its product and its holder, of one moment. */
export type HeldCard = { card: Card; product: Product; holder: Holder }

/** The wallet token by whose number a message names its card (D-39). */
export type Token = {
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
