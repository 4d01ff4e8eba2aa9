/** How many rows a transaction reads of which tables, whatever the plan of its statements is. */

import { sql } from 'kysely'
import type { Tx } from '#kit/context.ts'

/**
 * Rows that the connection has read and not reported yet, of each table whose name begins so. On a
 * cluster these are the shards at the node that it is connected to, which Citus hides otherwise.
 */
export async function rowsRead({ db }: Tx, tables: RegExp): Promise<Map<string, number>> {
  await sql`set local citus.override_table_visibility = off`.execute(db)
  const { rows } = await sql<{ relname: string; read: bigint }>`
    select relname, seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables
    where relname ~ ${tables.source}`.execute(db)
  return new Map(rows.map(({ relname, read }) => [relname, Number(read)]))
}

export const sumOf = (read: ReadonlyMap<string, number>): number =>
  [...read.values()].reduce((sum, count) => sum + count, 0)
