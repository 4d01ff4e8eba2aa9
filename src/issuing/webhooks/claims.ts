/**
 * The worker's side of deliveries: which subscriptions have due work, claiming deliveries for a
 * time. A delivery is taken only when no earlier one of the same subscription and object is still
 * open: that is the order of D-62.
 */

import { type RawBuilder, sql } from 'kysely'
import { batchIdOf, placeInBatch } from '#events/event_batches.ts'
import type { StoredSettings } from '#issuing/tenants/schema.ts'
import { databaseNow, databaseNowPlus } from '#kit/clock.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { plainArray } from '#kit/db/arrays.ts'
import { dueBy } from '#kit/jobs/due_work.ts'
import { deliveriesDue, hasDue, subscriptionsToServe } from './due.ts'
import { type EventRow, renderEvents } from './render.ts'
import type { WebhookRow } from './store.ts'

/**
 * A delivery behind one that is under way is put off by this time if there are many; it becomes due
 * when that one ends. So each of a long row is put off about once.
 */
const PUT_OFF_MS = 3_600_000

/**
 * A subscription with the settings of the tenant and the real time, so that one query answers all.
 */
export type DueWebhook = WebhookRow & { settings: StoredSettings; real_now: Date }

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
  due: Date
  claimed_until: Date
  /** The same end by this process's running time (performance.now), which no clock moves. */
  held_until: number
  /** The text of the event, the same at every attempt. */
  body: string
  /** The place of its cause in a trace. */
  traceparent: string | undefined
}

type ClaimedRow = Omit<Claimed, 'body' | 'held_until' | 'traceparent'>

export async function listDueWebhooks(ctx: Tx): Promise<DueWebhook[]> {
  const { rows } = await sql<DueWebhook>`
    select w.*, t.settings, ${databaseNow} as real_now
    from webhooks w join tenants t on t.id = w.tenant_id
    where w.tenant_id = ${ctx.tenant_id} and w.status = 'ACTIVE'
      and w.id = any (${subscriptionsToServe(sql`${ctx.tenant_id}`)})
      and ${hasDue(sql`${ctx.tenant_id}`, sql`${ctx.now}`)}
    order by w.id`.execute(ctx.db)
  return rows
}

/** A subscription, which may be given so many deliveries. */
export type Share = { webhook_id: string; most: number }

/** `put_off`: how many were found behind others and will be asked for again later. */
export type Claims = { byWebhook: Map<string, Claimed[]>; put_off: number }

/**
 * Takes deliveries for so many milliseconds of the database's clock, which all the workers share; a
 * lost claim only means a second attempt.
 */
export async function claimDeliveries(
  tx: Tx,
  shares: readonly Share[],
  claim_ms: number,
): Promise<Claims> {
  if (shares.length === 0) return { byWebhook: new Map(), put_off: 0 }
  const held_until = performance.now() + claim_ms
  const { rows, put_off } = await claimShares(tx, shares, claim_ms)
  const bodied = await withBodies(tx, rows, held_until)
  return { byWebhook: Map.groupBy(bodied, ({ webhook_id }) => webhook_id), put_off }
}

/** Due deliveries of `w` that nobody holds, from one end of the order in which they became due. */
const dueFrom = (
  { tenant_id, now }: Tx,
  end: RawBuilder<unknown>,
  most: RawBuilder<unknown>,
) => sql`
  select d.id, d.object_id, d.sequence,
    row_number() over (order by d.due ${end}) as n
  from (
    select d.* from deliveries d
    where d.tenant_id = ${tenant_id} and d.webhook_id = w.id
      and d.status in ('PENDING', 'RETRYING') and d.due <= ${now}
      and (d.claimed_until is null or d.claimed_until < ${databaseNow})
    order by d.due ${end} limit ${most}) d`

/**
 * The rows of `behind` that may be put off: the row and the one before it are locked, and both
 * still open.
 */
const putOffRows = ({ tenant_id, now }: Tx) => sql`
    held as materialized (
      select e.id from deliveries e
      where e.tenant_id = ${tenant_id} and e.id = any (array(
          select first_id from behind except select id from found))
        and coalesce(e.due, 'infinity') < 'infinity'
      for no key update of e skip locked
    ), free as materialized (
      select d.id from deliveries d
      where d.tenant_id = ${tenant_id} and d.id = any (array(
          select id from behind
          where first_id in (select id from held union all select id from found)))
        and coalesce(d.due, 'infinity') <= ${now} and d.claimed_until is null
        and d.attempts = 0
      for no key update of d skip locked`

/**
 * Looks at the oldest and the newest due deliveries of each subscription, as many together as it
 * may be given: a long backlog holds up no new event of another object. A delivery behind an
 * earlier one of its object is put off, to the next attempt of that one; if the earlier one is
 * under way, only if the delivery keeps others from being found (D-490). If rows are named by id,
 * their due time is compared in a form that no partial index serves: the primary key is the only
 * way to them. A put-off delivery has the row before it locked and still open: the end of that row
 * comes after this and makes it due. A subscription that was disabled since it was listed gives
 * none: the end of a delivery that disables it makes the next one due.
 */
async function claimShares(tx: Tx, shares: readonly Share[], claim_ms: number) {
  const { db, tenant_id, now } = tx
  const ids = plainArray(shares.map(({ webhook_id }) => webhook_id))
  const mosts = plainArray(shares.map(({ most }) => most))
  type Row = ClaimedRow & { put_off: number }
  const { rows } = await sql<Row | (Omit<Row, 'id'> & { id: null })>`
    with seen as materialized (
      select w.id as webhook_id, w.most, d.id, d.n, h.sequence = d.sequence as is_first,
        h.id as first_id, h.due as first_due
      from unnest(${ids}::uuid[], ${mosts}::int[]) as w (id, most)
      join webhooks s on s.tenant_id = ${tenant_id} and s.id = w.id and s.status = 'ACTIVE'
      cross join lateral (
        (${dueFrom(tx, sql`asc`, sql`w.most`)}) union all
        (${dueFrom(tx, sql`desc`, sql`(w.most + 1) / 2`)})
      ) d
      cross join lateral (
        select e.id, e.sequence, e.due from deliveries e
        where e.tenant_id = ${tenant_id} and e.webhook_id = w.id and e.object_id = d.object_id
          and e.due is not null
        order by e.sequence limit 1) h
    ), firsts as (
      select id, most, row_number() over (partition by webhook_id order by min(n), id) as place
      from seen where is_first group by webhook_id, most, id
    ), found as materialized (
      select d.id from deliveries d
      where d.tenant_id = ${tenant_id}
        and d.id = any (array(select id from firsts where place <= most))
        and coalesce(d.due, 'infinity') <= ${now}
        and (d.claimed_until is null or d.claimed_until < ${databaseNow})
      for no key update of d skip locked
    ), taken as (
      update deliveries d set claimed_until = ${databaseNowPlus(claim_ms)}
      where d.tenant_id = ${tenant_id} and d.id = any (array(select id from found))
      returning d.id, d.webhook_id, d.event_id, d.event, d.object_id, d.sequence, d.attempts,
        d.due, d.claimed_until
    ), behind as materialized (
      select distinct id, first_id, case when first_due > ${now} then first_due
        else ${now}::timestamptz + ${PUT_OFF_MS} * interval '1 millisecond' end as due
      from (
        select *, count(*) over own >= most
          and count(*) filter (where is_first) over own < most as is_crowded
        from seen window own as (partition by webhook_id)) s
      where not is_first and (first_due > ${now} or is_crowded)
    ), ${putOffRows(tx)}
    ), put_off as (
      update deliveries d set due = (select b.due from behind b where b.id = d.id)
      where d.tenant_id = ${tenant_id} and d.id = any (array(select id from free))
      returning d.id
    )
    select (select count(*)::int from put_off) as put_off, taken.*
    from (select 1) as one left join taken on true`.execute(db)
  const isTaken = (row: (typeof rows)[0]): row is Row => row.id !== null
  return { rows: rows.filter(isTaken), put_off: rows[0]?.put_off ?? 0 }
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
    const traceparent = traceparentOf(row.event_id, stored)
    return body === undefined ? [] : [{ ...row, held_until, body, traceparent }]
  })
}

/** Ends deliveries whose event was dropped: there is nothing to send (D-407). */
async function updateEventsGone(tx: Tx, rows: readonly ClaimedRow[]): Promise<void> {
  const { db, tenant_id, now } = tx
  if (rows.length === 0) return
  await sql`
    update deliveries set status = 'EXPIRED', due = null, claimed_until = null,
      error = 'the event is no longer kept', modified = ${now}
    where tenant_id = ${tenant_id} and id = any (${plainArray(rows.map(({ id }) => id))}::uuid[])
  `.execute(db)
  // A delivery that was put off behind them is not made due by a result.
  await sql`
    update deliveries d set due = least(d.created, ${now})
    from unnest(${plainArray(rows.map(({ webhook_id }) => webhook_id))}::uuid[],
      ${plainArray(rows.map(({ object_id }) => object_id))}::uuid[]) as o (webhook_id, object_id)
    where d.tenant_id = ${tenant_id} and d.webhook_id = o.webhook_id and d.object_id = o.object_id
      and d.due > ${now} and d.status = 'PENDING'`.execute(db)
  await dueBy(tx, deliveriesDue, now)
}

type StoredEvent = Pick<EventRow, 'id' | 'created' | 'payload'> & { traceparents: string[] | null }

/** That of a single event is the first; a batch has one for each of its events. */
function traceparentOf(
  event_id: string,
  stored: ReadonlyMap<string, StoredEvent>,
): string | undefined {
  const single = stored.get(event_id)
  if (single && placeInBatch(event_id) !== 0) return single.traceparents?.[0]
  return stored.get(batchIdOf(event_id))?.traceparents?.[placeInBatch(event_id)]
}

/** The rows of these events, or of their batches, by id. */
async function listStoredEvents(
  { db, tenant_id }: Tx,
  event_ids: ReadonlySet<string>,
): Promise<Map<string, StoredEvent>> {
  const ids = new Set([...event_ids, ...[...event_ids].map(batchIdOf)])
  const { rows } = await sql<StoredEvent>`
    select id, created, payload::text, traceparents from events
    where tenant_id = ${tenant_id} and id = any (${plainArray([...ids])}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** On a cluster plans are not generic (kit/db/connections/cluster.ts). */
const PLANS = sql`case when to_regproc('pg_catalog.citus_version') is null
  then 'force_generic_plan' else 'force_custom_plan' end`

/**
 * The statements of this transaction go by index, whatever the size of the tables was when they
 * were planned: a plan that PostgreSQL made while they were small would read all of them later.
 */
const byIndex = sql`
  set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
  set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
  set_config('plan_cache_mode', ${PLANS}, true), set_config('jit', 'off', true)`

export async function setByIndex({ db }: Tx): Promise<void> {
  await sql`select ${byIndex}`.execute(db)
}

/** The same for claims, which need not be flushed: after a crash no process holds them anyway. */
export async function setForClaims({ db }: Tx): Promise<void> {
  await sql`select ${byIndex}, set_config('synchronous_commit', 'off', true)`.execute(db)
}

/** Gives claims back unused, so that another worker need not wait for their end. */
export function releaseClaims(ctx: Context, claims: Claimed[]): Promise<void> {
  return transact(ctx, async (tx) => {
    await sql`
      update deliveries d set claimed_until = null
      from unnest(${claims.map(({ id }) => id)}::uuid[],
        ${claims.map(({ claimed_until }) => claimed_until)}::timestamptz[]) as c (id, claimed_until)
      where d.tenant_id = ${tx.tenant_id} and d.id = c.id and d.claimed_until = c.claimed_until
    `.execute(tx.db)
    await dueBy(tx, deliveriesDue, tx.now)
  })
}
