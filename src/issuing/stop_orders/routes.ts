import { Deleted } from '#issuing/tenants/schema.ts'
import { lockRow } from '#kit/db/locks.ts'
import { route } from '#kit/http/route.ts'
import { IdPath, ListOf } from '#kit/http/schema.ts'
import { NewStopOrder, StopOrder, StopOrderPath, StopOrderQuery } from './schema.ts'
import { createStopOrder, deleteStopOrder, findStopOrder, listStopOrders } from './stop_orders.ts'

export const stopOrderRoutes = [
  route({
    id: 'createStopOrder',
    tag: 'Stop orders',
    description:
      'Stops the recurring payments of a merchant: they are declined with 1895. The order holds ' +
      'for the card, for the cards that it replaces and for those that replace it: one for a ' +
      'merchant (`stop_order_exists`), at most 1,000 of all of them.',
    method: 'POST',
    path: '/cards/{id}/stoporders',
    permission: 'write',
    summary: 'Stop recurring payments of a merchant',
    params: IdPath,
    body: NewStopOrder,
    answer: StopOrder,
    errors: ['not_found', 'id_taken', 'stop_order_exists', 'stop_orders_reached'],
    run: (ctx, { params, body }) => createStopOrder(ctx, params.id, body),
  }),
  route({
    id: 'listStopOrders',
    tag: 'Stop orders',
    description: 'Lists the stop orders that hold for a card, newest first, in pages.',
    method: 'GET',
    path: '/cards/{id}/stoporders',
    permission: 'read',
    summary: 'List the stop orders of a card',
    params: IdPath,
    query: StopOrderQuery,
    answer: ListOf(StopOrder),
    errors: ['not_found'],
    run: (ctx, { params, query }) => listStopOrders(ctx, params.id, query),
  }),
  route({
    id: 'getStopOrder',
    tag: 'Stop orders',
    description: 'Answers one stop order that holds for the card.',
    method: 'GET',
    path: '/cards/{id}/stoporders/{stop_order_id}',
    permission: 'read',
    summary: 'Get a stop order',
    params: StopOrderPath,
    answer: StopOrder,
    errors: ['not_found'],
    lock: (tx, params) => lockRow(tx, 'stop_orders', params.stop_order_id),
    run: (ctx, { params }) => findStopOrder(ctx, params.id, params.stop_order_id),
  }),
  route({
    id: 'deleteStopOrder',
    tag: 'Stop orders',
    description:
      'Deletes a stop order. Recurring payments of the merchant are checked like all others again.',
    method: 'DELETE',
    path: '/cards/{id}/stoporders/{stop_order_id}',
    permission: 'write',
    summary: 'Delete a stop order',
    params: StopOrderPath,
    answer: Deleted,
    errors: ['not_found'],
    run: (ctx, { params }) => deleteStopOrder(ctx, params.id, params.stop_order_id),
  }),
]
