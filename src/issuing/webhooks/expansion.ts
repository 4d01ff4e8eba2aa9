/**
 * Makes the deliveries of the events of batches, which are written as one row without deliveries
 * (D-396). Rows are expanded by their place, and each is marked in the transaction that makes its
 * deliveries: a process that ends before the commit has done nothing, one that ends later leaves
 * nothing to do.
 *
 * The order of D-62 holds: a batch that changes an object again has seen the earlier one committed,
 * and has the greater place. So who sees the later row sees the earlier one too, and it is expanded
 * before or together with it.
 */

import { sql } from 'kysely'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { deliveryId, eventsOfRow } from '#kit/db/event_batches.ts'
import { BATCHES, DELIVERIES } from '#kit/db/outbox.ts'
import { type Sweep, tenantsWith } from '#kit/jobs/sweeper.ts'

/** Rows of one portion, and deliveries that it begins no further row after. */
const ROWS_MAX = 64
const DELIVERIES_MAX = 10_000

export const batchExpansion: Sweep = {
  name: 'deliveries of batches',
  channel: BATCHES,
  // A subquery with a limit can only be a look into the index.
  dueTenants: tenantsWith(sql`(
    select true from events r where r.tenant_id = t.id and r.to_deliver is not null
    order by r.place limit 1)`),
  run: expandBatches,
}

/** Expands one portion. `more` where rows may be left. */
export function expandBatches(ctx: Context | Tx): Promise<{ more: boolean }> {
  return transact(ctx, async (tx) => {
    const { expanded, waiting } = await insertBatchDeliveries(tx)
    if (expanded > 0) tx.afterCommit(() => tx.notify(DELIVERIES))
    return { more: waiting > expanded || waiting === ROWS_MAX }
  })
}

/**
 * The rows are locked in their order: a second process waits for the first one's commit and then
 * takes what is left. Events that `:recover` has delivered already stay as they are.
 */
async function insertBatchDeliveries({ db, tenant_id, now }: Tx) {
  const { rows } = await sql<{ expanded: number; waiting: number }>`
    with waiting as materialized (
      select id, event, object_ids, sequences, to_deliver, place from events
      where tenant_id = ${tenant_id} and to_deliver is not null
      order by place limit ${sql.lit(ROWS_MAX)}
      for no key update
    ), portion as materialized (
      select * from (
        select w.*, sum(cardinality(object_ids) * cardinality(to_deliver)) over (
          order by place rows between unbounded preceding and 1 preceding) as before
        from waiting w) w
      where coalesce(before, 0) < ${sql.lit(DELIVERIES_MAX)}
    ), marked as (
      update events set to_deliver = null, place = null
      where tenant_id = ${tenant_id} and id = any (array(select id from portion))
    ), delivered as (
      insert into deliveries (tenant_id, id, webhook_id, event_id, event, object_id, sequence,
        status, due, created, modified)
      select ${tenant_id}::uuid, ${deliveryId(sql`w.id`, sql`e.id`)}, w.id, e.id, r.event,
        e.object_id, e.sequence, 'PENDING', ${now}, ${now}, ${now}
      from (select *, null::uuid as object_id, null::integer as sequence from portion) r
      cross join ${eventsOfRow}
      join webhooks w
        on w.tenant_id = ${tenant_id} and w.id = any (r.to_deliver) and w.deleted is null
      on conflict (tenant_id, id) do nothing
    )
    select (select count(*)::int from portion) as expanded,
      (select count(*)::int from waiting) as waiting`.execute(db)
  const [counts] = rows
  if (!counts) throw new Error('a portion of batches has no counts')
  return counts
}
