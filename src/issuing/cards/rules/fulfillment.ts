/** The table of fulfillment moves, from the embosser to the holder (D-32, D-110). */

import { fail, ok, type Result } from '#lib/result.ts'
import { instantOfHour, windowOf } from '#lib/window.ts'
import type { CardErrorCode } from '../errors.ts'
import type { FulfillmentStatus } from '../schema.ts'

export type FulfillmentMove = {
  /** The description of the move, for the documentation. */
  when: string
  from: FulfillmentStatus
  to: FulfillmentStatus
  /** Further effects, for the documentation. */
  effects?: string
}

/** All moves. A card begins as CREATED: at issuing when physical, otherwise by migration. */
export const fulfillmentMoves: readonly FulfillmentMove[] = [
  { when: 'the bureau has the order of the card', from: 'CREATED', to: 'ORDERED' },
  { when: 'the card is handed to the carrier', from: 'ORDERED', to: 'SHIPPED' },
  { when: 'the card has reached its holder', from: 'SHIPPED', to: 'DELIVERED' },
  { when: 'the card cannot be made', from: 'ORDERED', to: 'FAILED' },
  { when: 'the card cannot be delivered', from: 'SHIPPED', to: 'FAILED' },
  {
    when: 'the card is made again',
    from: 'FAILED',
    to: 'CREATED',
    effects: 'delivery_partner and tracking_number are cleared',
  },
]

type Card = { status: string; fulfillment_status: string | null }

/** Whether the fulfillment may take this step; a TERMINATED card allows none. */
export function checkFulfillment(
  { status, fulfillment_status }: Card,
  to: FulfillmentStatus,
): Result<FulfillmentStatus, CardErrorCode> {
  if (status === 'TERMINATED') return fail('card_terminated')
  if (fulfillmentMoves.some((move) => move.from === fulfillment_status && move.to === to)) {
    return ok(to)
  }
  const state = fulfillment_status ?? 'absent: the card is virtual'
  return fail('fulfillment_move_refused', { detail: `The fulfillment is ${state}.` })
}

/** When a card that is CREATED is ordered: at the tenant's next hour of orders, 0 to 23. */
export function embossDue(now: Date, time_zone: string, hour = 0): Date {
  const { key, end } = windowOf('DAILY', now, time_zone)
  const today = instantOfHour(key, hour, time_zone)
  if (today > now) return today
  return instantOfHour(windowOf('DAILY', end, time_zone).key, hour, time_zone)
}
