/** Queries of Home. */

import { queryOptions } from '@tanstack/react-query'
import { answered, issuing } from '../../api/client.ts'

/** Recent transactions that are shown. */
export const SHOWN = 10
/** A program has at most so many webhooks. */
const WEBHOOKS_MAX = 50
export const EVERY_MS = 60_000
/** A program with fewer days of funding left has to see to it. */
export const DAYS_FEW = 7
/** While hours are counted for the first time, each call counts more of them (D-610). */
export const COUNTING_MS = 500

export const recentQuery = queryOptions({
  queryKey: ['transactions', 'recent'],
  queryFn: () => answered(issuing.transactions.list({ limit: SHOWN })),
  refetchInterval: EVERY_MS,
})

export const statisticsQuery = queryOptions({
  queryKey: ['statistics', 'authorizations'],
  queryFn: () => answered(issuing.transactions.getAuthorizationStatistics()),
  refetchInterval: ({ state }) => (state.data?.state === 'PARTIAL' ? COUNTING_MS : EVERY_MS),
})

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks', 'all'],
  queryFn: () => answered(issuing.webhooks.list({ limit: WEBHOOKS_MAX })),
  refetchInterval: EVERY_MS,
})

export const fundingQuery = queryOptions({
  queryKey: ['funding'],
  queryFn: () => answered(issuing.accounts.listFunding()),
  refetchInterval: EVERY_MS,
})

/** A dispute whose deadline is nearer than this has to be seen to. */
const NEAR_MS = 7 * 86_400_000
const DISPUTES_SHOWN = 5
/** The statuses in which the issuer has to act. */
const OURS = ['DRAFT', 'REPRESENTED'] as const

export const endingQuery = (now: string | undefined) =>
  queryOptions({
    queryKey: ['disputes', 'ending', now],
    queryFn: async () => {
      const deadline_before = new Date(Date.parse(now ?? '') + NEAR_MS).toISOString()
      const pages = await Promise.all(
        OURS.map((status) => {
          const query = { status, deadline_before, limit: DISPUTES_SHOWN }
          return answered(issuing.disputes.list(query))
        }),
      )
      return pages.flatMap(({ data }) => data)
    },
    enabled: now !== undefined,
    refetchInterval: EVERY_MS,
  })

export const awaitingQuery = queryOptions({
  queryKey: ['users', 'awaiting', 'any'],
  queryFn: () => {
    const query = { awaits_checks: true, limit: 1 }
    return answered(issuing.users.list(query))
  },
  refetchInterval: EVERY_MS,
})
