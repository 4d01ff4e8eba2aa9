/** Whether a batch was committed, by the row of its events (D-401). */

import { sql } from 'kysely'
import type { Context } from '#kit/context.ts'

/**
 * Takes the place of the row of a batch whose outcome is unknown: from then on that batch can not
 * be committed any more, wherever its COMMIT is. Answers true where the batch was committed before.
 * Fails, to be tried again, while it is still at work. The row that takes the place has no events.
 */
export async function settleBatch({ db, tenant_id }: Context, id: string): Promise<boolean> {
  await sql`
    insert into events (tenant_id, id, event, object_ids, sequences, created)
    select ${tenant_id}::uuid, ${id}::uuid, 'TRANSACTION', '{}', '{}', now()
    on conflict (tenant_id, id) do nothing`.execute(db)
  const { rows } = await sql<{ kept: boolean }>`
    select cardinality(object_ids) > 0 as kept from events
    where tenant_id = ${tenant_id} and id = ${id}`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`batch ${id} is neither committed nor settled`)
  return row.kept
}
