/** Routes that simulate the answers of the scheme to disputes (D-1064). */

import { disputeObject } from '#issuing/disputes/disputes.ts'
import { Dispute } from '#issuing/disputes/schema.ts'
import { route } from '#kit/http/route.ts'
import { IdPath } from '#kit/http/schema.ts'
import { SimulatedAnswer, SimulatedRepresentment } from './schema.ts'
import { simulateAnswer } from './scheme.ts'

const simulated = {
  tag: 'Simulation',
  method: 'POST',
  permission: 'write',
  sandbox: true,
  params: IdPath,
  bodyOptional: true,
  answer: Dispute,
  errors: ['not_found', 'dispute_move_refused', 'dispute_exceeds_amount'],
  object: disputeObject,
} as const
const SENDS = 'Sends DISPUTE_STATUS_CHANGE for each step between. Exists in sandbox only.'

export const schemeRoutes = [
  route({
    ...simulated,
    id: 'simulateRepresentment',
    description: `Presents the transaction of a dispute again, in whole or in part. ${SENDS}`,
    path: '/simulate/disputes/{id}:represent',
    summary: 'Simulate a second presentment',
    body: SimulatedRepresentment,
    run: (ctx, { params, body }) => simulateAnswer(ctx, params.id, 'represent', body),
  }),
  route({
    ...simulated,
    id: 'simulateWonDispute',
    description: `Decides a dispute for the cardholder. ${SENDS}`,
    path: '/simulate/disputes/{id}:win',
    summary: 'Simulate a won dispute',
    body: SimulatedAnswer,
    run: (ctx, { params, body }) => simulateAnswer(ctx, params.id, 'win', body),
  }),
  route({
    ...simulated,
    id: 'simulateLostDispute',
    description: `Decides a dispute against the cardholder, by arbitration. ${SENDS}`,
    path: '/simulate/disputes/{id}:lose',
    summary: 'Simulate a lost dispute',
    body: SimulatedAnswer,
    run: (ctx, { params, body }) => simulateAnswer(ctx, params.id, 'lose', body),
  }),
  route({
    ...simulated,
    id: 'simulateArbitration',
    description: `Leads a dispute to PRE_ARBITRATION. ${SENDS}`,
    path: '/simulate/disputes/{id}:arbitrate',
    summary: 'Simulate an arbitration',
    body: SimulatedAnswer,
    run: (ctx, { params, body }) => simulateAnswer(ctx, params.id, 'arbitrate', body),
  }),
]
