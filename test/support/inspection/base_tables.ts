/** The tables of the database, each partitioned one as a whole. */

import { sql } from 'kysely'
import type { Db } from '#kit/db/database.ts'

/** A query whose rows have `schema` and `name`, ready for use in SQL. */
export const BASE_TABLES = `
  select quote_ident(n.nspname) as schema, quote_ident(c.relname) as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition
    and n.nspname not in ('pg_catalog', 'information_schema')
  order by 1, 2`

/** Their names with schema, but for those of `without`. */
export async function listBaseTables(db: Db, without: readonly string[] = []): Promise<string[]> {
  const { rows } = await sql<{ schema: string; name: string }>`${sql.raw(BASE_TABLES)}`.execute(db)
  return rows
    .filter(({ name }) => !without.includes(name))
    .map(({ schema, name }) => `${schema}.${name}`)
}
