/** Collects cards that are due to batches (D-1020): one product, one file, at most 5,000 cards. */

import {
  embossingDue,
  lockCardsDue,
  type StoredCard,
  updateCardsCollected,
} from '#issuing/cards/cards.ts'
import { findProduct } from '#issuing/products/products.ts'
import { findPins, keySets } from '#issuing/vault/vault.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'
import { newId } from '#lib/id.ts'
import { frozenOf } from './file/records.ts'
import type { Bureau } from './provider.ts'
import { insertOrder } from './store.ts'

const CARDS_A_BATCH = 5_000

/** Wakes what hands batches over. */
export const CARD_ORDERS = 'card orders'

/** The work of 1.0.0, which only marked the cards, has the same name. */
export const collecting = (bureau: Bureau): Sweep => ({
  ...embossingDue,
  run: (ctx) => collectPortion(ctx, bureau),
})

function collectPortion(ctx: Context, bureau: Bureau): Promise<{ more: boolean }> {
  return transact(ctx, async (tx) => {
    const cards = await lockCardsDue(tx, CARDS_A_BATCH)
    if (cards.length > 0) await makeBatch(tx, bureau, cards)
    return { more: cards.length > 0 }
  })
}

/** A batch of these cards of one product, which are CREATED and locked; returns its id. */
export async function makeBatch(
  tx: Tx,
  bureau: Bureau,
  cards: readonly StoredCard[],
): Promise<string> {
  const [first] = cards
  if (!first) throw new RangeError('cards')
  const { card_product_id } = first
  const ids = cards.map(({ id }) => id)
  const [product, sets, pins] = await Promise.all([
    findProduct(tx, card_product_id),
    keySets(tx, [card_product_id]),
    findPins(tx, ids),
  ])
  const has_chip = sets.get(card_product_id)?.imk_ac !== undefined
  const wants = product.production?.pin_mailer === true
  const records = cards.map((card) => ({
    id: newId(),
    card_id: card.id,
    frozen: frozenOf(card, product, { has_chip, mailer: wants && !pins.has(card.id) }),
  }))
  const id = newId()
  await Promise.all([
    insertOrder(tx, { ...orderOf(tx, bureau, id), card_product_id, count: cards.length }, records),
    updateCardsCollected(tx, id, ids),
  ])
  tx.afterCommit(() => tx.notify(CARD_ORDERS, tx.tenant_id))
  return id
}

function orderOf({ now }: Tx, { name, layout }: Bureau, id: string) {
  const day = now.toISOString().slice(0, 10).replaceAll('-', '')
  const form = layout === null ? 'csv' : 'txt'
  return { id, bureau: name, layout, file_name: `cards-${day}-${id}.${form}.pgp` }
}
