/** The event of a new PIN, with the id of its card (D-61). */

import { defineEvent } from '#kit/event.ts'
import { Field, Uuid } from '#kit/http/schema.ts'

const change = defineEvent({
  event: 'PIN_CHANGE',
  emitted: "A card's PIN is set or changed. The event does not contain the PIN.",
  object: 'card',
  payload: { card_id: Field('Id of the card.', Uuid) },
})

export const pinChange = (card_id: string) => change.about(card_id, { card_id })

export const pinEvents = [change] as const

declare module '#kit/event.ts' {
  interface EmittedKinds {
    pins: typeof pinEvents
  }
}
