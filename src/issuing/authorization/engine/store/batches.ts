/** Whether a batch was committed, by the row of its events (D-401). */

import { sql } from 'kysely'
import { databaseNow } from '#kit/clock.ts'
import type { Context, Tx } from '#kit/context.ts'
import { Write } from '#kit/db/write.ts'

/**
 * Takes the place of the row of a batch whose outcome is unknown: from then on that batch can not
 * be committed any more, wherever its COMMIT is. Fails, to be tried again, while it is still at
 * work. The row that takes the place has no events.
 */
export async function insertEmptyBatch({ db, tenant_id }: Context, id: string): Promise<void> {
  await sql`
    insert into events (tenant_id, id, event, object_ids, sequences, created)
    values (${tenant_id}, ${id}, 'TRANSACTION', '{}', '{}', ${databaseNow})
    on conflict (tenant_id, id) do nothing`.execute(db)
}

/** The row of a batch that reports no event, which shows that it was committed. */
export function insertQuietBatch({ db, tenant_id }: Tx, id: string): Write {
  const inserted = sql`
    insert into events (tenant_id, id, event, object_ids, sequences, payload, created)
    values (${tenant_id}, ${id}, 'TRANSACTION', '{}', '{}', '{}', ${databaseNow})`
  return Write.of(db, inserted)
}

/** Whether a row of `events` is that of a committed batch and not that of insertEmptyBatch. */
const isOfCommitted = sql<boolean>`(cardinality(object_ids) > 0 or payload is not null)`

/** Whether the batch was committed. */
export async function isCommitted({ db, tenant_id }: Context, id: string): Promise<boolean> {
  const { rows } = await sql<{ kept: boolean }>`
    select ${isOfCommitted} as kept from events
    where tenant_id = ${tenant_id} and id = ${id}`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`batch ${id} has no row`)
  return row.kept
}

/** Fails (kit/db/conflict.ts) unless this batch, whose outcome was not known, was committed. */
export function assertCommitted({ db, tenant_id }: Tx, batch: string): Write {
  const compared = sql`
    select 1 / count(*) from (
      select from events where tenant_id = ${tenant_id} and id = ${batch}
        and ${isOfCommitted} limit 1) b`
  return Write.of(db, compared)
}
