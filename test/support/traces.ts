/** What a database holds, looked through as a whole. */

import { sql } from 'kysely'
import type { Db } from '#kit/db/database.ts'

type Table = { schema: string; name: string }

/** The tables with a row that holds the text. */
export async function tablesThatHold(db: Db, text: string): Promise<string[]> {
  const { rows } = await sql<Table>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
    order by 1, 2`.execute(db)
  const found = await Promise.all(
    rows.map(async (table) =>
      (await holds(db, table, text)) ? `${table.schema}.${table.name}` : undefined,
    ),
  )
  return found.filter((name) => name !== undefined)
}

async function holds(db: Db, { schema, name }: Table, text: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from ${sql.table(`${schema}.${name}`)} row
      where position(${text} in row::text) > 0) as found`.execute(db)
  return rows[0]?.found ?? false
}
