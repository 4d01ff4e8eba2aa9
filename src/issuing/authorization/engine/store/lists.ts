/** The lists that are in force for cards, among those that were read for a batch. */

import { type ListRef, listRefs } from '#issuing/lists/lists.ts'
import type { ListRule } from '#issuing/lists/rules.ts'
import type { Card, HeldCard, Lists } from '../../decide/rows.ts'

/** The key of a list within a tenant. */
export const listKey = ({ kind, id }: ListRef): string => `${kind}|${id}`

/** The lists that these cards and their products name. */
export const listRefsOf = (cards: Iterable<HeldCard>): ListRef[] =>
  [...cards].flatMap(({ card: { settings } }) => [
    ...listRefs(settings.product),
    ...listRefs(settings.card),
  ])

/** The same cards with their lists. */
export function withLists(
  cards: ReadonlyMap<string, HeldCard>,
  lists: readonly ListRule[],
): ReadonlyMap<string, HeldCard> {
  if (lists.length === 0) return cards
  const known = new Map(lists.map((list) => [listKey(list), list]))
  const listsOf = (layer: Card['settings']['card']): Lists =>
    Object.fromEntries(
      listRefs(layer).flatMap((ref) => {
        const list = known.get(listKey(ref))
        return list ? [[ref.kind, list]] : []
      }),
    )
  return new Map(
    [...cards].map(([id, held]) => {
      const { product, card: own } = held.card.settings
      const inForce = { product: listsOf(product), card: listsOf(own) }
      return [id, { ...held, card: { ...held.card, lists: inForce } }]
    }),
  )
}
