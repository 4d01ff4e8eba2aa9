/**
 * Time is the database's: processes share its clock and ignore their own (D-350). Only this file
 * names SQL's clock.
 */

import { sql } from 'kysely'
import type { Db } from '#kit/db/database.ts'

/**
 * The start of the statement by the database's clock, truncated to the milliseconds that the
 * program uses. A row that one statement writes as due now is due for the next one that reads. It
 * is stable, so that an index can serve a comparison with it.
 */
export const databaseNow = sql<Date>`date_trunc('milliseconds', statement_timestamp())`

/** The real time of now and so many milliseconds. */
export const databaseNowPlus = (milliseconds: number) =>
  sql<Date>`${databaseNow} + ${milliseconds}::float8 * interval '1 millisecond'`

/** The clock of tenant `t`: the database's time plus the offset of the tenant. */
export const tenantNow = sql<Date>`${databaseNow} + t.clock_offset_ms * interval '1 millisecond'`

/** Real time, for work that no other statement gives it to. */
export async function readClock(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select ${databaseNow} as now`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the database returned no time')
  return row.now
}

/** Returns a clock that runs on from `now` by the monotonic clock. */
export function runningFrom(now: Date): () => Date {
  const since = performance.now()
  return () => new Date(now.getTime() + performance.now() - since)
}

/**
 * The database's clock as it runs on here between two statements that read it. The time shown is
 * behind the database's by at most the round trip of the last of them, never ahead by more than a
 * millisecond, and never goes back unless the database's clock does (D-391).
 */
export class RunningClock {
  /** The database's time less the monotonic time of this process, in milliseconds. */
  #ahead: number | undefined

  /** A statement that was sent at `sent` (monotonic) has just returned with the time `read`. */
  observe(read: Date, sent: number): void {
    const least = read.getTime() - performance.now()
    // Instants are truncated to the millisecond.
    const most = read.getTime() + 1 - sent
    this.#ahead = Math.min(Math.max(this.#ahead ?? least, least), most)
  }

  /** Milliseconds since 1970. Before the first observation there is no time. */
  now(): number {
    return performance.now() + (this.#ahead ?? Number.NaN)
  }
}
