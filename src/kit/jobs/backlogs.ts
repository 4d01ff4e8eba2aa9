/**
 * The waiting work in the database, measured for the metrics (D-671). Each statement reads at most
 * ROWS_MAX entries of one index, whatever the size of the tables.
 */

import { type RawBuilder, sql } from 'kysely'
import { databaseNow } from '#kit/clock.ts'
import type { Db } from '#kit/db/database.ts'
import { ofReached } from '#kit/db/reached.ts'
import { metrics } from '#kit/metrics.ts'

/** A longer queue counts as one of so many. */
const ROWS_MAX = 10_000

export type Backlog = {
  queue: string
  /**
   * Selects `since`, the real time from which a row waits, of the rows of all tenants, in the order
   * of the index that has them alone: so no plan reads the table. Null if a row may wait for long
   * without a fault, as for the next attempt; the queue then has no age. As a function it gets the
   * condition that names the tenants whose node of a cluster answers; otherwise the queue cannot be
   * measured while one does not.
   */
  rows: RawBuilder<unknown> | ((reached: Reached) => RawBuilder<unknown>)
}

type Reached = (word: 'where' | 'and', column: string) => RawBuilder<unknown>

/**
 * Sets the metrics of each queue; they are absent if one could not be measured. While a node of a
 * cluster does not answer they are those of the others.
 */
export async function measureBacklogs(db: Db, backlogs: readonly Backlog[]): Promise<void> {
  try {
    const tenants = await db.listReached()
    const reached: Reached = (word, column) => ofReached(word, column, tenants)
    for (const { queue, rows } of backlogs) {
      if (typeof rows === 'function') setBacklog(queue, await findBacklog(db, rows(reached)))
      else if (tenants === undefined) setBacklog(queue, await findBacklog(db, rows))
      else forgetBacklog(queue)
    }
  } catch (error) {
    metrics.backlogRows.reset()
    metrics.backlogAge.reset()
    throw error
  }
}

function forgetBacklog(queue: string): void {
  metrics.backlogRows.remove({ queue })
  metrics.backlogAge.remove({ queue })
}

type Measured = { count: number; age: number | null }

function setBacklog(queue: string, { count, age }: Measured): void {
  metrics.backlogRows.set({ queue }, count)
  // The clock of a sandbox may be ahead of real time.
  if (age !== null) metrics.backlogAge.set({ queue }, Math.max(0, age))
  else metrics.backlogAge.remove({ queue })
}

async function findBacklog(db: Db, rows: RawBuilder<unknown>): Promise<Measured> {
  const result = await sql<Measured>`
    select count(*)::int as count,
      case when count(*) = 0 then 0 else extract(epoch from ${databaseNow} - min(since)) end::float8
        as age
    from (${rows} limit ${sql.lit(ROWS_MAX)}) waiting`.execute(db)
  const [found] = result.rows
  if (!found) throw new Error('a backlog has no count')
  return found
}
