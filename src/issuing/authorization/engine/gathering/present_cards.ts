/** Cards as decisions see them at present, for those that decide stored messages again. */

import type { Context } from '#kit/context.ts'
import type { HeldCard } from '../../decide/rows.ts'
import { heldCards, listCards } from '../store/cards.ts'
import { listRefsOf, withLists } from '../store/lists.ts'
import { Products } from '../store/products.ts'
import { unique } from './named_rows.ts'

export type PresentCard = HeldCard & { chain_id: string }

/** The cards that exist and whose product does, by id. Three statements at most. */
export async function presentCards(
  ctx: Context,
  card_ids: readonly string[],
): Promise<Map<string, PresentCard>> {
  if (card_ids.length === 0) return new Map()
  // Products of its own: those that a process keeps may be older.
  const products = new Products()
  const cards = await listCards(ctx, card_ids)
  const terms = await products.find(
    ctx,
    unique(cards.map(({ columns }) => columns.card_product_id)),
  )
  const known = heldCards(cards, terms)
  const lists = await products.findLists(ctx, listRefsOf(known.values()))
  const chains = new Map(cards.map(({ columns }) => [columns.card_id, columns.chain_id]))
  return new Map(
    [...withLists(known, lists)].map(([id, held]) => [
      id,
      { ...held, chain_id: chains.get(id) ?? id },
    ]),
  )
}
