import { lockRow } from '#kit/db/locks.ts'
import { type Route, route } from '#kit/http/route.ts'
import { IdPath } from '#kit/http/schema.ts'
import { findOrder, listAnswers, listOrders, sendOrders } from './card_orders.ts'
import type { Bureau } from './provider.ts'
import {
  BureauAnswerList,
  BureauAnswerQuery,
  CardOrder,
  CardOrderList,
  OrderQuery,
  SendOrders,
  SentOrders,
} from './schema.ts'

export const cardOrderRoutes = (bureau: Bureau | undefined): readonly Route[] => [
  route({
    id: 'listCardOrders',
    tag: 'Cards',
    description:
      'Lists the batches in which physical cards are ordered from the bureau, newest first, in ' +
      'pages. A batch is a file of the cards of one product.',
    method: 'GET',
    path: '/cardorders',
    permission: 'read',
    summary: 'List orders of cards',
    query: OrderQuery,
    answer: CardOrderList,
    run: async (ctx, { query }) => ({
      ...(await listOrders(ctx, query)),
      ...(bureau && { bureau: bureau.name }),
    }),
  }),
  route({
    id: 'getCardOrder',
    tag: 'Cards',
    description:
      'Answers one batch with its state, the name and digest of its file, and how many of its ' +
      'cards the bureau has answered. `card_order_id` of a card names its batch.',
    method: 'GET',
    path: '/cardorders/{id}',
    permission: 'read',
    summary: 'Get an order of cards',
    params: IdPath,
    answer: CardOrder,
    errors: ['not_found'],
    lock: (tx, params) => lockRow(tx, 'card_orders', params.id),
    run: (ctx, { params }) => findOrder(ctx, params.id),
  }),
  route({
    id: 'sendCardOrders',
    tag: 'Operator',
    description:
      'Orders the physical cards of a tenant that are CREATED at once, instead of at its ' +
      '`card_order_hour`, and tries batches again that wait. They are collected and handed over ' +
      'behind the answer. Without a bureau it fails with `not_configured`.',
    method: 'POST',
    path: '/operator/cardorders:send',
    permission: 'operator',
    summary: 'Send orders of cards now',
    body: SendOrders,
    answer: SentOrders,
    changes: ['tenant_id'],
    errors: ['not_configured'],
    run: (ctx, { body }) => sendOrders(ctx, bureau, body),
  }),
  route({
    id: 'listBureauAnswers',
    tag: 'Operator',
    description:
      'Lists the files in which the bureau has answered, newest first, with the lines that are ' +
      'wrong and have no effect.',
    method: 'GET',
    path: '/operator/bureauanswers',
    permission: 'operator',
    summary: 'List answers of the bureau',
    query: BureauAnswerQuery,
    answer: BureauAnswerList,
    run: (ctx, { query }) => listAnswers(ctx, query),
  }),
]
