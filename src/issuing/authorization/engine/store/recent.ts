/** For how long messages of the network are looked up. */

import { sql } from 'kysely'
import { databaseNowPlus } from '#kit/clock.ts'

const DAY_MS = 86_400_000
/** DE7 contains no year, so a key must be forgotten long before it can come again. */
const LOOKED_UP_DAYS = 31

/**
 * Whether a row of network_messages is recent enough to be a repeat or an original: only the
 * partitions of these days are read, and not those that are made ahead.
 */
export const isRecent = (table: string) => sql<boolean>`(
  ${sql.ref(`${table}.created`)} >= ${databaseNowPlus(-LOOKED_UP_DAYS * DAY_MS)}
  and ${sql.ref(`${table}.created`)} < ${databaseNowPlus(DAY_MS)})`
