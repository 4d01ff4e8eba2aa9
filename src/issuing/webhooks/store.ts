/** Rows of subscriptions, and of their deliveries as clients read them. */

import { type RawBuilder, type Selectable, sql } from 'kysely'
import { batchIdOf, deliveryId, eventsOfRow } from '#events/event_batches.ts'
import type { Context, Tx } from '#kit/context.ts'
import { plainArray } from '#kit/db/arrays.ts'
import { lockNames, sharedName } from '#kit/db/locks.ts'
import type { Database } from '#kit/db/tables.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'

export type WebhookRow = Selectable<Database['webhooks']>
export type DeliveryRow = Selectable<Database['deliveries']>

/** The merchant whose subscriptions the caller has; null for those of the tenant (D-750). */
export const merchantOf = ({ actor }: Pick<Context, 'actor'>): string | null =>
  actor.kind === 'merchant' ? actor.id : null

/**
 * The condition on row `w`. Every statement that names subscriptions or deliveries for a client has
 * it.
 */
const isOwn = (ctx: Pick<Context, 'actor'>) => {
  const merchant_id = merchantOf(ctx)
  return merchant_id === null
    ? sql<boolean>`w.merchant_id is null`
    : sql<boolean>`w.merchant_id = ${merchant_id}`
}

const ownWebhooks = (ctx: Context) =>
  ctx.db
    .selectFrom('webhooks as w')
    .where('w.tenant_id', '=', ctx.tenant_id)
    .where('w.deleted', 'is', null)
    .where(isOwn(ctx))

/** Creations of one owner are serialised, so that their count is exact. */
export async function countWebhooks(tx: Tx): Promise<number> {
  const merchant_id = merchantOf(tx)
  await lockNames(tx, [merchant_id === null ? 'webhooks' : sharedName('webhooks', merchant_id)])
  const row = await ownWebhooks(tx)
    .select((of) => of.fn.countAll().as('count'))
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

export function findWebhookRow(ctx: Context, id: string): Promise<WebhookRow | undefined> {
  return ownWebhooks(ctx).selectAll().where('w.id', '=', id).executeTakeFirst()
}

export function lockWebhookRow(tx: Tx, id: string): Promise<WebhookRow | undefined> {
  return ownWebhooks(tx).selectAll().where('w.id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

export function listWebhookRows(ctx: Context, range: PageRange): Promise<WebhookRow[]> {
  return selectRange(ownWebhooks(ctx).selectAll(), range).execute()
}

/** The subscriptions to one endpoint, also those of merchants. */
export function listWebhooksOf(
  { db, tenant_id }: Context,
  endpoint: string,
): Promise<WebhookRow[]> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('endpoint', '=', endpoint)
    .where('deleted', 'is', null)
    .execute()
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

type DeliveryFilter = {
  webhook_id: string
  status?: DeliveryRow['status']
  event?: string
}

/** The status is text of the statement: only so can the index of undelivered rows serve it. */
export function listDeliveryRows(
  { db, tenant_id }: Context,
  { webhook_id, status, event }: DeliveryFilter,
  range: PageRange,
): Promise<DeliveryRow[]> {
  const found = db
    .selectFrom('deliveries')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('webhook_id', '=', webhook_id)
    .$if(event !== undefined, (query) => query.where('event', '=', event ?? ''))
    .$if(status !== undefined, (query) =>
      query.where(sql<boolean>`status = ${sql.lit(status ?? '')}`),
    )
  return selectRange(found, range).execute()
}

/** With those of deleted subscriptions. Each leaf has an index of the object (D-1430). */
export function listObjectDeliveryRows(
  ctx: Context,
  object_id: string,
  range: PageRange,
): Promise<(DeliveryRow & { endpoint: string })[]> {
  const { db, tenant_id } = ctx
  const found = db
    .selectFrom('deliveries as d')
    .innerJoin('webhooks as w', (join) =>
      join.on('w.tenant_id', '=', tenant_id).onRef('w.id', '=', 'd.webhook_id'),
    )
    .selectAll('d')
    .select('w.endpoint')
    .where('d.tenant_id', '=', tenant_id)
    .where('d.object_id', '=', object_id)
    .where(isOwn(ctx))
  return selectRange(found, range, { by: 'd.created', id: 'd.id' }).execute()
}

/** Finds the delivery of a deleted subscription too. */
export const findDeliveryRow = (ctx: Context, id: string): Promise<DeliveryRow | undefined> =>
  ownDelivery(ctx, id).executeTakeFirst()

export const lockDelivery = (tx: Tx, id: string): Promise<DeliveryRow | undefined> =>
  ownDelivery(tx, id).forNoKeyUpdate().executeTakeFirst()

const ownDelivery = (ctx: Context, id: string) =>
  ctx.db
    .selectFrom('deliveries as d')
    .selectAll()
    .where('d.tenant_id', '=', ctx.tenant_id)
    .where('d.id', '=', id)
    .where(
      sql<boolean>`exists (
        select from webhooks w
        where w.tenant_id = ${ctx.tenant_id} and w.id = d.webhook_id and ${isOwn(ctx)})`,
    )

/**
 * Makes a delivery due at once. One that had ended starts its schedule anew; an attempt that
 * succeeded gets a row of its own, as the next one takes its place. Undefined if its event was
 * dropped; the caller then rolls back.
 */
export async function updateDeliveryReopened(
  tx: Tx,
  { id, event_id }: Pick<DeliveryRow, 'id' | 'event_id'>,
): Promise<DeliveryRow | undefined> {
  const { db, tenant_id, now } = tx
  // Sent together and run in this order: the first sees the delivery as it was.
  const [, { rows }] = await Promise.all([
    insertAttempts(tx, sql`id = ${id} and status = 'DELIVERED'`),
    sql<DeliveryRow>`
      update deliveries d set due = ${now}, modified = ${now},
        status = case when due is null then 'PENDING' else status end,
        attempts = case when due is null then 0 else attempts end
      where tenant_id = ${tenant_id} and id = ${id} and exists (
        select from events e where e.tenant_id = ${tenant_id}
          and e.id in (${event_id}, ${batchIdOf(event_id)}))
      returning *`.execute(db),
  ])
  return rows[0]
}

/**
 * Keeps the last attempts of deliveries, which are in their own rows. One that is kept already, as
 * after a COMMIT without an answer, stays as it is.
 */
export async function insertAttempts(
  { db, tenant_id }: Tx,
  of: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    insert into delivery_attempts (tenant_id, delivery_id, number, sent, webhook_timestamp,
      duration_ms, response_status, response_body, error, masked_headers)
    select tenant_id, id, attempts_made, sent, webhook_timestamp, duration_ms, response_status,
      response_body, error, masked_headers
    from deliveries where tenant_id = ${tenant_id} and ${of}
    on conflict (tenant_id, delivery_id, number) do nothing`.execute(db)
}

/**
 * A delivery of the newest event of an object to one subscription that is not subscribed to its
 * kind.
 */
export async function insertNewestDelivery(
  tx: Tx,
  { id: webhook_id, merchant_id }: WebhookRow,
): Promise<DeliveryRow> {
  const { db, tenant_id, now } = tx
  const event = await db
    .selectFrom('events')
    .select(['id', 'event', 'sequence'])
    .where('tenant_id', '=', tenant_id)
    .where('object_id', '=', webhook_id)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!event || event.sequence === null) throw new Error('the new event is missing')
  const row = {
    tenant_id,
    webhook_id,
    merchant_id,
    object_id: webhook_id,
    event_id: event.id,
    event: event.event,
    sequence: event.sequence,
    status: 'PENDING' as const,
    due: now,
    created: now,
    modified: now,
  }
  const id = deliveryId(sql`${webhook_id}::uuid`, sql`${event.id}::uuid`)
  return db
    .insertInto('deliveries')
    .values({ ...row, id })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * `after` precedes every event to be looked at: an id, or a number of the feed. `limit` counts
 * deliveries.
 */
export type Missed<After extends string | bigint> = {
  webhook: WebhookRow
  since: Date
  until: Date | null
  events: readonly string[]
  after: After
  limit: number
}

/** Rows of events that one statement looks at. Limited first, so that no plan reads all of them. */
const LOOKED_AT_MAX = 500

/**
 * Looks at the next numbered rows of events, oldest first: makes deliveries of events that this
 * subscription never got, and opens again those that expired. Answers their number, and the place
 * after which the next ones are; null if there are none. The rows are read before, since Citus
 * takes no insert within a `with`. Rows without a number are left out: their numbering makes their
 * deliveries, and would wait for this transaction with the feed locked.
 */
export async function upsertMissedDeliveries<After extends string | bigint>(
  { db, tenant_id, now }: Tx,
  { webhook, since, until, events, after, limit }: Missed<After>,
): Promise<{ recovered: number; last: After | null }> {
  const { merchant_id } = webhook
  const concerned = merchant_id === null ? sql`` : sql` and merchant_id = ${merchant_id}`
  const isById = typeof after === 'string'
  const follows = isById
    ? sql`id > ${after}::uuid and number is not null`
    : sql`number > ${after}::bigint`
  const { rows } = await sql<{ id: string; place: After }>`
    select id, ${isById ? sql`id` : sql`number`} as place from events
    where tenant_id = ${tenant_id} and ${follows}${concerned}
      and created >= ${since}::timestamptz and event = any (${events}::text[])
      and created < coalesce(${until}::timestamptz, 'infinity')
    order by ${isById ? sql`id` : sql`number`} limit ${sql.lit(LOOKED_AT_MAX)}`.execute(db)
  const last = rows.at(-1)?.place ?? null
  if (last === null) return { recovered: 0, last }
  const id = deliveryId(sql`${webhook.id}::uuid`, sql`e.id`)
  const { numAffectedRows } = await sql`
    insert into deliveries as d (tenant_id, id, webhook_id, merchant_id, event_id, event,
      object_id, sequence, status, due, created, modified)
    select r.tenant_id, ${id}, ${webhook.id}::uuid, ${merchant_id}::uuid, e.id, r.event,
      e.object_id, e.sequence, 'PENDING', ${now}::timestamptz, ${now}::timestamptz,
      ${now}::timestamptz
    from (select * from events where tenant_id = ${tenant_id}
      and id = any (${plainArray(rows.map((row) => row.id))}::uuid[])) r cross join ${eventsOfRow}
    where 'EXPIRED' = coalesce((
      select k.status from deliveries k where k.tenant_id = ${tenant_id} and k.id = ${id}),
      'EXPIRED')
    order by r.id, e.n limit ${limit}
    on conflict (tenant_id, id) do update
      set status = 'PENDING', attempts = 0, due = ${now}, modified = ${now}
      where d.status = 'EXPIRED'`.execute(db)
  return { recovered: Number(numAffectedRows ?? 0n), last }
}
