import type { Authorizer } from '#issuing/authorization/authorization.ts'
import { Transaction } from '#issuing/transactions/schema.ts'
import { route } from '#kit/route.ts'
import { IdPath } from '#kit/schema.ts'
import {
  simulateAuthorization,
  simulateClearing,
  simulateIncrement,
  simulateRefund,
  simulateReversal,
} from './network.ts'
import {
  SimulatedAuthorization,
  SimulatedIncrement,
  SimulatedPart,
  SimulatedRefund,
} from './schema.ts'

const simulated = {
  method: 'POST',
  permission: 'write',
  sandbox: true,
  keepsOwnAnswer: true,
  answer: Transaction,
} as const

export const networkRoutes = (engine: Authorizer) => [
  route({
    id: 'simulateAuthorization',
    tag: 'Simulation',
    description: '',
    ...simulated,
    path: '/simulate/authorizations',
    summary: 'Play an authorization request of the card network',
    body: SimulatedAuthorization,
    run: (ctx, { body, keep }) => simulateAuthorization({ engine, ctx, keep }, body),
  }),
  route({
    id: 'simulateIncrement',
    tag: 'Simulation',
    description: '',
    ...simulated,
    path: '/simulate/authorizations/{id}:increment',
    summary: 'Raise an authorization',
    params: IdPath,
    body: SimulatedIncrement,
    run: (ctx, { params, body, keep }) =>
      simulateIncrement({ engine, ctx, keep }, params.id, body.amount),
  }),
  route({
    id: 'simulateReversal',
    tag: 'Simulation',
    description: '',
    ...simulated,
    path: '/simulate/authorizations/{id}:reverse',
    summary: 'Take back an authorization, or a part of it',
    params: IdPath,
    body: SimulatedPart,
    bodyOptional: true,
    run: (ctx, { params, body, keep }) =>
      simulateReversal({ engine, ctx, keep }, params.id, body.amount),
  }),
  route({
    id: 'simulateClearing',
    tag: 'Simulation',
    description: '',
    ...simulated,
    path: '/simulate/authorizations/{id}:clear',
    summary: 'Clear an authorization, or a part of it',
    params: IdPath,
    body: SimulatedPart,
    bodyOptional: true,
    run: (ctx, { params, body, keep }) =>
      simulateClearing({ engine, ctx, keep }, params.id, body.amount),
  }),
  route({
    id: 'simulateRefund',
    tag: 'Simulation',
    description: '',
    ...simulated,
    path: '/simulate/refunds',
    summary: 'Play a refund of the card network',
    body: SimulatedRefund,
    run: (ctx, { body, keep }) => simulateRefund({ engine, ctx, keep }, body),
  }),
]
