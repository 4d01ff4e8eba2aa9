/** What PINs report (D-61): that one is new, and of which card. */

import type { Event } from '#kit/outbox.ts'

export const pinChange = (card_id: string): Event => ({
  event: 'PIN_CHANGE',
  object_id: card_id,
  payload: { card_id },
})
