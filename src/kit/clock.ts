/**
 * Time is the database's: processes share its clock, whatever their own ones show (D-350). Only
 * this file names SQL's clock.
 */

import { sql } from 'kysely'
import type { Db } from './database.ts'

/**
 * The start of the statement by the database's clock, cut to the whole milliseconds that the
 * program counts: what a statement writes is due for the next one that reads. It is stable, so
 * that an index answers a comparison with it.
 */
export const databaseNow = sql<Date>`date_trunc('milliseconds', statement_timestamp())`

/** The real time of now and so many milliseconds. */
export const databaseNowPlus = (milliseconds: number) =>
  sql<Date>`${databaseNow} + ${milliseconds}::float8 * interval '1 millisecond'`

/** What the clock of tenant `t` shows: the database's time and what the tenant's is ahead of it. */
export const tenantNow = sql<Date>`${databaseNow} + t.clock_offset_ms * interval '1 millisecond'`

/** Real time, for work that reads it from no other statement. */
export async function readClock(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select ${databaseNow} as now`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the database told no time')
  return row.now
}

/** A function that answers `now` and what has passed since, however the clocks are set. */
export function runningFrom(now: Date): () => Date {
  const since = performance.now()
  return () => new Date(now.getTime() + performance.now() - since)
}
