/**
 * The worker's side of the tables: which subscriptions have due work, claiming deliveries for a
 * time, writing the results. A delivery is taken only when no earlier one of the same subscription
 * and object is still open: that is the order of D-62.
 */

import { type RawBuilder, sql } from 'kysely'
import type { StoredSettings } from '#issuing/tenants/schema.ts'
import { databaseNow, databaseNowPlus, tenantNow } from '#kit/clock.ts'
import type { Context, Tx } from '#kit/context.ts'
import { plainArray } from '#kit/db/arrays.ts'
import { batchIdOf } from '#kit/db/event_batches.ts'
import { tenantsWith } from '#kit/jobs/sweeper.ts'
import { type EventRow, renderEvents } from './render.ts'
import type { Health } from './rules/health.ts'
import type { Verdict } from './rules/outcome.ts'
import type { WebhookRow } from './store.ts'

/** Deliveries that one statement puts off; the next round goes on. */
const PUT_OFF_MAX = 5_000

/** With the settings and the clock of the tenant, so that one query answers all. */
export type DueWebhook = WebhookRow & { settings: StoredSettings; clock_offset_ms: bigint }

/**
 * `claimed_until` is also the token of the claim: a worker that finds another value has lost it.
 */
export type Claimed = {
  id: string
  webhook_id: string
  event_id: string
  event: string
  object_id: string
  sequence: number
  attempts: number
  claimed_until: Date
  /** The same end by this process's running time (performance.now), which no clock moves. */
  held_until: number
  /** The text of the event, the same at every attempt. */
  body: string
}

type ClaimedRow = Omit<Claimed, 'body' | 'held_until'>

export type Result = { delivery: Claimed; verdict: Verdict }

/**
 * Whether subscription `w` has a delivery to be taken. A subquery with a limit can only be a look
 * into the index; as `exists` it was a scan of all deliveries, 200 ms beside a long backlog.
 */
const hasDue = (tenant_id: RawBuilder<unknown>, now: RawBuilder<unknown>) => sql`(
  select true from deliveries d
  where d.tenant_id = ${tenant_id} and d.webhook_id = w.id
    and d.status in ('PENDING', 'RETRYING') and d.due <= ${now}
    and (d.claimed_until is null or d.claimed_until < ${databaseNow})
  order by d.due limit 1)`

/** Tenants that have deliveries to be taken. */
export const tenantsToServe = tenantsWith(
  sql`exists (
    select from webhooks w
    where w.tenant_id = t.id and w.status = 'ACTIVE' and ${hasDue(sql`t.id`, tenantNow)})`,
)

/** Tenants that have deliveries to be taken, or taken and not ended. */
export const tenantsToAwait = tenantsWith(
  sql`exists (
    select from webhooks w
    where w.tenant_id = t.id and w.status = 'ACTIVE' and (
      select true from deliveries d
      where d.tenant_id = t.id and d.webhook_id = w.id
        and d.status in ('PENDING', 'RETRYING') and d.due <= ${tenantNow}
      order by d.due limit 1))`,
)

export async function listDueWebhooks(ctx: Context): Promise<DueWebhook[]> {
  const { rows } = await sql<DueWebhook>`
    select w.*, t.settings, t.clock_offset_ms from webhooks w join tenants t on t.id = w.tenant_id
    where w.tenant_id = ${ctx.tenant_id} and w.status = 'ACTIVE'
      and ${hasDue(sql`${ctx.tenant_id}`, sql`${ctx.now}`)}
    order by w.id`.execute(ctx.db)
  return rows
}

/** Subscriptions, each of which may be given so many deliveries. */
export type Share = { webhook_ids: readonly string[]; limit: number }

/**
 * Takes deliveries for so many milliseconds of the database's clock, which all the workers share; a
 * lost claim only means a second attempt. Returns them by subscription.
 */
export async function claimDeliveries(
  tx: Tx,
  shares: readonly Share[],
  claim_ms: number,
): Promise<Map<string, Claimed[]>> {
  const held_until = performance.now() + claim_ms
  const claims = await Promise.all(shares.map((share) => claimShare(tx, share, claim_ms)))
  const bodied = await withBodies(tx, claims.flat(), held_until)
  return Map.groupBy(bodied, ({ webhook_id }) => webhook_id)
}

/**
 * The limit is a literal, and conditions on single rows are subqueries: the planner then can only
 * use the indexes, also while its statistics are old.
 */
async function claimShare(tx: Tx, { webhook_ids, limit }: Share, claim_ms: number) {
  const { db, tenant_id, now } = tx
  const { rows } = await sql<ClaimedRow>`
    with first as (
      select due.id from unnest(${webhook_ids}::uuid[]) as w (id) cross join lateral (
        select d.id from deliveries d
        where d.tenant_id = ${tenant_id} and d.webhook_id = w.id
          and d.status in ('PENDING', 'RETRYING') and d.due <= ${now}
          and (d.claimed_until is null or d.claimed_until < ${databaseNow})
          and d.sequence = (
            select e.sequence from deliveries e
            where e.tenant_id = ${tenant_id} and e.webhook_id = w.id
              and e.object_id = d.object_id and e.due is not null
            order by e.sequence limit 1)
        order by d.due limit ${sql.lit(limit)}
        for no key update of d skip locked) as due
    ), taken as (
      update deliveries d set claimed_until = ${databaseNowPlus(claim_ms)} from first
      where d.tenant_id = ${tenant_id} and d.id = first.id
      returning d.id, d.webhook_id, d.event_id, d.event, d.object_id, d.sequence, d.attempts,
        d.claimed_until
    )
    select * from taken`.execute(db)
  return rows
}

/** Reads the events of claimed deliveries by their ids and renders them. */
async function withBodies(
  tx: Tx,
  claimed: readonly ClaimedRow[],
  held_until: number,
): Promise<Claimed[]> {
  if (claimed.length === 0) return []
  const stored = await listStoredEvents(tx, new Set(claimed.map(({ event_id }) => event_id)))
  const events = new Map<string, EventRow>()
  for (const { event_id, event, object_id, sequence } of claimed) {
    const row = stored.get(event_id) ?? stored.get(batchIdOf(event_id))
    if (row) events.set(event_id, { ...row, id: event_id, event, object_id, sequence })
  }
  const texts = await renderEvents(tx, [...events.values()])
  const bodies = new Map([...events.keys()].map((id, at) => [id, texts[at]]))
  await updateEventsGone(
    tx,
    claimed.filter(({ event_id }) => !bodies.has(event_id)),
  )
  return claimed.flatMap((row) => {
    const body = bodies.get(row.event_id)
    return body === undefined ? [] : [{ ...row, held_until, body }]
  })
}

/** Ends deliveries whose event was dropped: there is nothing to send (D-407). */
async function updateEventsGone(
  { db, tenant_id, now }: Tx,
  rows: readonly ClaimedRow[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update deliveries set status = 'EXPIRED', due = null, claimed_until = null,
      error = 'the event is no longer kept', modified = ${now}
    where tenant_id = ${tenant_id} and id = any (${plainArray(rows.map(({ id }) => id))}::uuid[])
  `.execute(db)
}

type StoredEvent = Pick<EventRow, 'id' | 'created' | 'payload'>

/** The rows of these events, or of their batches, by id. */
async function listStoredEvents(
  { db, tenant_id }: Tx,
  event_ids: ReadonlySet<string>,
): Promise<Map<string, StoredEvent>> {
  const ids = new Set([...event_ids, ...[...event_ids].map(batchIdOf)])
  const { rows } = await sql<StoredEvent>`
    select id, created, payload::text from events
    where tenant_id = ${tenant_id} and id = any (${plainArray([...ids])}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Short claims need not be flushed: after a crash no process holds them anyway. */
export async function setAsyncCommit({ db }: Tx): Promise<void> {
  await sql`select set_config('synchronous_commit', 'off', true)`.execute(db)
}

/**
 * Deliveries that wait behind one whose next attempt is in the future are put off to that time, so
 * that a long backlog is not looked through again and again.
 */
export async function updateFollowersPostponed(
  { db, tenant_id, now }: Context,
  webhook_ids: string[],
) {
  await sql`
    with behind as (
      select d.id, (
        select e.due from deliveries e
        where e.tenant_id = ${tenant_id} and e.webhook_id = d.webhook_id
          and e.object_id = d.object_id and e.due is not null
        order by e.sequence limit 1) as due
      from deliveries d
      where d.tenant_id = ${tenant_id} and d.webhook_id = any (${webhook_ids}::uuid[])
        and d.status in ('PENDING', 'RETRYING') and d.due <= ${now}
      limit ${sql.lit(PUT_OFF_MAX)}
    )
    update deliveries d set due = b.due from behind b
    where d.tenant_id = ${tenant_id} and d.id = b.id and b.due > ${now}
      and d.status = 'PENDING' and d.claimed_until is null`.execute(db)
}

/** Makes due what was put off behind deliveries that have ended. */
export async function updateFollowersDue(
  { db, tenant_id, now }: Tx,
  done: Claimed[],
): Promise<void> {
  await sql`
    update deliveries d set due = ${now}
    from unnest(${done.map(({ webhook_id }) => webhook_id)}::uuid[],
      ${done.map(({ object_id }) => object_id)}::uuid[],
      ${done.map(({ sequence }) => sequence)}::int[]) as e (webhook_id, object_id, sequence)
    where d.tenant_id = ${tenant_id} and d.webhook_id = e.webhook_id
      and d.object_id = e.object_id and d.sequence > e.sequence
      and d.due > ${now} and d.status = 'PENDING'`.execute(db)
}

/** Writes verdicts of the deliveries that are still held under the claim they were tried under. */
export async function updateResults({ db, tenant_id, now }: Tx, results: Result[]): Promise<void> {
  const verdicts = results.map(({ verdict }) => verdict)
  await sql`
    update deliveries d set status = r.status, attempts = r.attempts, due = r.due,
      response_status = r.response_status, response_body = r.response_body, error = r.error,
      claimed_until = null, modified = ${now}
    from unnest(${results.map(({ delivery }) => delivery.id)}::uuid[],
      ${results.map(({ delivery }) => delivery.claimed_until)}::timestamptz[],
      ${verdicts.map(({ status }) => status)}::text[],
      ${verdicts.map(({ attempts }) => attempts)}::int[],
      ${verdicts.map(({ due }) => due)}::timestamptz[],
      ${verdicts.map(({ response_status }) => response_status)}::int[],
      ${verdicts.map(({ response_body }) => response_body)}::text[],
      ${verdicts.map(({ error }) => error)}::text[]
    ) as r (id, claimed_until, status, attempts, due, response_status, response_body, error)
    where d.tenant_id = ${tenant_id} and d.id = r.id and d.claimed_until = r.claimed_until
  `.execute(db)
}

/** Gives claims back unused, so that another worker need not wait for their end. */
export async function releaseClaims({ db, tenant_id }: Context, claims: Claimed[]): Promise<void> {
  await sql`
    update deliveries d set claimed_until = null
    from unnest(${claims.map(({ id }) => id)}::uuid[],
      ${claims.map(({ claimed_until }) => claimed_until)}::timestamptz[]) as c (id, claimed_until)
    where d.tenant_id = ${tenant_id} and d.id = c.id and d.claimed_until = c.claimed_until
  `.execute(db)
}

/** Only an ACTIVE subscription changes: one that a client disabled meanwhile stays as it is. */
export async function updateHealth(tx: Tx, webhook_id: string, health: Health): Promise<void> {
  await tx.db
    .updateTable('webhooks')
    .set({ ...health, modified: tx.now })
    .where('tenant_id', '=', tx.tenant_id)
    .where('id', '=', webhook_id)
    .where('status', '=', 'ACTIVE')
    .execute()
}
