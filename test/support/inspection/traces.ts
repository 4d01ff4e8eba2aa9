/** A search through a whole database. */

import { sql } from 'kysely'
import type { Db } from '#kit/db/database.ts'
import { listBaseTables } from './base_tables.ts'

/** The tables with a row that holds the text. */
export async function tablesThatHold(db: Db, text: string): Promise<string[]> {
  const tables = await listBaseTables(db)
  const found = await Promise.all(
    tables.map(async (table) => ((await holds(db, table, text)) ? table : undefined)),
  )
  return found.filter((name) => name !== undefined)
}

async function holds(db: Db, table: string, text: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select 1 from ${sql.raw(table)} t
      where position(${text} in t::text) > 0) as found`.execute(db)
  return rows[0]?.found ?? false
}
