/** The effect of a request: how many rows it added to each table. */

import { sql } from 'kysely'
import type { Db } from '#kit/db/database.ts'
import { listBaseTables } from './base_tables.ts'

export type Rows = Record<string, number>

/** Written for many requests, or for none. */
const OF_NO_REQUEST = [
  ...['rate_buckets', 'counters', 'locks', 'due_work'],
  ...['schema_migrations', 'processes', 'wire_messages'],
]

async function countRows(db: Db): Promise<Rows> {
  const tables = await listBaseTables(db, OF_NO_REQUEST)
  const counts = tables.map(
    (name) => sql`select ${name} as name, count(*)::int as count from ${sql.raw(name)}`,
  )
  const { rows } = await sql<{ name: string; count: number }>`
    ${sql.join(counts, sql` union all `)}`.execute(db)
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

/** The tables that have more or fewer rows than before, and by how many. */
export async function effectOf(db: Db, action: () => Promise<void>): Promise<Rows> {
  const before = await countRows(db)
  await action()
  const after = await countRows(db)
  return Object.fromEntries(
    Object.entries(after)
      .map(([name, count]): [string, number] => [name, count - (before[name] ?? 0)])
      .filter(([, more]) => more !== 0),
  )
}
