/** The lists that are in force for cards, among those that were read for a batch. */

import { type ListRef, listRefs } from '#issuing/lists/lists.ts'
import type { ListRule } from '#issuing/lists/rules.ts'
import type { CardEvidence, Lists } from '../../decide/checks/evidence.ts'

/** The key of a list within a tenant. */
export const listKey = ({ kind, id }: ListRef): string => `${kind}|${id}`

/** The lists that these cards and their products name. */
export const listRefsOf = (cards: Iterable<CardEvidence>): ListRef[] =>
  [...cards].flatMap(({ settings: { product, card } }) => [...listRefs(product), ...listRefs(card)])

/** The same cards with their lists. */
export function withLists(
  cards: ReadonlyMap<string, CardEvidence>,
  lists: readonly ListRule[],
): ReadonlyMap<string, CardEvidence> {
  if (lists.length === 0) return cards
  const known = new Map(lists.map((list) => [listKey(list), list]))
  const listsOf = (layer: CardEvidence['settings']['card']): Lists =>
    Object.fromEntries(
      listRefs(layer).flatMap((ref) => {
        const list = known.get(listKey(ref))
        return list ? [[ref.kind, list]] : []
      }),
    )
  return new Map(
    [...cards].map(([id, card]) => {
      const { product, card: own } = card.settings
      return [id, { ...card, lists: { product: listsOf(product), card: listsOf(own) } }]
    }),
  )
}
