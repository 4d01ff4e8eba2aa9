/**
 * The state of a tenant's rows, as one checksum a table: equal before and after means untouched.
 * When a key or session was used last is no part of it, nor what is left of its rate.
 */

import { sql } from 'kysely'
import type { Db } from '#kit/db/database.ts'
import { BASE_TABLES } from './base_tables.ts'

export async function checksumsOf(db: Db, tenant_id: string): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select t.schema || '.' || t.name as name from (${sql.raw(BASE_TABLES)}) t
    join information_schema.columns on table_schema = t.schema and table_name = t.name
    where column_name = 'tenant_id' and table_name <> 'rate_buckets' order by 1`.execute(db)
  const checksums: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ checksum: string }>`
      select md5(coalesce(string_agg(row, e'\n' order by row), '')) as checksum
      from (select (to_jsonb(r) - 'last_used')::text as row from ${sql.raw(name)} r
        where tenant_id = ${tenant_id}) rows`.execute(db)
    checksums[name] = rows[0]?.checksum ?? ''
  }
  const { rows } = await sql<{ checksum: string }>`
    select md5(t::text) as checksum from tenants t where id = ${tenant_id}`.execute(db)
  return { ...checksums, tenants: rows[0]?.checksum ?? '' }
}
