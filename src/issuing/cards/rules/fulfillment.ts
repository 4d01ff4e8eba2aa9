/** The way of the plastic from the embosser to its holder (D-32, D-110): one table of moves. */

import { fail, ok, type Result } from '#lib/result.ts'
import { windowOf } from '#lib/window.ts'
import type { CardErrorCode } from '../errors.ts'
import type { FulfillmentStatus } from '../schema.ts'

export type FulfillmentMove = {
  /** What happens, for people. */
  when: string
  from: FulfillmentStatus
  to: FulfillmentStatus
  /** What else happens, for people. */
  effects?: string
}

/** Every move there is. A card begins as CREATED: at issuing when physical, else by migration. */
export const fulfillmentMoves: readonly FulfillmentMove[] = [
  { when: 'the card goes to the embosser, on the next day', from: 'CREATED', to: 'ORDERED' },
  { when: 'the card is handed to its courier', from: 'ORDERED', to: 'SHIPPED' },
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

/** Whether the plastic may take this step; that of a terminated card takes none. */
export function ruleOnFulfillment(
  { status, fulfillment_status }: Card,
  to: FulfillmentStatus,
): Result<FulfillmentStatus, CardErrorCode> {
  if (status === 'TERMINATED') return fail('card_terminated')
  if (fulfillmentMoves.some((move) => move.from === fulfillment_status && move.to === to)) {
    return ok(to)
  }
  const state = fulfillment_status ?? 'not there: the card is virtual'
  return fail('fulfillment_move_refused', { detail: `The fulfillment is ${state}.` })
}

/** When a card that is CREATED goes to the embosser: as the next day of the tenant begins. */
export const embossDue = (now: Date, time_zone: string): Date =>
  windowOf('DAILY', now, time_zone).end
