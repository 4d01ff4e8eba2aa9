/** Routes that simulate identity verification and KYC (D-23, D-111). */

import { User } from '#issuing/users/schema.ts'
import { KycRequest } from '#issuing/verification/schema.ts'
import { decideKyc, receiveReport } from '#issuing/verification/verification.ts'
import { type Route, route } from '#kit/http/route.ts'
import { IdPath } from '#kit/http/schema.ts'
import { unwrap } from '#lib/result.ts'
import { checkSimulated } from './rules.ts'
import { SimulatedKyc, SimulatedReport, UserPath } from './schema.ts'

export const simulatedIdentityRoutes: readonly Route[] = [
  route({
    id: 'simulateIdentityReport',
    tag: 'Simulation',
    description:
      'Simulates the report of the identity provider for a user whose check is open; without ' +
      'one it fails with `verification_not_awaited`. An `issuing_country` that the settings of ' +
      'the tenant do not allow changes the result. Sends USER_STATUS_CHANGE, and ' +
      'IDENTITY_VERIFICATION unless the user passes. Exists in sandbox only.',
    method: 'POST',
    path: '/simulate/idv/{user_id}',
    permission: 'write',
    summary: 'Simulate an identity report',
    sandbox: true,
    params: UserPath,
    body: SimulatedReport,
    answer: User,
    errors: ['verification_not_awaited'],
    run: (ctx, { params, body }) =>
      receiveReport(ctx, params.user_id, unwrap(checkSimulated(body)), body.note),
  }),
  route({
    id: 'simulateKycResult',
    tag: 'Simulation',
    description:
      'Ends a KYC request with a result and sends KYC_RESULT. OK makes a user ACTIVE that is ' +
      'PENDINGKYC, which sends USER_STATUS_CHANGE. A request that has a result fails with ' +
      '`kyc_decided`. Exists in sandbox only.',
    method: 'POST',
    path: '/simulate/kyc/{id}',
    permission: 'write',
    summary: 'Simulate the result of a KYC request',
    sandbox: true,
    params: IdPath,
    body: SimulatedKyc,
    answer: KycRequest,
    errors: ['kyc_decided'],
    run: (ctx, { params, body }) => decideKyc(ctx, params.id, body.result, body.note),
  }),
]
