/** Searches for the tenants that have due work, by the rows of that work. */

import { type QueryResult, type RawBuilder, sql } from 'kysely'
import { tenantNow } from '#kit/clock.ts'
import type { Db } from '#kit/db/database.ts'
import { namingReached, ofReached } from '#kit/db/reached.ts'

/** Up to `limit` tenants with due work by the database's clock, with ids after `from`. */
export type DueTenants = (db: Db, from: string, limit: number) => Promise<string[]>

/** Before all other ids; it stands for no tenant. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Tenants that have a row of `table` whose `due` column has come on their own clock. The table has
 * an index on (tenant_id, due), partial on `when` (its row is `d`), so that the probe reads one
 * entry a tenant. `ahead_ms` adds what a claim has put off.
 */
export function tenantsWithDue(
  table: string,
  due: string,
  when: RawBuilder<unknown> = sql`true`,
  ahead_ms = 0,
): DueTenants {
  const until = sql`${tenantNow} + ${ahead_ms}::float8 * interval '1 millisecond'`
  return tenantsWith(
    sql`exists (
      select from ${sql.table(table)} d
      where d.tenant_id = t.tenant_id and ${when} and d.${sql.ref(due)} <= ${until})`,
  )
}

/**
 * Tenants that meet a condition, in which the tenant is `t` and rows of other tables are compared
 * with `t.tenant_id`. Citus takes the anchors for that, and no reference table.
 */
export function tenantsWith(condition: RawBuilder<unknown>): DueTenants {
  return async (db, from, limit) => {
    const tenants = await db.listReached()
    const reached = ofReached('and', 't.tenant_id', tenants)
    const look = sql<{ id: string }>`
      select t.id from (select t.*, a.tenant_id from tenant_anchors a
        join tenants t on t.id = a.tenant_id) t
      where t.id > ${from} and ${condition}${reached}
      order by t.id limit ${limit}`
    const { rows } = await (tenants === undefined ? look.execute(db) : lookAmong(db, look))
    return rows.map(({ id }) => id)
  }
}

/** The tenants that are reached are the last value but one. */
function lookAmong(db: Db, look: RawBuilder<{ id: string }>): Promise<QueryResult<{ id: string }>> {
  const compiled = look.compile(db)
  const text = namingReached(compiled.sql, compiled.parameters.length - 1)
  return db.executeQuery<{ id: string }>({ ...compiled, sql: text })
}
