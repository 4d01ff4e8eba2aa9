/** Requests to the engine and its answers. The network and the simulations use the same. */

import type { EntryMode, Merchant, Pos } from '#issuing/transactions/schema.ts'
import type { CardKey } from '#issuing/vault/vault.ts'
import type { Secret } from '#lib/secret.ts'

export type MessageType = '0100' | '0120' | '0200' | '0220' | '0400' | '0420'

/**
 * How the message names the transaction that it acts on. All members that are present must match.
 */
export type OriginalReference = {
  transaction_id?: string
  /** The duplicate key of the original without DE37: `class|DE11|DE7|DE32`, from DE90. */
  message_key?: string
  rrn?: string
  approval_code?: string
}

/** A message of the card network, or a simulation of one, in the terms of ISO 8583. */
export type AuthorizationRequest = {
  message_type: MessageType
  /** DE3: transaction type, from account, to account. */
  processing_code: string
  /** The number of the card, or its id if the caller knows it. */
  card: { pan: Secret } | { card_id: string }
  /** Minor units of `currency`. */
  amount: bigint
  /** ISO 4217, three letters; XXX if the message names none that can be held (D-120). */
  currency: string
  merchant: Merchant
  pos: Pos
  entry_mode: EntryMode
  /** The presentment is of a clearing file and not of the line (D-1046). */
  by_file?: true
  /** The network's id of the payment (DE63), under which its presentment comes. */
  trace_id?: string
  /** YYMM of DE14. */
  expiry?: string
  /** YYMM of track 2, which may differ from DE14 (D-119). */
  track_expiry?: string
  cvv2?: Secret
  /**
   * The verification value of the stripe or chip (three digits of track 2), and its service code.
   * No value if the terminal calls it unreliable; an empty one if it should be present and is not.
   */
  track_cvv?: { value?: Secret; service_code: string }
  /** The encrypted PIN block in hex: format 0 (16 digits) or 4 (32 digits). */
  pin_block?: Secret
  /** The keys of the network that the block may be under; left out, those of the card product. */
  pin_keys?: readonly CardKey[]
  /** DE55 in hex. */
  emv?: string
  /** The card's sequence number of DE23: two digits. The number in DE55 comes first. */
  card_sequence?: string
  three_ds: 'AUTHENTICATED' | 'ATTEMPTED' | 'NONE'
  /** The value that proves AUTHENTICATED (D-1091). */
  aav?: Secret
  recurring: boolean
  /** The terminal can accept less than it requested (D-112). */
  partial_capable: boolean
  /** A zero-amount request that only verifies the card (DE25 51). */
  is_verification: boolean
  /** The time at the terminal: hhmmss of DE12 and MMDD of DE13. */
  local_time?: string
  local_date?: string
  rrn?: string
  stan?: string
  acquirer_id?: string
  original?: OriginalReference
  /**
   * The amount that the scheme bills (DE6), minor units of its currency (DE51), and its rate
   * (DE10). Present if the network says what is billed (D-1034).
   */
  billed?: { amount: bigint; currency: string; rate?: string }
  /** DE95: the amount that stays authorized after a partial reversal, minor units of `currency`. */
  remaining_amount?: bigint
  /**
   * The amount that a simulated partial reversal takes back, if it does not name the rest (D-107).
   */
  reverse_amount?: bigint
  /** A simulated completion claims what is not cleared when it is decided, not `amount` (D-861). */
  claims_rest?: true
  /** The answer of the network, as an advice (0120) reports it. */
  advised_approval?: { approved: boolean; approval_code?: string }
  /** `class|DE11|DE7|DE32|DE37`; a repeat under the same key gets the stored answer (D-109). */
  duplicate_key?: string
  /**
   * A fault that was found before the engine: it is recorded and declined with this code (D-106).
   */
  format_fault?: { status_code: '1846' | '9104'; detail: string }
  /**
   * The instant after which an answer is of no use (1889), of the monotonic clock, milliseconds.
   */
  deadline?: number
}

/** The answer to a request. Amounts are minor units of the request's currency. */
export type AuthorizationAnswer = {
  transaction_id: string
  status_code: string
  approved: boolean
  /** The approved amount: less than requested when partial. */
  amount: bigint
  approval_code?: string
  /** Available balance of the account after the decision, if there is an account. */
  available?: { amount: bigint; ledger: bigint; currency: string }
  /** DE55 in hex: issuer authentication data and scripts, if the cryptogram is right. */
  emv?: string
  /** Data for DE39 41 and 43, and for the check value of a wrong CVV2. */
  hints: { card_reason?: string; cvv2?: boolean }
  /** True when this is the stored answer of an earlier message. */
  repeated: boolean
  /**
   * The number of this answer among those of a repeated approval; the first answer was number 1.
   */
  answer_number?: number
}
