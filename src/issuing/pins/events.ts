/** The event of a new PIN, with the id of its card (D-61). */

import type { Event } from '#kit/event.ts'

export const pinChange = (card_id: string): Event => ({
  event: 'PIN_CHANGE',
  object_id: card_id,
  payload: { card_id },
})
