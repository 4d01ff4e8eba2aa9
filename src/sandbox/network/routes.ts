import type { Authorizer } from '#issuing/authorization/authorization.ts'
import { Transaction } from '#issuing/transactions/schema.ts'
import { findTransaction } from '#issuing/transactions/transactions.ts'
import type { Tx } from '#kit/context.ts'
import { route } from '#kit/http/route.ts'
import { IdPath } from '#kit/http/schema.ts'
import {
  refundOf,
  requestOf,
  simulateAuthorization,
  simulateClearing,
  simulateIncrement,
  simulateRefund,
  simulateReversal,
} from './network.ts'
import {
  SimulatedAnswer,
  SimulatedAuthorization,
  SimulatedIncrement,
  SimulatedPart,
  SimulatedRefund,
  WhatIfQuery,
} from './schema.ts'
import { whatIf } from './what_if.ts'
import type { WireRecorder } from './wire_record.ts'

const simulated = {
  method: 'POST',
  permission: 'write',
  sandbox: true,
  keepsOwnAnswer: true,
  answer: Transaction,
} as const

/** The message that a request sends finds the transaction anew: it is not locked for it. */
const object = {
  schema: Transaction,
  read: (tx: Tx, { params }: { params: { id: string } }) => findTransaction(tx, params.id),
}

export const networkRoutes = (engine: Authorizer, recorder: WireRecorder | null) => [
  route({
    id: 'simulateAuthorization',
    tag: 'Simulation',
    description:
      'Sends an authorization request to the authorization engine as the card network does, and ' +
      'answers the transaction. A declined request also answers 200, with status DECLINED and ' +
      'the code in `status_code`. Sends TRANSACTION. An idempotency key makes a repeated ' +
      'request answer the same transaction. With `what_if=true` the request is only decided: ' +
      'nothing is stored, counted or sent, and the answer is the decision with all checks and ' +
      'the largest amount that would be approved. Exists in sandbox only.',
    ...simulated,
    path: '/simulate/authorizations',
    summary: 'Simulate an authorization request',
    query: WhatIfQuery,
    body: SimulatedAuthorization,
    answer: SimulatedAnswer,
    rules: (ctx, { body }) => requestOf(ctx, body),
    run: (ctx, { query, body, keep }) =>
      query.what_if
        ? whatIf({ ctx, keep }, body)
        : simulateAuthorization({ engine, ctx, keep, recorder }, body),
  }),
  route({
    id: 'simulateIncrement',
    tag: 'Simulation',
    description:
      'Sends a request to increase the hold of an authorization by an amount, and answers the ' +
      'transaction. A declined increment leaves the hold as it is. Sends TRANSACTION. Exists in ' +
      'sandbox only.',
    ...simulated,
    path: '/simulate/authorizations/{id}:increment',
    summary: 'Simulate an incremental authorization',
    params: IdPath,
    body: SimulatedIncrement,
    object,
    run: (ctx, { params, body, keep }) =>
      simulateIncrement({ engine, ctx, keep, recorder }, params.id, body.amount),
  }),
  route({
    id: 'simulateReversal',
    tag: 'Simulation',
    description:
      'Sends a reversal of an authorization, for the whole hold or for the amount in the body. ' +
      'The hold is released by it. Sends TRANSACTION. Exists in sandbox only.',
    ...simulated,
    path: '/simulate/authorizations/{id}:reverse',
    summary: 'Simulate a reversal',
    params: IdPath,
    body: SimulatedPart,
    bodyOptional: true,
    object,
    run: (ctx, { params, body, keep }) =>
      simulateReversal({ engine, ctx, keep, recorder }, params.id, body.amount),
  }),
  route({
    id: 'simulateClearing',
    tag: 'Simulation',
    description:
      'Sends a clearing of an authorization, for the amount in the body or for all that is not ' +
      'cleared yet. An amount above the hold is posted with status code 1855. If several without ' +
      'an amount come at one time, one clears all and the others have status code 1010. Sends ' +
      'TRANSACTION. Exists in sandbox only.',
    ...simulated,
    path: '/simulate/authorizations/{id}:clear',
    summary: 'Simulate a clearing',
    params: IdPath,
    body: SimulatedPart,
    bodyOptional: true,
    object,
    run: (ctx, { params, body, keep }) =>
      simulateClearing({ engine, ctx, keep, recorder }, params.id, body.amount),
  }),
  route({
    id: 'simulateRefund',
    tag: 'Simulation',
    description:
      'Sends a refund as the card network does, and answers the transaction. With ' +
      '`transaction_id` the refund belongs to that transaction and uses its card; without it a ' +
      'card must be sent. Sends TRANSACTION. Exists in sandbox only.',
    ...simulated,
    path: '/simulate/refunds',
    summary: 'Simulate a refund',
    body: SimulatedRefund,
    rules: (ctx, { body }) => refundOf(ctx, body),
    run: (ctx, { body, keep }) => simulateRefund({ engine, ctx, keep, recorder }, body),
  }),
]
