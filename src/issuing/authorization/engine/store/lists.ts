/** The lists that are in force for cards, of what was read for a batch. */

import { type ListRef, listRefs } from '#issuing/lists/lists.ts'
import type { ListRule } from '#issuing/lists/rules.ts'
import type { CardEvidence, Lists } from '../../decide/evidence.ts'

const keyOf = ({ kind, id }: ListRef): string => `${kind}|${id}`

/** The lists that these cards and their products name, each once. */
export function listRefsOf(cards: Iterable<CardEvidence>): ListRef[] {
  const refs = new Map<string, ListRef>()
  for (const { settings } of cards) {
    for (const level of [settings.product, settings.card]) {
      for (const { kind, id } of listRefs(level)) refs.set(keyOf({ kind, id }), { kind, id })
    }
  }
  return [...refs.values()]
}

/** The same cards with their lists. */
export function withLists(
  cards: ReadonlyMap<string, CardEvidence>,
  lists: readonly ListRule[],
): ReadonlyMap<string, CardEvidence> {
  if (lists.length === 0) return cards
  const known = new Map(lists.map((list) => [keyOf(list), list]))
  const listsOf = (layer: CardEvidence['settings']['card']): Lists =>
    Object.fromEntries(
      listRefs(layer).flatMap((ref) => {
        const list = known.get(keyOf(ref))
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
