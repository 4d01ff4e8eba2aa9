/** When keys and sessions were used last, written together instead of with each request (D-575). */

import { sql } from 'kysely'
import { databaseNow, databaseNowPlus } from '#kit/clock.ts'
import { plainArray } from '#kit/db/arrays.ts'
import type { Db } from '#kit/db/database.ts'
import type { Log } from '#kit/log.ts'

/** Uses of so long are written together. */
const GATHER_MS = 1_000
/** A use that follows a written one sooner is not written. */
const PRECISION_MS = 10_000

const TABLES = ['api_keys', 'portal_sessions'] as const
type Table = (typeof TABLES)[number]

/** The memory of one process: at most one statement a second for each table. */
export class LastUses {
  readonly #db: Db
  readonly #log: Log
  readonly #used: Record<Table, Set<string>> = { api_keys: new Set(), portal_sessions: new Set() }
  #timer: NodeJS.Timeout | undefined

  constructor(db: Db, log: Log) {
    this.#db = db
    this.#log = log
  }

  note(table: Table, id: string): void {
    this.#used[table].add(id)
    this.#timer ??= setTimeout(() => void this.flush(), GATHER_MS).unref()
  }

  /** Writes the noted uses. A use that cannot be written is lost: the next use is noted again. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const table of TABLES) {
      const ids = [...this.#used[table]]
      this.#used[table].clear()
      if (ids.length === 0) continue
      await this.#write(table, ids).catch((err: unknown) =>
        this.#log.warn({ err }, 'the last uses were not written'),
      )
    }
  }

  /** Rows that another process is writing are left to it. */
  async #write(table: Table, ids: readonly string[]): Promise<void> {
    await sql`
      update ${sql.table(table)} set last_used = ${databaseNow}
      where id in (
        select id from ${sql.table(table)}
        where id = any (${plainArray(ids)}::uuid[])
          and (last_used is null or last_used < ${databaseNowPlus(-PRECISION_MS)})
        order by id for update skip locked)`.execute(this.#db.overAllTenants())
  }
}
