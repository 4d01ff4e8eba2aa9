/** Routes of matches: the operator's alone. */

import { TenantQuery } from '#issuing/tenants/schema.ts'
import { objectOfAnyTenant } from '#issuing/tenants/tenants.ts'
import { type Route, route } from '#kit/http/route.ts'
import { IdPath } from '#kit/http/schema.ts'
import { MatchJudgement, MatchQuery, ScreeningMatch, ScreeningMatchList } from '../schema.ts'
import { findMatch, judgeMatch, listMatches } from '../verification.ts'

const judgedMatch = objectOfAnyTenant('screening_matches', ScreeningMatch, findMatch)

type Judging = Pick<Route, 'id' | 'description' | 'summary'> & {
  verb: 'dismiss' | 'confirm'
  status: 'DISMISSED' | 'CONFIRMED'
}

const judging = ({ verb, status, ...said }: Judging): Route =>
  route({
    ...said,
    tag: 'Operator',
    method: 'POST',
    path: `/operator/matches/{id}:${verb}`,
    permission: 'operator',
    params: IdPath,
    query: TenantQuery,
    body: MatchJudgement,
    answer: ScreeningMatch,
    errors: ['match_decided', 'tenant_ambiguous'],
    object: judgedMatch,
    run: (ctx, { params, query, body }) => judgeMatch(ctx, { ...params, ...query }, status, body),
  })

export const screeningRoutes: readonly Route[] = [
  route({
    id: 'listMatches',
    tag: 'Operator',
    description:
      'Lists entries of watchlists that may be users of a tenant, newest first, with how they ' +
      'were judged. Clients do not see them.',
    method: 'GET',
    path: '/operator/matches',
    permission: 'operator',
    summary: 'List matches with watchlists',
    query: MatchQuery,
    answer: ScreeningMatchList,
    run: (ctx, { query }) => listMatches(ctx, query),
  }),
  judging({
    id: 'dismissMatch',
    description:
      'Records that an entry of a watchlist is somebody else. It is not reported again unless it ' +
      'becomes more alike. The status of the user stays as it is. A match that is not OPEN fails ' +
      'with `match_decided`.',
    verb: 'dismiss',
    summary: 'Dismiss a match',
    status: 'DISMISSED',
  }),
  judging({
    id: 'confirmMatch',
    description:
      'Records that an entry of a watchlist is the user. The status of the user stays as it is: ' +
      'suspend the user by `:reject`, or reject its KYC request. A match that is not OPEN fails ' +
      'with `match_decided`.',
    verb: 'confirm',
    summary: 'Confirm a match',
    status: 'CONFIRMED',
  }),
]
