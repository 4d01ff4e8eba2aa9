/** HTTP in and out of what the sandbox plays (D-23, D-111). */

import { User } from '#issuing/users/schema.ts'
import { KycRequest } from '#issuing/verification/schema.ts'
import { decideKyc, receiveReport } from '#issuing/verification/verification.ts'
import { type Route, route } from '#kit/route.ts'
import { IdPath } from '#kit/schema.ts'
import { obey } from '#lib/ruling.ts'
import { ruleOnPlayed } from './rules.ts'
import { PlayedKyc, PlayedReport, UserPath } from './schema.ts'

export const playedIdentityRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/simulate/idv/{user_id}',
    permission: 'write',
    summary: 'Play the report of the identity provider on a user whose check is open',
    sandbox: true,
    params: UserPath,
    body: PlayedReport,
    answer: User,
    refusals: ['verification_not_awaited'],
    run: (ctx, { params, body }) =>
      receiveReport(ctx, params.user_id, obey(ruleOnPlayed(body)), body.note),
  }),
  route({
    method: 'POST',
    path: '/simulate/kyc/{id}',
    permission: 'write',
    summary: 'Play the result of a KYC request',
    sandbox: true,
    params: IdPath,
    body: PlayedKyc,
    answer: KycRequest,
    refusals: ['kyc_decided'],
    run: (ctx, { params, body }) => decideKyc(ctx, params.id, body.result, body.note),
  }),
]
