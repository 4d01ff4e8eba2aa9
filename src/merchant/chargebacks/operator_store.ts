/** The statement of the operator, who belongs to no tenant: it looks in all of them. */

import { sql } from 'kysely'
import type { Context } from '#kit/context.ts'

/** The tenant of a merchant or of a chargeback, and how far its clock is ahead. */
export async function findPlace(
  { db }: Context,
  table: 'merchants' | 'chargebacks',
  id: string,
): Promise<{ tenant_id: string; clock_offset_ms: bigint } | undefined> {
  const { rows } = await sql<{ tenant_id: string; clock_offset_ms: bigint }>`
    select t.id as tenant_id, t.clock_offset_ms
    from ${sql.table(table)} c join tenants t on t.id = c.tenant_id
    where c.id = ${id}`.execute(db)
  return rows[0]
}
