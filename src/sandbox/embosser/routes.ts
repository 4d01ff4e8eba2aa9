/** Routes that simulate the bureau and the courier of physical cards (D-32, D-1025). */

import type { Sending } from '#issuing/card_orders/card_orders.ts'
import { cardObject } from '#issuing/cards/cards.ts'
import { Card } from '#issuing/cards/schema.ts'
import { type Route, route } from '#kit/http/route.ts'
import { IdPath } from '#kit/http/schema.ts'
import { Shipment } from './schema.ts'
import { answer, emboss } from './steps.ts'

const simulated = {
  method: 'POST',
  permission: 'write',
  sandbox: true,
  params: IdPath,
  answer: Card,
  errors: ['card_terminated', 'fulfillment_move_refused'],
  object: cardObject,
} as const

export const embosserRoutes = (sending: Sending): readonly Route[] => [
  route({
    id: 'simulateEmbossing',
    tag: 'Simulation',
    description:
      'Orders a card that is CREATED from the simulated bureau at once, in a batch of its own, ' +
      'instead of at the `card_order_hour` of the tenant: the card becomes ORDERED. Sends ' +
      'CARD_DELIVERY_STATUS_CHANGED. Exists in sandbox only.',
    ...simulated,
    path: '/simulate/cards/{id}:emboss',
    summary: 'Simulate the order of a card',
    run: (ctx, { params }) => emboss(ctx, sending, params.id),
  }),
  route({
    id: 'simulateShipment',
    tag: 'Simulation',
    description:
      'Moves a card from ORDERED to SHIPPED and records its courier. Sends ' +
      'CARD_DELIVERY_PARTNER_ASSIGNED and CARD_DELIVERY_STATUS_CHANGED. Exists in sandbox only.',
    ...simulated,
    path: '/simulate/cards/{id}:ship',
    summary: 'Simulate the shipment of a card',
    body: Shipment,
    run: (ctx, { params, body }) =>
      answer(ctx, params.id, { fulfillment_status: 'SHIPPED', ...body }),
  }),
  route({
    id: 'simulateDelivery',
    tag: 'Simulation',
    description:
      'Moves a card from SHIPPED to DELIVERED. Sends CARD_DELIVERY_STATUS_CHANGED. Exists in ' +
      'sandbox only.',
    ...simulated,
    path: '/simulate/cards/{id}:deliver',
    summary: 'Simulate the delivery of a card',
    run: (ctx, { params }) => answer(ctx, params.id, { fulfillment_status: 'DELIVERED' }),
  }),
  route({
    id: 'simulateFailedDelivery',
    tag: 'Simulation',
    description:
      'Moves a card from ORDERED or SHIPPED to FAILED. Sends CARD_DELIVERY_STATUS_CHANGED. ' +
      'Exists in sandbox only.',
    ...simulated,
    path: '/simulate/cards/{id}:failDelivery',
    summary: 'Simulate a failed delivery',
    run: (ctx, { params }) => answer(ctx, params.id, { fulfillment_status: 'FAILED' }),
  }),
]
