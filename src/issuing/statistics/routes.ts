import { route } from '#kit/http/route.ts'
import { AuthorizationStatistics, StatisticsQuery } from './schema.ts'
import { authorizationStatistics } from './statistics.ts'

export const statisticsRoutes = [
  route({
    id: 'getAuthorizationStatistics',
    tag: 'Transactions',
    description:
      'Counts the authorizations of the tenant by hour of its clock, in at most 14 days: ' +
      'requests and advices that began a transaction, by their first decision. Credits, ' +
      'presentments without an authorization, reversals and approved increments are not counted. ' +
      'Hours are whole hours of UTC. If many hours are counted for the first time, ' +
      'the answer has state PARTIAL and the next call goes on.',
    method: 'GET',
    path: '/statistics/authorizations',
    permission: 'read',
    summary: 'Get authorizations by hour',
    query: StatisticsQuery,
    answer: AuthorizationStatistics,
    run: (ctx, { query }) => authorizationStatistics(ctx, query),
  }),
]
