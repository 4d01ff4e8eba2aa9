/** The members that a repeat must have in common with the first message of its key (D-312). */

import { hash } from 'node:crypto'
import type { Context } from '#kit/context.ts'
import type { AuthorizationRequest } from '../schema.ts'

/**
 * Digest of card, amount, currency and processing code (DE3), in hex. It is keyed if no card is
 * known by the number, because a number can be found again from any other digest by trying them
 * all.
 */
export function messageFingerprint(
  { keys }: Pick<Context, 'keys'>,
  { card, amount, currency, processing_code }: AuthorizationRequest,
  card_id: string | undefined,
): string {
  const rest = `${amount}|${currency}|${processing_code}`
  if (card_id !== undefined) return hash('sha256', `message of card ${card_id}|${rest}`)
  const number = 'pan' in card ? card.pan.reveal() : card.card_id
  return keys.digest('lookup', `message ${number}|${rest}`).toString('hex')
}
