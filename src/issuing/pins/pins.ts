/** Front door of PINs: the one place where a card gets one (D-37). */

import { findProduct } from '#issuing/products/products.ts'
import { keepPin, keySets, revealNumber } from '#issuing/vault/vault.ts'
import type { Tx } from '#kit/context.ts'
import { emit } from '#kit/outbox.ts'
import { obey } from '#lib/ruling.ts'
import type { Secret } from '#lib/secret.ts'
import { pvvOf } from '#pin/pvv.ts'
import { pinChange } from './events.ts'
import { ruleOnPin } from './rules.ts'

/** Of a card, what its PIN depends on. */
export type PinnedCard = { id: string; card_product_id: string }

/**
 * Gives a card this PIN in place of any other, unblocks it and reports it. Kept is the verification
 * value alone. The caller has locked the card. Refuses with `pin_refused` what the product's terms
 * do not take: other than digits, another length, a weak PIN.
 */
export async function setPin(tx: Tx, card: PinnedCard, pin: Secret): Promise<void> {
  const [product, keys, pan] = await Promise.all([
    findProduct(tx, card.card_product_id),
    keySets(tx, [card.card_product_id]),
    revealNumber(tx, card.id),
  ])
  const own = keys.get(card.card_product_id)
  if (!own) throw new Error(`card product ${card.card_product_id} has no keys`)
  obey(ruleOnPin(pin, product.pin))
  await keepPin(tx, card.id, pvvOf({ pvk: own.pvk, pvki: own.pvki, pan, pin }))
  await emit(tx, pinChange(card.id))
}
