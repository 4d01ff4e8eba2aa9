/** The sandbox's embosser and courier: each step of the plastic at once (D-32). */

import { changeFulfillment } from '#issuing/cards/cards.ts'
import { Card } from '#issuing/cards/schema.ts'
import { route } from '#kit/route.ts'
import { IdPath } from '#kit/schema.ts'
import { Shipment } from './schema.ts'

const simulated = {
  method: 'POST',
  permission: 'write',
  sandbox: true,
  params: IdPath,
  answer: Card,
  errors: ['card_terminated', 'fulfillment_move_refused'],
} as const

export const embosserRoutes = [
  route({
    id: 'simulateEmbossing',
    tag: 'Simulation',
    description: '',
    ...simulated,
    path: '/simulate/cards/{id}:emboss',
    summary: 'Order the plastic of a card at once',
    run: (ctx, { params }) => changeFulfillment(ctx, params.id, { fulfillment_status: 'ORDERED' }),
  }),
  route({
    id: 'simulateShipment',
    tag: 'Simulation',
    description: '',
    ...simulated,
    path: '/simulate/cards/{id}:ship',
    summary: 'Hand the plastic of a card to its courier',
    body: Shipment,
    run: (ctx, { params, body }) =>
      changeFulfillment(ctx, params.id, { fulfillment_status: 'SHIPPED', ...body }),
  }),
  route({
    id: 'simulateDelivery',
    tag: 'Simulation',
    description: '',
    ...simulated,
    path: '/simulate/cards/{id}:deliver',
    summary: 'Deliver the plastic of a card',
    run: (ctx, { params }) =>
      changeFulfillment(ctx, params.id, { fulfillment_status: 'DELIVERED' }),
  }),
  route({
    id: 'simulateFailedDelivery',
    tag: 'Simulation',
    description: '',
    ...simulated,
    path: '/simulate/cards/{id}:failDelivery',
    summary: 'Fail to make or to deliver the plastic of a card',
    run: (ctx, { params }) => changeFulfillment(ctx, params.id, { fulfillment_status: 'FAILED' }),
  }),
]
