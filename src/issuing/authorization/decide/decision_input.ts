import type { KeySet } from '#issuing/vault/schema.ts'
import type { Secret } from '#lib/secret.ts'
import type { AuthorizationRequest } from '../schema.ts'
import type { CardEvidence, TokenEvidence } from './checks/evidence.ts'
import type { Verdict } from './checks/verdict.ts'
import type { Tries } from './state/tries.ts'
import type { Unanswered } from './state/unanswered.ts'

/** A message with its inputs from outside the rules. */
export type DecisionInput = {
  request: AuthorizationRequest
  /** The id that its transaction gets, if it makes one. */
  id: string
  /** The approval code (DE38) that it gets, if it is approved. */
  approval_code: string
  card: CardEvidence | undefined
  /** As in Evidence. */
  lacks_product?: boolean | undefined
  keys: KeySet | undefined
  token?: TokenEvidence | undefined
  card_number?: Secret | undefined
  /**
   * Keyed digest of the members that a repeat must have in common with it (D-312), in hex. Computed
   * only if the message has a duplicate key.
   */
  fingerprint: () => string
  /** The wrong tries of all cards of the batch. */
  tries: Tries
  /** A stop order of the card is about this recurring payment. */
  stopped?: boolean
  late: boolean
  /** The answer that could not be sent, if the message is a reversal by the platform. */
  unanswered?: Unanswered | undefined
  /** Present if the tenant's responder was asked about the message. */
  verdict?: Verdict | undefined
}
