/** The changes of a card's status, of the version that the member has seen. */

import { readCard } from '../../api/cards.ts'
import { answered, issuing } from '../../api/client.ts'
import type { Card } from '../../api/types.ts'
import { changeSeen } from '../../api/versions.ts'
import type { Target } from './moves.ts'

/** Demands the status that the member has seen; other members of the card may have changed. */
export const seenStatus = (card: Card) => ({
  item: card,
  read: () => readCard(card.id),
  isOther: ({ status, status_reason_code }: Card) =>
    status !== card.status || status_reason_code !== card.status_reason_code,
})

export function changeStatus(card: Card, target: Target, note: string): Promise<Card> {
  return changeSeen({ ...seenStatus(card), save: (match) => put(card.id, target, note, match) })
}

function put(id: string, target: Target, note: string, match: object): Promise<Card> {
  const body = { ...target, ...(note !== '' && { note: { description: note } }) }
  return answered(issuing.cards.changeStatus(id, body, match))
}

type Replacement = { card: Card; target: Target; note: string; key: string }

/**
 * Ends the card and issues one in its place: same user, product, account, settings and limits. A
 * card that an earlier press has ended already is not ended again.
 */
export async function replaceCard({ card, target, note, key }: Replacement): Promise<Card> {
  const { status } = target
  if (card.status !== status) {
    await changeSeen({
      ...seenStatus(card),
      isOther: (fresh) => fresh.status !== status && seenStatus(card).isOther(fresh),
      save: async (match, fresh) =>
        fresh.status === status ? fresh : put(card.id, target, note, match),
    })
  }
  const { user_id = '', card_product_id, card_type, id: reference_card_id } = card
  const body = { user_id, card_product_id, card_type, reference_card_id }
  return answered(issuing.cards.create(body, { idempotencyKey: key }))
}
