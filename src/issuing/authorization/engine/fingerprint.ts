/** What a repeat must have in common with the first message of its key (D-312). */

import type { Context } from '#kit/context.ts'
import type { AuthorizationRequest } from '../schema.ts'

/**
 * Keyed digest of card, amount, currency and processing code (DE3), in hex. Keyed, because a card
 * number can be found again from any other digest by trying them all.
 */
export function messageFingerprint(
  { keys }: Pick<Context, 'keys'>,
  { card, amount, currency, processing_code }: AuthorizationRequest,
): string {
  const number = 'pan' in card ? card.pan.reveal() : card.card_id
  const text = `message ${number}|${amount}|${currency}|${processing_code}`
  return keys.digest('lookup', text).toString('hex')
}
