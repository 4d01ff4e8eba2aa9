/** Rows of subscriptions, and of their deliveries as clients read them. */

import { type Selectable, sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import type { Database } from '#kit/db/tables.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'

export type WebhookRow = Selectable<Database['webhooks']>
export type DeliveryRow = Selectable<Database['deliveries']> & { event: string }

/** Creations of one tenant are serialised, so that their count is exact. */
export async function countWebhooks({ db, tenant_id }: Tx): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks:${tenant_id}`}, 0))`.execute(
    db,
  )
  const row = await db
    .selectFrom('webhooks')
    .select((of) => of.fn.countAll().as('count'))
    .where('tenant_id', '=', tenant_id)
    .where('deleted', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** False when the id is taken, also by a subscription that was deleted. */
export async function insertWebhook({ db, tenant_id }: Tx, row: WebhookRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('webhooks')
    .values({ ...row, tenant_id })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export function findWebhookRow(
  { db, tenant_id }: Context,
  id: string,
): Promise<WebhookRow | undefined> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('deleted', 'is', null)
    .executeTakeFirst()
}

export function lockWebhookRow({ db, tenant_id }: Tx, id: string): Promise<WebhookRow | undefined> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('deleted', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export function listWebhookRows(
  { db, tenant_id }: Context,
  range: PageRange,
): Promise<WebhookRow[]> {
  const all = db
    .selectFrom('webhooks')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('deleted', 'is', null)
  return selectRange(all, range).execute()
}

export async function updateWebhook({ db, tenant_id }: Tx, row: WebhookRow): Promise<void> {
  const { id, tenant_id: _own, created: _created, ...members } = row
  await db
    .updateTable('webhooks')
    .set(members)
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute()
}

/** Ends what is still to be delivered to a subscription. */
export async function updateDeliveriesEnded(
  tx: Tx,
  webhook_id: string,
  error: string,
): Promise<void> {
  await tx.db
    .updateTable('deliveries')
    .set({ status: 'EXPIRED', due: null, claimed_until: null, error, modified: tx.now })
    .where('tenant_id', '=', tx.tenant_id)
    .where('webhook_id', '=', webhook_id)
    .where('due', 'is not', null)
    .execute()
}

export function listDeliveryRows(
  { db, tenant_id }: Context,
  webhook_id: string,
  status: DeliveryRow['status'] | undefined,
  range: PageRange,
): Promise<DeliveryRow[]> {
  const found = db
    .selectFrom('deliveries')
    .innerJoin('events', (join) =>
      join
        .onRef('events.tenant_id', '=', 'deliveries.tenant_id')
        .onRef('events.id', '=', 'deliveries.event_id'),
    )
    .selectAll('deliveries')
    .select('events.event')
    .where('deliveries.tenant_id', '=', tenant_id)
    .where('webhook_id', '=', webhook_id)
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'PENDING'))
  return selectRange(found, range, { by: 'deliveries.created', id: 'deliveries.id' }).execute()
}

export function lockDelivery({ db, tenant_id }: Tx, id: string) {
  return db
    .selectFrom('deliveries')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/**
 * Makes a delivery due at once. One that had ended starts its schedule anew. Undefined where its
 * event was dropped; the caller then rolls back.
 */
export async function updateDeliveryReopened(tx: Tx, id: string): Promise<DeliveryRow | undefined> {
  const { db, tenant_id, now } = tx
  const { rows } = await sql<DeliveryRow>`
    with reopened as (
      update deliveries set due = ${now}, modified = ${now},
        status = case when due is null then 'PENDING' else status end,
        attempts = case when due is null then 0 else attempts end
      where tenant_id = ${tenant_id} and id = ${id} returning *)
    select r.*, e.event from reopened r
    join events e on e.tenant_id = ${tenant_id} and e.id = r.event_id`.execute(db)
  return rows[0]
}

/**
 * A delivery of the newest event of an object to one subscription that is not subscribed to its
 * kind.
 */
export async function insertNewestDelivery(
  tx: Tx,
  webhook_id: string,
  id: string,
): Promise<DeliveryRow> {
  const { db, tenant_id, now } = tx
  const { rows } = await sql<DeliveryRow>`
    with newest as (
      select id, event, sequence from events
      where tenant_id = ${tenant_id} and object_id = ${webhook_id}
      order by sequence desc limit 1
    ), made as (
      insert into deliveries (tenant_id, id, webhook_id, event_id, object_id, sequence, status,
        due, created, modified)
      select ${tenant_id}::uuid, ${id}::uuid, ${webhook_id}::uuid, id, ${webhook_id}::uuid,
        sequence, 'PENDING', ${now}, ${now}, ${now} from newest returning *)
    select m.*, n.event from made m, newest n`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the new event is missing')
  return row
}

type Missed = { webhook: WebhookRow; since: Date; from_id: string; limit: number }

/**
 * Makes deliveries of the oldest events since then that this subscription never got, and opens
 * again those that expired. `from_id` is an id that no missed event precedes, so that the search
 * starts in the middle of the key. Answers how many there were.
 */
export async function upsertMissedDeliveries(tx: Tx, missed: Missed): Promise<number> {
  const { db, tenant_id, now } = tx
  const { webhook, since, from_id, limit } = missed
  const { rows } = await sql<{ id: string }>`
    insert into deliveries as d (tenant_id, id, webhook_id, event_id, object_id, sequence, status,
      due, created, modified)
    select e.tenant_id, gen_random_uuid(), ${webhook.id}::uuid, e.id, e.object_id, e.sequence,
      'PENDING', ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
    from events e
    where e.tenant_id = ${tenant_id} and e.id >= ${from_id}::uuid
      and e.created >= ${since}::timestamptz and e.event = any (${webhook.events}::text[])
      and not exists (
        select from deliveries k where k.tenant_id = ${tenant_id} and k.webhook_id = ${webhook.id}
          and k.event_id = e.id and k.status <> 'EXPIRED')
    order by e.id limit ${limit}
    on conflict (tenant_id, webhook_id, event_id) do update
      set status = 'PENDING', attempts = 0, due = ${now}, modified = ${now}
      where d.status = 'EXPIRED'
    returning d.id`.execute(db)
  return rows.length
}
