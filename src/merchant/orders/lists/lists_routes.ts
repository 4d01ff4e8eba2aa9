import { type Route, route } from '#kit/http/route.ts'
import { listOperations, listOrders, totalOrders } from './lists.ts'
import * as schema from './lists_schema.ts'

export const listRoutes: readonly Route[] = [
  route({
    id: 'listOrders',
    tag: 'Orders',
    description:
      'Lists the orders of the merchant, newest first: all, or those that every filter of the ' +
      'query finds.',
    method: 'GET',
    path: '/orders',
    permission: 'merchant',
    summary: 'List orders',
    query: schema.OrdersQuery,
    answer: schema.Orders,
    run: (ctx, { query }) => listOrders(ctx, query),
  }),
  route({
    id: 'totalOrders',
    tag: 'Orders',
    description:
      'Returns the number of the orders that the filters find, and the sums of what is ' +
      'authorized, captured and refunded of them, for each currency. The filters are those of ' +
      'the list of orders.',
    method: 'GET',
    path: '/orders:totals',
    permission: 'merchant',
    summary: 'Get the totals of orders',
    query: schema.OrderTotalsQuery,
    answer: schema.OrderTotals,
    run: (ctx, { query }) => totalOrders(ctx, query),
  }),
  route({
    id: 'listCaptures',
    tag: 'Orders',
    description:
      'Lists the captures of all orders of the merchant, newest first, those that failed and ' +
      'those whose outcome is not known yet among them.',
    method: 'GET',
    path: '/captures',
    permission: 'merchant',
    summary: 'List captures',
    query: schema.OperationsQuery,
    answer: schema.Operations,
    run: (ctx, { query }) => listOperations(ctx, 'CAPTURE', query),
  }),
  route({
    id: 'listRefunds',
    tag: 'Orders',
    description:
      'Lists the refunds of all orders of the merchant, newest first, those that failed and ' +
      'those whose outcome is not known yet among them.',
    method: 'GET',
    path: '/refunds',
    permission: 'merchant',
    summary: 'List refunds',
    query: schema.OperationsQuery,
    answer: schema.Operations,
    run: (ctx, { query }) => listOperations(ctx, 'REFUND', query),
  }),
]
