/** Queries of Home. */

import { queryOptions } from '@tanstack/react-query'
import { answered, issuing } from '../../api/client.ts'

/** Recent transactions that are shown. */
export const SHOWN = 10
/** A program has at most so many webhooks. */
const WEBHOOKS_MAX = 50
const EVERY_MS = 60_000
/** While hours are counted for the first time, each call counts more of them (D-610). */
const COUNTING_MS = 500

export const recentQuery = queryOptions({
  queryKey: ['transactions', 'recent'],
  queryFn: () => answered(issuing.GET('/transactions', { params: { query: { limit: SHOWN } } })),
})

export const statisticsQuery = queryOptions({
  queryKey: ['statistics', 'authorizations'],
  queryFn: () => answered(issuing.GET('/statistics/authorizations', { params: { query: {} } })),
  refetchInterval: ({ state }) => (state.data?.state === 'PARTIAL' ? COUNTING_MS : EVERY_MS),
})

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks', 'all'],
  queryFn: () => answered(issuing.GET('/webhooks', { params: { query: { limit: WEBHOOKS_MAX } } })),
})

export const fundingQuery = queryOptions({
  queryKey: ['funding'],
  queryFn: () => answered(issuing.GET('/funding')),
})
