/** The content of a database as one value: two that are equal mean that nothing was written. */

import { sql } from 'kysely'
import type { Db } from '#kit/db/database.ts'
import { listBaseTables } from './base_tables.ts'

/** Tables that a process writes for itself, whatever becomes of the request that it serves. */
const NOTED = [
  ...['rate_buckets', 'processes', 'jobs', 'data_keys', 'applied_migrations'],
  // When they were last used, and what came over the wire, are written once a second for all.
  ...['api_keys', 'portal_sessions', 'wire_messages'],
]

export type Digest = () => Promise<Map<string, string>>

export async function openDigest(db: Db): Promise<Digest> {
  const tables = await listBaseTables(db, NOTED)
  const each = tables.map(
    (table) => sql`
      select ${sql.lit(table)} as name,
        count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as content
      from ${sql.raw(table)} t`,
  )
  const all = sql<{ name: string; content: string }>`${sql.join(each, sql` union all `)}`
  return async () => {
    const { rows } = await all.execute(db)
    return new Map(rows.map(({ name, content }) => [name, content]))
  }
}

/** The tables that differ. */
export const tablesChanged = (
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] => [...after.keys()].filter((name) => before.get(name) !== after.get(name))
