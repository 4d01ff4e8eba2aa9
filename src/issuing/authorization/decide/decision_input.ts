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
   * Keyed digest of what a repeat must have in common with it (D-312), in hex. Computed only where
   * the message has a duplicate key.
   */
  fingerprint: () => string
  /** Of all cards of the batch. */
  tries: Tries
  /** A stop order of the card is about this recurring payment. */
  stopped?: boolean
  late: boolean
  /** Where it is a reversal by the platform: the answer that could not be sent. */
  unanswered?: Unanswered | undefined
  /** Where the tenant's responder was asked about it. */
  verdict?: Verdict | undefined
}
