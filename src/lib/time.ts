/** Instants, dates, months and durations of ISO 8601. The current time is always an argument. */

/** A length of time. Years and months are of the calendar; the rest has a fixed length. */
export type Duration = { months: number; milliseconds: number }

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** No duration is longer than this, so that adding one to a date of this age gives a date. */
const YEARS_MAX = 100

const INSTANT =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d)(?::?(\d\d))?)$/

const DATE_PART = /(?:(\d{1,6})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})W)?(?:(\d{1,6})D)?/.source
const TIME_PART = /(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6}(?:\.\d{1,3})?)S)?/.source
/** Each `(?=.)` rejects a letter P or T with nothing after it. */
const DURATION = new RegExp(`^P(?=.)${DATE_PART}(?:T(?=.)${TIME_PART})?$`)

/** YYYY-MM-DDTHH:mm:ss.sssZ, how the issuing API writes every instant (D-7). */
export function formatInstant(instant: Date): string {
  return instant.toISOString()
}

/** Six fraction digits, then `Z` or `+00:00`, as the merchant API writes instants (D-84). */
export function formatSixDigits(instant: Date, zone: 'Z' | '+00:00' = 'Z'): string {
  return `${instant.toISOString().slice(0, -1)}000${zone}`
}

/** YYYY-MM-DD of the instant in UTC. */
export function formatDate(instant: Date): string {
  return instant.toISOString().slice(0, 10)
}

/**
 * Reads a full timestamp with `Z` or an offset of up to 14 hours, with `T` or a space, as ISO 8601
 * and PostgreSQL write them. Digits past the millisecond are cut. Undefined for anything else:
 * a date alone, a day that the calendar lacks, hour 24, second 60, a year outside 0001 to 9999.
 */
export function parseInstant(text: string): Date | undefined {
  const match = INSTANT.exec(text)
  if (match === null) return undefined
  const [, date = '', hour, minute, second, fraction = '', sign, zoneHour = 0, zoneMinute = 0] =
    match
  if (!isDate(date) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) {
    return undefined
  }
  const offset = Number(zoneHour) * HOUR + Number(zoneMinute) * MINUTE
  if (offset > 14 * HOUR || Number(zoneMinute) > 59) return undefined
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0')
  const local = Date.parse(`${date}T${hour}:${minute}:${second}.${milliseconds}Z`)
  const instant = new Date(sign === '-' ? local + offset : local - offset)
  return isWithinCalendar(instant) ? instant : undefined
}

/** True for text that `parseInstant` reads. */
export function isInstant(text: string): boolean {
  return parseInstant(text) !== undefined
}

/** True for a day of the calendar as YYYY-MM-DD, years 0001 to 9999. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text.startsWith('0000')) return false
  const midnight = new Date(`${text}T00:00:00.000Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text)
}

/** True for YYYY-MM, years 0001 to 9999: how a card's expiry is written. */
export function isMonth(text: string): boolean {
  return isDate(`${text}-01`)
}

/** YYYY-MM of the instant in UTC. */
export function monthOf(instant: Date): string {
  const year = String(instant.getUTCFullYear()).padStart(4, '0')
  return `${year}-${String(instant.getUTCMonth() + 1).padStart(2, '0')}`
}

/** Counts months on or back: ('2026-11', 3) is '2027-02'. Throws if `month` is none. */
export function addMonths(month: string, count: number): string {
  const start = new Date(startOfMonth(month))
  start.setUTCMonth(start.getUTCMonth() + count)
  if (!isWithinCalendar(start)) throw new RangeError('the month is outside the years 0001 to 9999')
  return monthOf(start)
}

/** The last millisecond of a month in UTC: a card is good until then. Throws on no month. */
export function endOfMonth(month: string): Date {
  const next = new Date(startOfMonth(month))
  next.setUTCMonth(next.getUTCMonth() + 1)
  return new Date(next.getTime() - 1)
}

/**
 * Reads P1Y2M, P5D, PT36H, P2W, PT1.5S. Each number has up to six digits and the whole is at most
 * 100 years. Undefined for anything else, a sign among it.
 */
export function parseDuration(text: string): Duration | undefined {
  const match = DURATION.exec(text)
  if (match === null) return undefined
  const [years, months, weeks, days, hours, minutes, seconds] = match
    .slice(1)
    .map((field) => Number(field ?? 0))
  const all = {
    months: (years ?? 0) * 12 + (months ?? 0),
    milliseconds:
      ((weeks ?? 0) * 7 + (days ?? 0)) * DAY +
      (hours ?? 0) * HOUR +
      (minutes ?? 0) * MINUTE +
      Math.round((seconds ?? 0) * SECOND),
  }
  const inYears = all.months / 12 + all.milliseconds / (365 * DAY)
  return inYears <= YEARS_MAX ? all : undefined
}

/**
 * Adds calendar months first, in UTC, kept within the month they reach (31 January and a month is
 * 28 February), then the fixed part.
 */
export function addDuration(instant: Date, duration: Duration): Date {
  const reached = new Date(instant)
  if (duration.months > 0) {
    reached.setUTCDate(1)
    reached.setUTCMonth(reached.getUTCMonth() + duration.months)
    const lastDay = endOfMonth(monthOf(reached)).getUTCDate()
    reached.setUTCDate(Math.min(instant.getUTCDate(), lastDay))
  }
  return new Date(reached.getTime() + duration.milliseconds)
}

/** The name of a zone, a whole number of hours from UTC, in which it is this hour of the day. */
export function zoneAtHour(hour: number, now: Date): string {
  // 11 hours behind UTC to 12 ahead of it; the name of a zone ahead of it has a minus.
  const ahead = ((hour - now.getUTCHours() + 35) % 24) - 11
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}

/** Adds days of 24 hours. */
export function addDays(instant: Date, days: number): Date {
  return new Date(instant.getTime() + days * DAY)
}

/**
 * The instant if it is in the years 0001 to 9999, else the first or the last instant of these: the
 * database and ISO 8601 have no other years.
 */
export function withinCalendar(instant: Date): Date {
  if (instant < CALENDAR.start) return CALENDAR.start
  return instant > CALENDAR.end ? CALENDAR.end : instant
}

/** The first and the last instant of ISO 8601 with four digits of the year. */
export const CALENDAR = {
  start: new Date('0001-01-01T00:00:00.000Z'),
  end: new Date('9999-12-31T23:59:59.999Z'),
} as const

function startOfMonth(month: string): number {
  if (!isMonth(month)) throw new TypeError(`not a month: ${JSON.stringify(month)}`)
  return Date.parse(`${month}-01T00:00:00.000Z`)
}

function isWithinCalendar(instant: Date): boolean {
  const year = instant.getUTCFullYear()
  return year >= 1 && year <= 9999
}

/** Milliseconds to wait after so many attempts: `first_ms`, doubled with each, up to `last_ms`. */
export const doubledWait = (attempts: number, first_ms: number, last_ms: number): number =>
  Math.min(first_ms * 2 ** (Math.max(attempts, 1) - 1), last_ms)
