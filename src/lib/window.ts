/** The periods in which limits count: they start at midnight of the tenant's zone (D-42). */

export type Period = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY' | 'LIFETIME'

/** `start` belongs to the window, `end` to the next. `key` is the local date of its first day. */
export type Window = { key: string; start: Date; end: Date }

/** The whole calendar of ISO 8601, which the database can store. */
const LIFETIME: Window = {
  key: '0001-01-01',
  start: new Date('0001-01-01T00:00:00.000Z'),
  end: new Date('9999-12-31T23:59:59.999Z'),
}

/** There are about 600 zones; a tenant may spell one in odd case, so the stores are bounded. */
const CACHED_MAX = 2000

const DAY = 86_400_000

const formatters = new Map<string, Intl.DateTimeFormat>()
const latest = new Map<string, Window>()

/** True for the name of a zone such as UTC or Asia/Dubai; a bare offset is none. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false
  try {
    formatterOf(name)
    return true
  } catch {
    return false
  }
}

/**
 * The window of the period that contains the instant, in the zone; weeks start on Monday (ISO
 * 8601). Days may have 23 or 25 hours, and a day without midnight starts with its first instant.
 * Throws a RangeError for a zone where `isTimeZone` is false.
 */
export function windowOf(period: Period, instant: Date, timeZone: string): Window {
  if (period === 'LIFETIME') return LIFETIME
  const name = `${period} ${timeZone}`
  const known = latest.get(name)
  if (known && instant >= known.start && instant < known.end) return known

  const [first, next] = firstDays(period, localDay(instant.getTime(), timeZone))
  const window = {
    key: new Date(first).toISOString().slice(0, 10),
    start: startOfDay(first, timeZone),
    end: startOfDay(next, timeZone),
  }
  remember(latest, name, window)
  return window
}

/** First day of the period around `day` and of the one after it, as midnights written in UTC. */
function firstDays(period: Exclude<Period, 'LIFETIME'>, day: number): [number, number] {
  const date = new Date(day)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  if (period === 'YEARLY') return [Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1)]
  if (period === 'MONTHLY') return [Date.UTC(year, month, 1), Date.UTC(year, month + 1, 1)]
  if (period === 'DAILY') return [day, day + DAY]
  const monday = day - ((date.getUTCDay() + 6) % 7) * DAY
  return [monday, monday + 7 * DAY]
}

/**
 * The first instant at which the zone writes this day or a later one. Searched by halves between
 * the widest offsets that zones have, which needs no case for clocks put forward at midnight.
 */
function startOfDay(day: number, timeZone: string): Date {
  let before = day - 15 * 3_600_000
  let reached = day + 13 * 3_600_000
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2)
    if (localDay(middle, timeZone) >= day) reached = middle
    else before = middle
  }
  return new Date(reached)
}

/** The day that the zone's calendar shows at the instant, as that day's midnight in UTC. */
function localDay(instant: number, timeZone: string): number {
  const [month, day, year] = formatterOf(timeZone).format(instant).split('/')
  return Date.UTC(Number(year), Number(month) - 1, Number(day))
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone)
  if (known) return known
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  remember(formatters, timeZone, formatter)
  return formatter
}

function remember<Value>(store: Map<string, Value>, name: string, value: Value): void {
  if (store.size >= CACHED_MAX) store.clear()
  store.set(name, value)
}
