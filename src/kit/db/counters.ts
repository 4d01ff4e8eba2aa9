/** Counters of a tenant: rows, so that they are at the tenant's node like all else of it (D-655). */

import { sql } from 'kysely'
import type { Context } from '#kit/context.ts'

/**
 * The next number of a counter: 1, 2 and so on, and 1 again behind `last`. The next one to draw
 * waits until this transaction ends; a rolled back one gives its number back. With `count` it is
 * the last of so many numbers in a row; those before `last` that are too few are left out.
 */
export async function drawNumber(
  { db, tenant_id }: Pick<Context, 'db' | 'tenant_id'>,
  name: string,
  last = Number.MAX_SAFE_INTEGER,
  count = 1,
): Promise<bigint> {
  const { rows } = await sql<{ value: bigint }>`
    insert into counters as c (tenant_id, name, value)
    values (${tenant_id}, ${name}, ${count}::bigint)
    on conflict (tenant_id, name) do update
    set value = case when c.value > ${last - count}::bigint then 0 else c.value end
      + ${count}::bigint
    returning value`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`the counter ${name} gave no number`)
  return row.value
}
