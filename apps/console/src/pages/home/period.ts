/** The period of Home, and the one before it. */

import { queryOptions, useQuery } from '@tanstack/react-query'
import { answered, issuing } from '../../api/client.ts'
import type { AuthorizationStatistics } from '../../api/types.ts'
import { useFilters } from '../../parts/filters.tsx'
import { type Hour, lastDayOf } from './figures.ts'
import { COUNTING_MS, EVERY_MS, statisticsQuery } from './queries.ts'

/** Beside today, which an address without a period means. */
export const LONGER = ['week', 'fortnight'] as const
export type Period = 'today' | (typeof LONGER)[number]

/** `today` has the last 24 hours in its charts. */
export const DAYS: Readonly<Record<Period, number>> = { today: 1, week: 7, fortnight: 14 }

const HOUR_MS = 3_600_000
const DAY_HOURS = 24

/** It is kept in the address, so that a link shows the same figures. */
export function usePeriod() {
  const { values, set } = useFilters(['period'])
  const period: Period = LONGER.find((one) => one === values.period) ?? 'today'
  return { period, choose: (chosen: string) => set('period', chosen) }
}

export type Counted = {
  present: readonly Hour[]
  before: readonly Hour[]
  isPartial: boolean
}

/** The hours of a number of days that end at this hour: the API has at most 14 days in an answer. */
const hoursUntil = (end: number, days: number) =>
  queryOptions({
    queryKey: ['statistics', 'authorizations', end, days],
    queryFn: () => {
      const [from, to] = [end - days * DAY_HOURS * HOUR_MS, end].map((at) =>
        new Date(at).toISOString(),
      )
      const query = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
      return answered(issuing.transactions.getAuthorizationStatistics(query))
    },
    enabled: Number.isFinite(end),
    refetchInterval: ({ state }) => (state.data?.state === 'PARTIAL' ? COUNTING_MS : EVERY_MS),
  })

/** The clock of the tenant says when it ends, so it is asked for first. */
export function useCounted(period: Period, enabled: boolean) {
  const today = useQuery({ ...statisticsQuery, enabled })
  const isToday = period === 'today'
  const end = isToday || !today.data ? Number.NaN : Date.parse(today.data.to)
  const days = DAYS[period]
  const present = useQuery(hoursUntil(end, days))
  const before = useQuery(hoursUntil(end - days * DAY_HOURS * HOUR_MS, days))
  const error = today.error ?? present.error ?? before.error
  if (isToday) return { data: today.data && lastDay(today.data), error: today.error }
  if (!present.data || !before.data) return { data: undefined, error }
  const isPartial = [present.data, before.data].some(({ state }) => state === 'PARTIAL')
  return { data: { present: present.data.hours, before: before.data.hours, isPartial }, error }
}

function lastDay(statistics: AuthorizationStatistics): Counted {
  const { hours, state } = statistics
  const before = hours.slice(0, -DAY_HOURS).slice(-DAY_HOURS)
  return { present: lastDayOf(statistics), before, isPartial: state === 'PARTIAL' }
}
