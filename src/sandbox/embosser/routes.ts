/** Routes that simulate the embosser and the courier of physical cards (D-32). */

import { cardObject, changeFulfillment } from '#issuing/cards/cards.ts'
import { Card } from '#issuing/cards/schema.ts'
import { route } from '#kit/http/route.ts'
import { IdPath } from '#kit/http/schema.ts'
import { Shipment } from './schema.ts'

const simulated = {
  method: 'POST',
  permission: 'write',
  sandbox: true,
  params: IdPath,
  answer: Card,
  errors: ['card_terminated', 'fulfillment_move_refused'],
  object: cardObject,
} as const

export const embosserRoutes = [
  route({
    id: 'simulateEmbossing',
    tag: 'Simulation',
    description:
      'Moves a card from CREATED to ORDERED at once, instead of on the next day of the tenant. ' +
      'Sends CARD_DELIVERY_STATUS_CHANGED. Exists in sandbox only.',
    ...simulated,
    path: '/simulate/cards/{id}:emboss',
    summary: 'Simulate the order of a card',
    run: (ctx, { params }) => changeFulfillment(ctx, params.id, { fulfillment_status: 'ORDERED' }),
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
      changeFulfillment(ctx, params.id, { fulfillment_status: 'SHIPPED', ...body }),
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
    run: (ctx, { params }) =>
      changeFulfillment(ctx, params.id, { fulfillment_status: 'DELIVERED' }),
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
    run: (ctx, { params }) => changeFulfillment(ctx, params.id, { fulfillment_status: 'FAILED' }),
  }),
]
