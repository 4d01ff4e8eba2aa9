/**
 * The step between the commit of events and those who get them (D-495): gives rows of events their
 * numbers, which are the order of the tenant's feed, and makes the deliveries of the events of
 * batches, which are written as one row without deliveries (D-396).
 *
 * Numbers are given to committed rows only, under the lock of the tenant's row of `feeds`. So who
 * sees a number sees every smaller one, and what is committed later has a greater one: no event
 * appears behind a cursor. Rows are marked in the statement that makes their deliveries, so a
 * process that ends before the commit has done nothing, and one that ends later leaves nothing to
 * do.
 *
 * The order of D-62 holds: what changes an object again has seen the earlier change committed, and
 * has drawn the greater place. So who sees the later row sees the earlier one too, and it is
 * numbered before or together with it.
 */

import { sql } from 'kysely'
import { tenantNow } from '#kit/clock.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { announce } from '#kit/db/connections/announcements.ts'
import { deliveryId, eventsOfRow } from '#kit/db/events/event_batches.ts'
import { DELIVERIES, EVENTS, FEED } from '#kit/db/events/outbox.ts'
import { type Sweep, tenantsWith } from '#kit/jobs/sweeper.ts'
import { createNamedTenants } from './named_tenants.ts'

/** Rows of one portion, and deliveries that it begins no further row after. */
const ROWS_MAX = 128
const DELIVERIES_MAX = 10_000
/** A tenant with many events is numbered this seldom; a lone event at once. */
const REST_MS = 10
/** The same where nothing was delivered and no call of this process waits. */
const LONG_REST_MS = 100

// A subquery with a limit can only be a look into the index.
const unnumberedTenants = tenantsWith(sql`(
  select true from events r where r.tenant_id = t.id and r.place is not null
  order by r.place limit 1)`)

/** `isAwaited`: whether a call of this process waits for the next event of a tenant. */
export function createNumbering(isAwaited: (tenant_id: string) => boolean): Sweep {
  const tenants = createNamedTenants(EVENTS, unnumberedTenants)
  return {
    name: 'events',
    channel: EVENTS,
    everywhere: true,
    notified: tenants.notified,
    dueTenants: tenants.dueTenants,
    async run(ctx) {
      const { tenant_id } = ctx
      tenants.begin(tenant_id)
      let isPrompt = false
      try {
        const { more, delivered } = await numberEvents(ctx)
        isPrompt = delivered > 0 || isAwaited(tenant_id)
        return { more }
      } finally {
        tenants.rest(ctx, isPrompt ? REST_MS : LONG_REST_MS)
      }
    },
  }
}

/** `more` where rows may be left. */
export type Numbered = { numbered: number; delivered: number; more: boolean }

/**
 * Numbers one portion, in one round trip: no process holds the lock of a feed while it does
 * something else. Any process may do so at any time.
 */
export async function numberEvents(ctx: Context): Promise<Numbered> {
  const known = await attemptInOneTrip(ctx)
  if (known) wake(ctx, known)
  const numbered = known ?? (await transact(ctx, numberWithin))
  // Where it does not arrive, calls that wait elsewhere look themselves.
  if (numbered.numbered > 0) await announce(ctx.db, FEED, ctx.tenant_id).catch(() => {})
  return numbered
}

/** Undefined where the tenant had no feed yet. */
async function attemptInOneTrip(ctx: Context): Promise<Numbered | undefined> {
  let portion: Portion | undefined
  await transact(ctx, async (tx) => {
    tx.withCommit(lockFeed(tx))
    const numbering = numberPortion(tx).then((result) => {
      portion = result
    })
    tx.withCommit(numbering)
  })
  return portion?.is_locked ? numberedOf(portion) : undefined
}

/** The same as part of a transaction, which holds the lock of the feed to its end. */
export async function numberWithin(tx: Tx): Promise<Numbered> {
  const attempt = async () => (await Promise.all([lockFeed(tx), numberPortion(tx)]))[1]
  let portion = await attempt()
  if (!portion.is_locked) {
    await insertFeed(tx)
    portion = await attempt()
  }
  const numbered = numberedOf(portion)
  tx.afterCommit(() => wake(tx, numbered))
  return numbered
}

function wake({ tenant_id, notify }: Context, { numbered, delivered }: Numbered): void {
  if (numbered > 0) notify(FEED, tenant_id)
  if (delivered > 0) notify(DELIVERIES, tenant_id)
}

const numberedOf = ({ numbered, delivered, waiting }: Portion): Numbered => ({
  ...{ numbered, delivered },
  more: waiting > numbered || waiting === ROWS_MAX,
})

async function insertFeed({ db, tenant_id }: Tx): Promise<void> {
  await sql`insert into feeds (tenant_id) values (${tenant_id}) on conflict do nothing`.execute(db)
}

/** Set to the end of the transaction that has locked the feed of this tenant. */
const LOCKED = 'bezant.locked_feed'

/** A statement of its own: the next one then sees what the lock's last holder has committed. */
async function lockFeed({ db, tenant_id }: Tx): Promise<void> {
  await sql`
    select set_config(${LOCKED}, ${tenant_id}, true) from feeds
    where tenant_id = ${tenant_id} for no key update`.execute(db)
}

type Portion = { numbered: number; delivered: number; waiting: number; is_locked: boolean }

/**
 * Without a locked feed it changes nothing: a feed that another process has made since would be
 * numbered by both. Events that `:recover` has delivered already stay as they are.
 */
async function numberPortion({ db, tenant_id }: Tx): Promise<Portion> {
  const { rows } = await sql<Portion>`
    with lock as materialized (
      select current_setting(${LOCKED}, true) is not distinct from ${tenant_id} as is_held
    ), waiting as materialized (
      select id, event, object_ids, sequences, to_deliver, place from events
      where tenant_id = ${tenant_id} and place is not null
      order by place limit ${sql.lit(ROWS_MAX)}
    ), portion as materialized (
      select * from (
        select w.*, sum(coalesce(cardinality(object_ids) * cardinality(to_deliver), 0)) over (
          order by place rows between unbounded preceding and 1 preceding) as before
        from waiting w) w
      where coalesce(before, 0) < ${sql.lit(DELIVERIES_MAX)}
    ), feed as (
      update feeds set last = last + (select count(*) from portion)
      where tenant_id = ${tenant_id} and exists (select from portion)
        and (select is_held from lock)
      returning last - (select count(*) from portion) as last
    ), marked as (
      update events set to_deliver = null, place = null, number = (select last from feed)
        + array_position(array(select id from portion order by place), id)
      where tenant_id = ${tenant_id} and exists (select from feed)
        and id = any (array(select id from portion))
    ), delivered as (
      insert into deliveries (tenant_id, id, webhook_id, event_id, event, object_id, sequence,
        status, due, created, modified)
      select ${tenant_id}::uuid, ${deliveryId(sql`w.id`, sql`e.id`)}, w.id, e.id, r.event,
        e.object_id, e.sequence, 'PENDING', ${tenantNow}, ${tenantNow}, ${tenantNow}
      from (select *, null::uuid as object_id, null::integer as sequence from portion
        where to_deliver is not null and exists (select from feed)) r
      cross join ${eventsOfRow}
      join tenants t on t.id = ${tenant_id}
      join webhooks w
        on w.tenant_id = ${tenant_id} and w.id = any (r.to_deliver) and w.deleted is null
      on conflict (tenant_id, id) do nothing
      returning id
    )
    select (select count(*)::int from portion) as numbered,
      (select count(*)::int from delivered) as delivered,
      (select count(*)::int from waiting) as waiting,
      (select is_held from lock) as is_locked`.execute(db)
  const [portion] = rows
  if (!portion) throw new Error('a portion of events has no counts')
  return portion
}
