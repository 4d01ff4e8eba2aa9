/** HTTP in and out of what the sandbox plays (D-23, D-111). */

import { User } from '#issuing/users/schema.ts'
import { KycRequest } from '#issuing/verification/schema.ts'
import { decideKyc, receiveReport } from '#issuing/verification/verification.ts'
import { type Route, route } from '#kit/route.ts'
import { IdPath } from '#kit/schema.ts'
import { unwrap } from '#lib/result.ts'
import { ruleOnSimulated } from './rules.ts'
import { SimulatedKyc, SimulatedReport, UserPath } from './schema.ts'

export const simulatedIdentityRoutes: readonly Route[] = [
  route({
    id: 'postSimulateIdvUserId',
    tag: 'Simulation',
    description: '',
    method: 'POST',
    path: '/simulate/idv/{user_id}',
    permission: 'write',
    summary: 'Play the report of the identity provider on a user whose check is open',
    sandbox: true,
    params: UserPath,
    body: SimulatedReport,
    answer: User,
    errors: ['verification_not_awaited'],
    run: (ctx, { params, body }) =>
      receiveReport(ctx, params.user_id, unwrap(ruleOnSimulated(body)), body.note),
  }),
  route({
    id: 'postSimulateKycId',
    tag: 'Simulation',
    description: '',
    method: 'POST',
    path: '/simulate/kyc/{id}',
    permission: 'write',
    summary: 'Play the result of a KYC request',
    sandbox: true,
    params: IdPath,
    body: SimulatedKyc,
    answer: KycRequest,
    errors: ['kyc_decided'],
    run: (ctx, { params, body }) => decideKyc(ctx, params.id, body.result, body.note),
  }),
]
