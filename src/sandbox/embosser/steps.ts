/** The steps of the simulated bureau and its courier, by the same answers as a real one's (D-1025). */

import type { Sending } from '#issuing/card_orders/card_orders.ts'
import { applyBytes, orderCard, orderOfCard } from '#issuing/card_orders/card_orders.ts'
import type { AnswerStatus } from '#issuing/card_orders/schema.ts'
import { cardObject, changeFulfillment, checkFulfillment, lockCard } from '#issuing/cards/cards.ts'
import type { FulfillmentChange } from '#issuing/cards/schema.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { unwrap } from '#lib/result.ts'

/** Orders the card at once, in a batch of its own. */
export function emboss(ctx: Context | Tx, sending: Sending, id: string) {
  return transact(ctx, async (tx) => {
    const card = await lockCard(tx, id)
    unwrap(checkFulfillment(card, 'ORDERED'))
    await orderCard(tx, sending, card.id)
    return cardObject.read(tx, { params: { id } })
  })
}

/** The bureau answers the order of the card; without an order the card is moved all the same. */
export function answer(ctx: Context | Tx, id: string, step: FulfillmentChange) {
  return transact(ctx, async (tx) => {
    const card = await lockCard(tx, id)
    unwrap(checkFulfillment(card, step.fulfillment_status))
    const order = await orderOfCard(tx, card.id)
    if (!order) return changeFulfillment(tx, id, step)
    const { delivery_partner = '', tracking_number = '' } = step
    const status = statusOf(step, card.fulfillment_status)
    const cells = [order.id, status, '', tracking_number, '', delivery_partner]
    await applyBytes(tx, Buffer.from(`${cells.map(quoted).join(',')}\n`))
    return cardObject.read(tx, { params: { id } })
  })
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`

function statusOf({ fulfillment_status }: FulfillmentChange, before: string | null): AnswerStatus {
  if (fulfillment_status === 'SHIPPED' || fulfillment_status === 'DELIVERED') {
    return fulfillment_status
  }
  return before === 'SHIPPED' ? 'RETURNED' : 'REJECTED'
}
