import type { Tx } from '#kit/context.ts'
import { lockRow } from '#kit/db/locks.ts'
import { type Route, route } from '#kit/http/route.ts'
import * as chargebacks from './chargebacks.ts'
import * as schema from './schema.ts'

const SENDS = 'Sends CHARGEBACK_STATUS_CHANGE.'

export const chargebackRoutes: readonly Route[] = [
  route({
    id: 'listChargebacks',
    tag: 'Disputes',
    description:
      'Lists the disputes of the merchant, newest first or by their deadline: what the card ' +
      'network took back of its orders for cardholders that contest them. The filters combine.',
    method: 'GET',
    path: '/disputes',
    permission: 'merchant',
    summary: 'List disputes',
    query: schema.ChargebacksQuery,
    answer: schema.Chargebacks,
    run: (ctx, { query }) => chargebacks.listChargebacks(ctx, query),
  }),
  route({
    id: 'getChargeback',
    tag: 'Disputes',
    description: 'Returns one dispute of the merchant.',
    method: 'GET',
    path: '/disputes/{id}',
    permission: 'merchant',
    summary: 'Get a dispute',
    params: schema.ChargebackPath,
    answer: schema.Chargeback,
    lock: (tx, params) => lockRow(tx, 'chargebacks', params.id),
    run: (ctx, { params }) => chargebacks.getChargeback(ctx, params.id),
  }),
  route({
    id: 'answerChargeback',
    tag: 'Disputes',
    description:
      'Contests a dispute with status `NEEDS_RESPONSE` by evidence, once: texts, and the files ' +
      `that it has by then. It is \`UNDER_REVIEW\` then. ${SENDS}`,
    method: 'POST',
    path: '/disputes/{id}/evidence',
    permission: 'merchant',
    summary: 'Send evidence',
    params: schema.ChargebackPath,
    body: schema.Evidence,
    answer: schema.Chargeback,
    errors: ['chargeback_move_refused', 'file_held'],
    run: (ctx, { params, body }) => chargebacks.answerChargeback(ctx, params.id, body),
  }),
  route({
    id: 'acceptChargeback',
    tag: 'Disputes',
    description:
      'Accepts a dispute with status `NEEDS_RESPONSE`: its amount is not given back. ' +
      'Sends CHARGEBACK_STATUS_CHANGE.',
    method: 'POST',
    path: '/disputes/{id}/accept',
    permission: 'merchant',
    summary: 'Accept a dispute',
    params: schema.ChargebackPath,
    answer: schema.Chargeback,
    errors: ['chargeback_move_refused'],
    run: (ctx, { params }) => chargebacks.acceptChargeback(ctx, params.id),
  }),
]

/** Operator operations, mounted with the other operator routes (D-100). */
export const chargebackOperatorRoutes: readonly Route[] = [
  route({
    id: 'recordChargeback',
    tag: 'Operator',
    description:
      'Records that the card network took an amount of an order back, where no files bring it, ' +
      `and takes it and the fee from the merchant. ${SENDS}`,
    method: 'POST',
    path: '/operator/chargebacks',
    permission: 'operator',
    summary: 'Record a chargeback',
    body: schema.NewChargeback,
    answer: schema.Chargeback,
    errors: ['chargeback_exceeds_order'],
    run: (ctx, { body }) => chargebacks.recordChargeback(ctx, body),
  }),
  route({
    id: 'recordChargebackStep',
    tag: 'Operator',
    description: `Records what became of a chargeback, as the merchant sees it. ${SENDS}`,
    method: 'POST',
    path: '/operator/chargebacks/{id}:record',
    permission: 'operator',
    summary: 'Record a step of a chargeback',
    params: schema.ChargebackPath,
    body: schema.NetworkStep,
    answer: schema.Chargeback,
    errors: ['not_found', 'chargeback_move_refused'],
    object: {
      schema: schema.Chargeback,
      read: (tx: Tx, { params }: { params: { id: string } }) =>
        chargebacks.lockAnyChargeback(tx, params.id),
    },
    run: (ctx, { params, body }) => chargebacks.recordChargebackStep(ctx, params.id, body.step),
  }),
]
