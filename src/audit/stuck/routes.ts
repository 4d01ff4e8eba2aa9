import { type Route, route } from '#kit/http/route.ts'
import * as schema from './schema.ts'
import { endStuckPayment, listStuckPayments } from './stuck.ts'

/** Operator operations, mounted with the other operator routes (D-100). */
export const stuckRoutes = (ownIssuer: () => boolean): readonly Route[] => [
  route({
    id: 'listStuckPayments',
    tag: 'Operator',
    description:
      'Lists the payments, captures and refunds of the shops of every tenant that come to no ' +
      'outcome by themselves, newest first: their card is not stored, so that no reversal can be ' +
      'sent, or their issuer has not answered for 24 hours. Ask the issuer about `rrn`.',
    method: 'GET',
    path: '/operator/payments',
    permission: 'operator',
    summary: 'List payments that are stuck',
    query: schema.StuckQuery,
    answer: schema.StuckPayments,
    run: (ctx, { query }) => listStuckPayments(ctx, query),
  }),
  route({
    id: 'endStuckPayment',
    tag: 'Operator',
    description:
      'Ends a payment, capture or refund that is stuck with the outcome that its issuer states. ' +
      'An approved one has the effect of the approval: a payment opens its order. A declined one ' +
      'moves no money: the reference of a payment is free for a new checkout. No message about ' +
      'it is sent any more. If the issuer is this program, its transactions must agree.',
    method: 'POST',
    path: '/operator/payments/{id}:end',
    permission: 'operator',
    summary: 'End a payment that is stuck',
    params: schema.StuckPath,
    body: schema.EndInput,
    answer: schema.EndedPayment,
    errors: ['payment_not_stuck', 'payment_already_ended', 'payment_outcome_contradicted'],
    run: (ctx, { params, body }) => endStuckPayment(ctx, params.id, body, ownIssuer()),
  }),
]
