/** For how long messages of the network are looked up. */

import { type RawBuilder, sql } from 'kysely'
import { databaseNowPlus } from '#kit/clock.ts'

const DAY_MS = 86_400_000
/** An authorization is raised while it is held: so long at most, by the tenant's settings. */
const RAISED_DAYS = 62
/** DE7 contains no year, so a key must be forgotten long before it can come again. */
const LOOKED_UP_DAYS = 31

/**
 * Whether a row of network_messages is recent enough to be a repeat or an original: only the
 * partitions of these days are read, and not those that are made ahead.
 */
export const isRecent = (table: string): RawBuilder<boolean> => sql`(
  ${sql.ref(`${table}.created`)} >= ${databaseNowPlus(-LOOKED_UP_DAYS * DAY_MS)}
  and ${sql.ref(`${table}.created`)} < ${databaseNowPlus(DAY_MS)})`

/** The same of transactions, whose ids contain the time; and where a new authorization looks. */
export const isRecentMessage = isIdWithin(LOOKED_UP_DAYS)
export const isRecentAuthorization = isIdWithin(RAISED_DAYS)

function isIdWithin(days: number): RawBuilder<boolean> {
  const from = firstIdAt(databaseNowPlus(-days * DAY_MS))
  return sql`(id >= ${from} and id < ${firstIdAt(databaseNowPlus(DAY_MS))})`
}

/** As firstIdAt of lib/id.ts, of an instant of the database. */
function firstIdAt(instant: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(lpad(to_hex((extract(epoch from ${instant}) * 1000)::bigint), 12, '0')
    || repeat('0', 20))::uuid`
}

/**
 * Equality, as a range. With the order of an index and a limit, PostgreSQL uses that index whatever
 * it estimates: for an equality it may as well read all ids of the time that `isRecentMessage`
 * names, or all transactions of a card.
 */
export const isKey = (column: RawBuilder<unknown>, key: RawBuilder<unknown>) => sql<boolean>`(
  ${column} >= ${key} and ${column} <= ${key})`
