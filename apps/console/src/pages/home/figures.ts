/** Today beside yesterday, from the hours that the API counts (D-613). */

import type { AuthorizationStatistics } from '../../api/types.ts'

export type Hour = AuthorizationStatistics['hours'][number]

export type Sums = { approved: number; declined: number; total: number }

export type Today = {
  /** Since midnight where the reader is. */
  sums: Sums
  /** Whole hours of today that have passed, and the same hours of yesterday. */
  whole: { until: Date; today: Sums; yesterday: Sums } | undefined
}

const HOUR_MS = 3_600_000

export function sumOf(hours: readonly Hour[]): Sums {
  const approved = hours.reduce((sum, hour) => sum + hour.approved, 0)
  const declined = hours.reduce((sum, hour) => sum + hour.declined, 0)
  return { approved, declined, total: approved + declined }
}

/** Undefined if nothing was decided. */
export const rateOf = ({ approved, total }: Sums): number | undefined =>
  total === 0 ? undefined : approved / total

/** The present hour is in no comparison: yesterday's was longer. */
export function todayOf({ now, hours }: AuthorizationStatistics): Today {
  const present = new Date(now)
  const midnight = new Date(present)
  midnight.setHours(0, 0, 0, 0)
  const dayBefore = new Date(midnight)
  dayBefore.setDate(dayBefore.getDate() - 1)
  const within = (from: number, to: number) =>
    hours.filter(({ hour }) => Date.parse(hour) >= from && Date.parse(hour) < to)
  const passed = Math.floor((present.getTime() - midnight.getTime()) / HOUR_MS) * HOUR_MS
  const [start, before] = [midnight.getTime(), dayBefore.getTime()]
  const whole = {
    until: new Date(start + passed),
    today: sumOf(within(start, start + passed)),
    yesterday: sumOf(within(before, before + passed)),
  }
  const sums = sumOf(within(start, Number.POSITIVE_INFINITY))
  return { sums, whole: passed > 0 ? whole : undefined }
}

/** The last hours, at most as many as a day has. */
export const lastDayOf = ({ hours }: AuthorizationStatistics): readonly Hour[] => hours.slice(-24)

export type Decline = { status_code: string; status_description: string; number: number }

/** The codes of all these hours, the most frequent first. */
export function declinesOf(hours: readonly Hour[]): Decline[] {
  const codes = new Map<string, Decline>()
  for (const decline of hours.flatMap(({ declines }) => declines)) {
    const { number = 0 } = codes.get(decline.status_code) ?? {}
    codes.set(decline.status_code, { ...decline, number: number + decline.number })
  }
  return [...codes.values()].toSorted((one, other) => other.number - one.number)
}

/** The amounts approved in all these hours, by currency. */
export function amountsOf(hours: readonly Hour[]): [currency: string, amount: number][] {
  const amounts = new Map<string, number>()
  for (const { currency, approved_amount } of hours.flatMap((hour) => hour.amounts)) {
    amounts.set(currency, (amounts.get(currency) ?? 0) + approved_amount)
  }
  return [...amounts]
}

/** The day where the reader is, as the filters of lists have it. */
export function dayOf(instant: string): string {
  const at = new Date(instant)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}
