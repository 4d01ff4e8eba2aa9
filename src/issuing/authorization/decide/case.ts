/**
 * All that one message is decided on. `make_case.ts` makes it, for a message that has come and for
 * one that is stored. Rules do not change it: the state that decisions change is in the working
 * set.
 */

import type { Account } from '#issuing/ledger/schema.ts'
import type { TenantSettings } from '#issuing/tenants/schema.ts'
import type { KeptPin, KeySet } from '#issuing/vault/schema.ts'
import type { Proofs } from '#issuing/vault/vault.ts'
import type { Secret } from '#lib/secret.ts'
import type { AuthorizationRequest } from '../schema.ts'
import type { ChipResult } from './checks/chip_result.ts'
import type { Verdict } from './checks/verdict.ts'
import type { Kind } from './kinds.ts'
import type { Card, Holder, OpenTransaction, Product, Token } from './rows.ts'
import type { LimitsNow } from './state/limits_in_force.ts'
import type { Unanswered } from './state/unanswered.ts'

export type Case = {
  request: AuthorizationRequest
  kind: Kind
  /** The two digits of the processing code that give the type; none of a verification. */
  code: string
  /** The id that its transaction gets, if it makes one. */
  id: string
  /** The approval code (DE38) that it gets, if it is approved. */
  approval_code: string
  /**
   * Keyed digest of the members that a repeat must have in common with it (D-312), in hex. Computed
   * only if the message has a duplicate key.
   */
  fingerprint: () => string
  /** The deadline had passed when the batch came to it. */
  late: boolean
  /** A reversal of this very request came before it. */
  reversed_early: boolean
  /** The answer that could not be sent, if the message is a reversal by the platform. */
  unanswered: Unanswered | undefined
  /** Present if the tenant's responder was asked about the message. */
  verdict: Verdict | undefined
  /** The transaction that an advice or a presentment has already made for this request (D-316). */
  done: OpenTransaction | undefined
  /** The authorization that this request raises. */
  raised: OpenTransaction | undefined

  /** Undefined if no card has the number, or if its product does not exist (`lacks_product`). */
  card: Card | undefined
  product: Product | undefined
  holder: Holder | undefined
  /** The number is a card's, whose product does not exist (1847). */
  lacks_product: boolean
  /** The account as it is before this decision. */
  account: Account | undefined
  /** Present if the number of the message is a token's. */
  token: Token | undefined
  keys: KeySet | undefined
  /** Finds out what the message proves under these keys (D-1013). */
  proofs: Proofs
  /** The card's own number, if the message contains a PIN: its verification value is over that. */
  card_number: Secret | undefined
  /** The card's PIN with the wrong tries so far, if the message contains one. */
  pin: KeptPin | undefined
  /** The result of the chip's check; undefined if the message has no chip data. */
  chip: ChipResult | undefined
  /** Instants of the card's wrong tries that count, oldest first (D-122). */
  wrong_tries: readonly Date[]
  /** The value that proves the payment has proved another one (D-1216). */
  used_aav: boolean
  /** A stop order of the card is about this recurring payment (D-111). */
  stopped: boolean
  limits: LimitsNow

  /** The tenant's, of the batch or of the moment when a backtest was made. */
  settings: Readonly<TenantSettings>
  now: Date
  /** The tenant's local time of `now`, hh:mm:ss; that of the terminal is in the request (DE12). */
  local_time: () => string

  /** The currency of the account, or of the product if the card has none. */
  currency: string | undefined
  /** The rate to it, if the message has another currency and there is one. */
  rate: string | undefined
  /**
   * The amount in minor units of the account's currency; undefined if there is no rate to it, or it
   * has more than 15 digits (D-51).
   */
  billing: bigint | undefined
  /** The charges beyond the amount, minor units of the account's currency (D-477). */
  charge: bigint
  /**
   * The amount requested before, if the message raises a hold; minor units of the account's
   * currency (D-107).
   */
  raises: bigint | undefined
  /** The most that may be debited: the available funds, less the minimum of balance limits. */
  room: bigint
}
