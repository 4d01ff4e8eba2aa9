/** The contents of the three books for one payment, and the result of their comparison. */

import type { AnyEntry, Book, EntryType, Kind, OpenReason } from './kinds.ts'

export type Order = {
  id: string
  merchant_id: string
  reference: string
  currency: string
  /** Minor units. */
  authorized: bigint
  /** OPENED while more may be captured, unless it is released. */
  status: 'OPENED' | 'COMPLETED'
  released: boolean
  created: Date
}

export type Operation = {
  id: string
  type: 'CAPTURE' | 'REFUND'
  status: 'PENDING' | 'SUCCESS' | 'FAILURE'
  /** Minor units. */
  amount: bigint
  currency: string
  message_id: string
  created: Date
}

/** A message of the acquirer. `key` is what a transaction of the issuer keeps of it: DE11|DE7. */
export type Message = {
  id: string
  mti: string
  status: 'PENDING' | 'APPROVED' | 'DECLINED' | 'UNSENT' | 'REVERSING' | 'REVERSED'
  reverses: string | null
  key: string
  /** It reaches its issuer by a file, which waits or is posted (D-1047). */
  file?: 'WAITS' | 'POSTED'
  /** Minor units. */
  amount: bigint
  currency: string
  created: Date
  modified: Date
}

/** The rows of a payment in books (a) and (b). */
export type Payment = {
  tenant_id: string
  authorization_id: string
  /** The retrieval reference of its messages (DE37); absent if it has no message. */
  rrn: string | undefined
  /** The merchant as the card network knows it (DE42). */
  acceptor: string | undefined
  /** Whether it went to an issuer of ISSUERS_FILE, whose book is not here. */
  is_elsewhere: boolean
  order: Order | undefined
  operations: readonly Operation[]
  messages: readonly Message[]
}

/** A movement of the ledger at the issuer, in the currency of its transaction. */
export type Posting = { id: string; amount: bigint; created: Date }

/**
 * The rows of a payment in book (c). Amounts in minor units of `currency`, unless stated otherwise.
 */
export type IssuerTransaction = {
  tenant_id: string
  id: string
  rrn: string
  /** The merchant (DE42). */
  acceptor: string | null
  key: string
  type: 'PURCHASE' | 'REFUND'
  status: 'PENDING' | 'SETTLED' | 'VOIDED' | 'EXPIRED'
  currency: string
  /** The amount of its first message, and the amount after increments and reversals. */
  authorized: bigint
  amount: bigint
  /** Amounts in the currency of the account. */
  held: bigint
  cleared_amount: bigint
  posted_amount: bigint
  postings: readonly Posting[]
  created: Date
}

/**
 * An entry as one book has it. `id` is that of an order, operation, message, transaction,
 * chargeback or dispute.
 */
export type Side = { id: string; amount: bigint; currency: string; at: Date; tenant_id: string }
export type Sides = Partial<Record<Book, Side>>

type BookedEntry = {
  entry: AnyEntry
  tenant_id: string
  merchant_id: string | undefined
  order_id: string | undefined
  order_reference: string | undefined
  rrn: string | undefined
  sides: Sides
  detail: string
}
export type Difference = BookedEntry & { kind: Kind }
export type Open = BookedEntry & { reason: OpenReason }

/** An entry that counts in the sums of a day. */
export type Counted = {
  book: Book
  entry: EntryType
  amount: bigint
  currency: string
  merchant_id: string | undefined
  acceptor: string | undefined
  tenant_id: string
}

export type Compared = { differences: Difference[]; open: Open[]; counted: Counted[] }
