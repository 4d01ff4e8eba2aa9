/** Counters of a tenant: rows, so that they are at the tenant's node like all else of it (D-655). */

import { sql } from 'kysely'
import type { Tx } from '#kit/context.ts'

/**
 * The next number of a counter: 1, 2 and so on, and 1 again behind `last`. The next one to draw
 * waits until this transaction ends; a rolled back one gives its number back.
 */
export async function drawNumber(
  { db, tenant_id }: Tx,
  name: string,
  last = Number.MAX_SAFE_INTEGER,
): Promise<bigint> {
  const { rows } = await sql<{ value: bigint }>`
    insert into counters as c (tenant_id, name, value) values (${tenant_id}, ${name}, 1)
    on conflict (tenant_id, name) do update set value = c.value % ${last}::bigint + 1
    returning value`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`the counter ${name} gave no number`)
  return row.value
}
