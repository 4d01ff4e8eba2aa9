import type { Tx } from '#kit/context.ts'
import { type Route, route } from '#kit/http/route.ts'
import * as payouts from './payouts.ts'
import * as schema from './schema.ts'
import { getStatement } from './statement.ts'

export const payoutRoutes: readonly Route[] = [
  route({
    id: 'getStatement',
    tag: 'Payouts',
    description:
      'Returns what the merchant captured, refunded, lost by disputes and paid in fees from one ' +
      'day to another, ' +
      'for each currency and by day, and what it is owed at present. An operation belongs to ' +
      'the day in UTC on which it succeeded, and its fee is that of the time of its request.',
    method: 'GET',
    path: '/statement',
    permission: 'merchant',
    summary: 'Get a statement',
    query: schema.StatementQuery,
    answer: schema.Statement,
    run: (ctx, { query }) => getStatement(ctx, query),
  }),
  route({
    id: 'listPayouts',
    tag: 'Payouts',
    description:
      'Lists the payouts of the merchant, newest first. A payout is made after the end of a day ' +
      'in UTC for each currency in which something was captured, refunded or disputed.',
    method: 'GET',
    path: '/payouts',
    permission: 'merchant',
    summary: 'List payouts',
    query: schema.PayoutsQuery,
    answer: schema.Payouts,
    run: (ctx, { query }) => payouts.listPayouts(ctx, query),
  }),
  route({
    id: 'getPayout',
    tag: 'Payouts',
    description:
      'Returns one payout. The filter `payout_id` of the lists of captures and refunds lists its ' +
      'parts.',
    method: 'GET',
    path: '/payouts/{id}',
    permission: 'merchant',
    summary: 'Get a payout',
    params: schema.PayoutPath,
    answer: schema.Payout,
    run: (ctx, { params }) => payouts.getPayout(ctx, params.id),
  }),
]

const mark = (to: 'PAID' | 'FAILED') => ({
  tag: 'Operator',
  method: 'POST' as const,
  permission: 'operator' as const,
  params: schema.PayoutPath,
  body: schema.PayoutMark,
  answer: schema.OperatorPayout,
  errors: ['payout_status_refused' as const],
  object: {
    schema: schema.OperatorPayout,
    read: (tx: Tx, { params }: Pick<Marked, 'params'>) => payouts.lockAnyPayout(tx, params.id),
  },
  run: (ctx: Parameters<typeof payouts.markPayout>[0], input: Marked) =>
    payouts.markPayout(ctx, input.params.id, to, input.body),
})
type Marked = { params: { id: string }; body: schema.PayoutMark }

/** Operator operations, mounted with the other operator routes (D-100). */
export const payoutOperatorRoutes: readonly Route[] = [
  route({
    id: 'listPayoutsAsOperator',
    tag: 'Operator',
    description:
      'Lists the payouts of the merchants of every tenant, newest first. With the status ' +
      '`PENDING` it lists what is to be paid.',
    method: 'GET',
    path: '/operator/payouts',
    permission: 'operator',
    summary: 'List the payouts of merchants',
    query: schema.OperatorPayoutsQuery,
    answer: schema.OperatorPayouts,
    run: (ctx, { query }) => payouts.listAsOperator(ctx, query),
  }),
  route({
    id: 'markPayoutPaid',
    description:
      'Records that a payout with the status `PENDING` or `FAILED` is paid, with the name of the ' +
      'transfer, and sends PAYOUT_PAID. Moves no money itself.',
    path: '/operator/payouts/{id}:markPaid',
    summary: 'Mark a payout as paid',
    ...mark('PAID'),
  }),
  route({
    id: 'markPayoutFailed',
    description:
      'Records that a payout with the status `PENDING` could not be paid, with the reason, and ' +
      'sends PAYOUT_FAILED. It is still owed, and may be marked as paid later.',
    path: '/operator/payouts/{id}:markFailed',
    summary: 'Mark a payout as failed',
    ...mark('FAILED'),
  }),
]
