import { lockRow } from '#kit/db/locks.ts'
import { type Route, route } from '#kit/http/route.ts'
import * as kept from './kept_cards.ts'
import * as schema from './schema.ts'

export const keptCardRoutes: readonly Route[] = [
  route({
    id: 'listKeptCards',
    tag: 'Kept cards',
    description:
      'Lists the cards that customers let the merchant keep, newest first, without their ' +
      'numbers. A customer agrees on the payment page of a checkout that names the customer in ' +
      '`order.customer.reference`; the card is kept once the payment is approved.',
    method: 'GET',
    path: '/kept-cards',
    permission: 'merchant',
    summary: 'List kept cards',
    query: schema.KeptCardsQuery,
    answer: schema.KeptCards,
    run: (ctx, { query }) => kept.listKeptCards(ctx, query),
  }),
  route({
    id: 'getKeptCard',
    tag: 'Kept cards',
    description: 'Returns one kept card of the merchant, without its number.',
    method: 'GET',
    path: '/kept-cards/{id}',
    permission: 'merchant',
    summary: 'Get a kept card',
    params: schema.KeptCardPath,
    answer: schema.KeptCard,
    lock: (tx, params) => lockRow(tx, 'merchant_kept_cards', params.id),
    run: (ctx, { params }) => kept.getKeptCard(ctx, params.id),
  }),
  route({
    id: 'deleteKeptCard',
    tag: 'Kept cards',
    description:
      'Deletes a kept card and its sealed number for good. No payment begins with it afterwards. ' +
      'Orders that it paid can still be captured and refunded.',
    method: 'DELETE',
    path: '/kept-cards/{id}',
    permission: 'merchant',
    summary: 'Delete a kept card',
    params: schema.KeptCardPath,
    answer: schema.DeletedKeptCard,
    run: (ctx, { params }) => kept.deleteKeptCard(ctx, params.id),
  }),
]
