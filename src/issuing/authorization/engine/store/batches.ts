/** Whether a batch was committed, by the row of its events (D-401). */

import { sql } from 'kysely'
import { databaseNow } from '#kit/clock.ts'
import type { Context } from '#kit/context.ts'

/**
 * Takes the place of the row of a batch whose outcome is unknown: from then on that batch can not
 * be committed any more, wherever its COMMIT is. Fails, to be tried again, while it is still at
 * work. The row that takes the place has no events.
 */
export async function insertEmptyBatch({ db, tenant_id }: Context, id: string): Promise<void> {
  await sql`
    insert into events (tenant_id, id, event, object_ids, sequences, created)
    select ${tenant_id}::uuid, ${id}::uuid, 'TRANSACTION', '{}', '{}', ${databaseNow}
    on conflict (tenant_id, id) do nothing`.execute(db)
}

/** Whether the row of a batch has events: the batch was committed. */
export async function hasEvents({ db, tenant_id }: Context, id: string): Promise<boolean> {
  const { rows } = await sql<{ kept: boolean }>`
    select cardinality(object_ids) > 0 as kept from events
    where tenant_id = ${tenant_id} and id = ${id}`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`batch ${id} has no row`)
  return row.kept
}
