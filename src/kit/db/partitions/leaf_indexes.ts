/**
 * Indexes of leaves that a later version has added. The parent cannot get them without a lock that
 * writers wait for, so each leaf has its own, built while others read and write it.
 */

import type pg from 'pg'
import { outsideTransaction } from '../ddl.ts'
import { leafIndex, monthOfName, type Partitioned } from './partition_months.ts'

type Lacking = { leaf: string; is_left: boolean }

/**
 * Gives the leaves of earlier versions the indexes that those have which are made now. The caller
 * holds the lock of migrations.
 */
export async function indexLeaves(
  client: pg.ClientBase,
  tables: readonly Partitioned[],
): Promise<void> {
  for (const table of tables) {
    for (const [at, columns] of (table.indexes ?? []).entries()) {
      for (const { leaf, is_left } of await listLacking(client, table, at)) {
        const name = leafIndex(leaf, at)
        // An interrupted build leaves an index that serves no statement.
        if (is_left) await outsideTransaction(client, `drop index concurrently ${name}`)
        const built = `create index concurrently ${name} on ${leaf} ${columns}`
        await outsideTransaction(client, built)
      }
    }
  }
}

/** The leaves without that index, or with one whose build did not end. */
async function listLacking(
  client: pg.ClientBase,
  table: Partitioned,
  at: number,
): Promise<Lacking[]> {
  const { rows } = await client.query<Lacking>(
    `select l.relname as leaf, x.indexrelid is not null as is_left
    from pg_inherits h join pg_class l on l.oid = h.inhrelid
    left join pg_class n on n.relnamespace = l.relnamespace and n.relname = l.relname || $2
    left join pg_index x on x.indexrelid = n.oid
    where h.inhparent = to_regclass($1) and not h.inhdetachpending and x.indisvalid is not true
    order by l.relname`,
    [table.table, leafIndex('', at)],
  )
  return rows.filter(({ leaf }) => monthOfName(table, leaf) !== undefined)
}
