/** The periods in which limits count: they start at midnight of the tenant's zone (D-42). */

import { Temporal } from 'temporal-polyfill'
import { CALENDAR } from './time.ts'

export type Period = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY' | 'LIFETIME'

/** `start` belongs to the window, `end` to the next. `key` is the local date of its first day. */
export type Window = { key: string; start: Date; end: Date }

/** The whole calendar of ISO 8601, which the database can store. */
const LIFETIME: Window = { key: '0001-01-01', ...CALENDAR }

/** A few periods of about 600 zones; a tenant may spell one in odd case, so the store is bounded. */
const CACHED_MAX = 2000

const latest = new Map<string, Window>()

/** True for the name of a zone such as UTC or Asia/Dubai; a bare offset is none. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false
  try {
    localDay(new Date(0), name)
    return true
  } catch {
    return false
  }
}

/**
 * The window of the period that contains the instant, in the zone; weeks start on Monday (ISO
 * 8601). Days may have 23 or 25 hours, and a day without midnight starts with its first instant.
 * Throws a RangeError for a zone for which `isTimeZone` is false.
 */
export function windowOf(period: Period, instant: Date, timeZone: string): Window {
  if (period === 'LIFETIME') return LIFETIME
  const name = `${period} ${timeZone}`
  const known = latest.get(name)
  if (known && instant >= known.start && instant < known.end) return known

  const first = firstDay(period, localDay(instant, timeZone))
  const window = {
    key: first.toString(),
    start: startOfDay(first, timeZone),
    end: startOfDay(first.add(LENGTHS[period]), timeZone),
  }
  if (latest.size >= CACHED_MAX) latest.clear()
  latest.set(name, window)
  return window
}

/** The day of the instant in the zone, YYYY-MM-DD. */
export const localDate = (instant: Date, timeZone: string): string =>
  localDay(instant, timeZone).toString()

/** The time that the zone's clocks show at the instant, hh:mm:ss. */
export const localTime = (instant: Date, timeZone: string): string =>
  localInstant(instant, timeZone).toPlainTime().toString({ smallestUnit: 'second' })

/** The first instant of a day (YYYY-MM-DD) in the zone. */
export const instantOfDay = (day: string, timeZone: string): Date =>
  startOfDay(Temporal.PlainDate.from(day), timeZone)

/** An hour (0 to 23) of a day (YYYY-MM-DD) in the zone; one that is skipped there is the next. */
export const instantOfHour = (day: string, hour: number, timeZone: string): Date =>
  new Date(
    Temporal.PlainDate.from(day).toZonedDateTime({
      timeZone,
      plainTime: Temporal.PlainTime.from({ hour }),
    }).epochMilliseconds,
  )

const LENGTHS = {
  DAILY: { days: 1 },
  WEEKLY: { weeks: 1 },
  MONTHLY: { months: 1 },
  YEARLY: { years: 1 },
} as const satisfies Record<Exclude<Period, 'LIFETIME'>, Temporal.DurationLike>

/** First day of the period around `day`. */
function firstDay(period: keyof typeof LENGTHS, day: Temporal.PlainDate): Temporal.PlainDate {
  if (period === 'YEARLY') return day.with({ month: 1, day: 1 })
  if (period === 'MONTHLY') return day.with({ day: 1 })
  return period === 'WEEKLY' ? day.subtract({ days: day.dayOfWeek - 1 }) : day
}

/** The first instant of the day in the zone, also if the zone has no midnight on it. */
const startOfDay = (day: Temporal.PlainDate, timeZone: string): Date =>
  new Date(day.toZonedDateTime(timeZone).epochMilliseconds)

/** The day that the zone's calendar shows at the instant. */
const localDay = (instant: Date, timeZone: string): Temporal.PlainDate =>
  localInstant(instant, timeZone).toPlainDate()

const localInstant = (instant: Date, timeZone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timeZone)
