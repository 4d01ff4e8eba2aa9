/** The days for which messages of the network are looked up. */

import { type RawBuilder, sql } from 'kysely'
import { databaseNowPlus } from '#kit/clock.ts'
import { firstIdAt, newId, timeOfId } from '#lib/id.ts'
import { LOOKED_UP_DAYS } from '../../decide/state/message_keys.ts'

const DAY_MS = 86_400_000
/** An authorization is raised while it is held; one that is held for longer is left as it is. */
const RAISED_DAYS = 62

/**
 * Whether a row of network_messages is recent enough to be a repeat or an original: only the
 * partitions of these days are read, and not those that are made ahead.
 */
export const isRecent = (table: string): RawBuilder<boolean> => sql`(
  ${sql.ref(`${table}.created`)} >= ${databaseNowPlus(-LOOKED_UP_DAYS * DAY_MS)}
  and ${sql.ref(`${table}.created`)} < ${databaseNowPlus(DAY_MS)})`

/** The same of transactions, whose ids contain the time; and where a new authorization looks. */
export const isRecentMessage = () => isIdWithin(LOOKED_UP_DAYS)
export const isRecentAuthorization = () => isIdWithin(RAISED_DAYS)

/** The conditions by the number of days; each is of one UTC day. */
const kept = new Map<number, { day: number; condition: RawBuilder<boolean> }>()

/**
 * Whole months, as literals. PostgreSQL then knows that the condition holds for nearly all rows of
 * the partitions that are left, and takes an index that finds fewer. For an expression it expects
 * very few rows, and may read a month of ids for each key. The statement changes once a month.
 */
function isIdWithin(days: number): RawBuilder<boolean> {
  // Ids have the time of the process that makes them.
  const now = timeOfId(newId())
  const day = Math.floor(now / DAY_MS)
  const known = kept.get(days)
  if (known?.day === day) return known.condition
  const from = firstIdAt(startOfMonth(new Date(now - days * DAY_MS), 0))
  const end = firstIdAt(startOfMonth(new Date(now + DAY_MS), 1))
  const condition = sql<boolean>`(id >= ${sql.lit(from)} and id < ${sql.lit(end)})`
  kept.set(days, { day, condition })
  return condition
}

/**
 * The start of the month that is `later` months after the instant's, in UTC; milliseconds since
 * 1970.
 */
const startOfMonth = (instant: Date, later: number): number =>
  Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + later)

/**
 * Equality, as a range. With the order of an index and a limit, PostgreSQL uses that index whatever
 * it estimates: for an equality it may as well read all transactions of the tenant or of a card.
 */
export const isKey = (column: RawBuilder<unknown>, key: RawBuilder<unknown>) => sql<boolean>`(
  ${column} >= ${key} and ${column} <= ${key})`
