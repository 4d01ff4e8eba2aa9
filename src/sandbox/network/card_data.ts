/** The card data that a terminal reads, and the PIN data that it sends. */

import type { AuthorizationRequest } from '#issuing/authorization/schema.ts'
import { findCard } from '#issuing/cards/cards.ts'
import { findCardsByNumber, keySets, revealNumber } from '#issuing/vault/vault.ts'
import type { Context } from '#kit/context.ts'
import { asInvalid, invalid } from '#kit/http/answers/problems.ts'
import { Secret } from '#lib/secret.ts'

/** The number is included only when a CVV2 or PIN is verified with it. */
export async function cardOf(
  ctx: Context,
  { card_id, card_number }: { card_id?: string; card_number?: string },
  withNumber: boolean,
): Promise<AuthorizationRequest['card']> {
  if (card_number !== undefined) return { pan: new Secret(card_number) }
  if (card_id === undefined) throw invalid('card_id', 'is required unless card_number is sent')
  const { id } = await findCard(ctx, card_id).catch(asInvalid('card_id', 'names no card'))
  return withNumber ? { pan: await revealNumber(ctx, id) } : { card_id: id }
}

/**
 * The PIN as a terminal would send it: a block under the zone key of the card's product. Undefined
 * for the number of no card.
 */
export async function blockOf(
  ctx: Context,
  card: AuthorizationRequest['card'],
  pin: string,
): Promise<Secret | undefined> {
  if (!('pan' in card)) return undefined
  const { pan } = card
  const [owner] = await findCardsByNumber(ctx, [pan])
  if (!owner) return undefined
  const { card_product_id } = await findCard(ctx, owner.card_id)
  const keys = (await keySets(ctx, [card_product_id])).get(card_product_id)
  if (!keys) throw new Error(`card product ${card_product_id} has no keys`)
  return ctx.custody.pinBlock(new Secret(pin), pan, keys)
}
