/**
 * The step between the commit of events and their receivers (D-495): gives rows of events their
 * numbers, which are the order of the tenant's feed, and makes the deliveries of the events of
 * batches, which are written as one row without deliveries (D-396).
 *
 * Numbers are given to committed rows only, under the lock of the tenant's row of `feeds`. So a
 * reader that sees a number sees every smaller one, and a later commit has a greater one: no event
 * appears behind a cursor. Rows are numbered in the transaction that makes their deliveries, so a
 * process that ends before the commit has done nothing, and one that ends later leaves nothing to
 * do.
 *
 * The order of D-62 holds: a transaction that changes an object again has seen the earlier change
 * committed, and has drawn the greater place. So a reader that sees the later row sees the earlier
 * one too, and it is numbered before or together with it.
 */

import { type RawBuilder, sql } from 'kysely'
import { deliveryId, eventsOfRow } from '#events/event_batches.ts'
import { DELIVERIES, EVENTS, FEED } from '#events/outbox.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { announce } from '#kit/db/connections/announcements.ts'
import { upsertDueTimes } from '#kit/db/due_times.ts'
import { Write, type Written } from '#kit/db/write.ts'
import { tenantsWith } from '#kit/jobs/due_tenants.ts'
import { createNamedTenants } from '#kit/jobs/named_tenants.ts'
import { SELDOM_MS, type Sweep } from '#kit/jobs/sweep.ts'

/** Rows of one portion, and deliveries that it begins no further row after. */
const ROWS_MAX = 128
const DELIVERIES_MAX = 10_000
/** A tenant with many events is numbered this seldom; a lone event at once. */
const REST_MS = 10
/** The same if nothing was delivered and no call of this process waits. */
const LONG_REST_MS = 100

// A subquery with a limit can only be a look into the index.
const unnumberedTenants = tenantsWith(sql`(
  select true from events r where r.tenant_id = t.tenant_id and r.place is not null
  order by r.place limit 1)`)

/**
 * `isAwaited`: whether a call of this process waits for the next event of a tenant. `every_ms` is
 * shorter in tests only.
 */
export function createNumbering(
  isAwaited: (tenant_id: string) => boolean,
  every_ms = SELDOM_MS,
): Sweep {
  const tenants = createNamedTenants(EVENTS)
  return {
    name: 'events',
    channel: EVENTS,
    everywhere: true,
    // The writer of events names their tenant. The look finds the events of a process that ended.
    every_ms,
    notified: tenants.notified,
    named: tenants.named,
    dueTenants: unnumberedTenants,
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

/** `more` if rows may be left. */
export type Numbered = { numbered: number; delivered: number; more: boolean }

/**
 * Numbers one portion, in one round trip: no process holds the lock of a feed while it does
 * something else. Any process may do so at any time.
 */
export async function numberEvents(ctx: Context): Promise<Numbered> {
  const written = await transact(ctx, async (tx) => ({
    numbering: tx.withCommit(numberPortion(tx)),
  }))
  const numbered = numberedBy(await written.numbering)
  wake(ctx, numbered)
  // If it does not arrive, calls that wait elsewhere look themselves.
  if (numbered.numbered > 0) await announce(ctx.db, FEED, ctx.tenant_id).catch(() => {})
  return numbered
}

/** The same as part of a transaction, which holds the lock of the feed to its end. */
export async function numberWithin(tx: Tx): Promise<Numbered> {
  const numbered = numberedBy(await numberPortion(tx).start())
  tx.afterCommit(() => wake(tx, numbered))
  return numbered
}

function wake({ tenant_id, notify }: Context, { numbered, delivered }: Numbered): void {
  if (numbered > 0) notify(FEED, tenant_id)
  if (delivered > 0) notify(DELIVERIES, tenant_id)
}

/** Statements of their own, in this order: each sees what the last holder of the lock has committed. */
function numberPortion(tx: Tx): Write {
  const { db, tenant_id } = tx
  return Write.all(
    db,
    Write.of(
      db,
      sql`insert into feeds (tenant_id) values (${tenant_id}) on conflict do nothing`,
      sql`select from feeds where tenant_id = ${tenant_id} for no key update`,
      updateNumbers(tx),
      insertDeliveries(tx),
    ),
    makeDue(tx),
  )
}

/** The result, from the rows that its statements have found. */
function numberedBy([, , numbers, deliveries]: readonly Written[]): Numbered {
  // The columns are those that updateNumbers returns.
  const [portion] = (numbers?.rows ?? []) as Portion[]
  return {
    numbered: portion ? Number(portion.last - portion.before) : 0,
    delivered: Number(deliveries?.numAffectedRows ?? 0n),
    more: portion?.has_more ?? false,
  }
}

/** The newest number of the feed; 0 if it has none. */
export async function lastNumber({ db, tenant_id }: Tx): Promise<bigint> {
  const feed = db.selectFrom('feeds').select('last').where('tenant_id', '=', tenant_id)
  return (await feed.executeTakeFirst())?.last ?? 0n
}

type Portion = { last: bigint; before: bigint; has_more: boolean }

/** Numbers the rows of the next portion. No row if the portion before was empty too. */
function updateNumbers({ tenant_id }: Tx): RawBuilder<unknown> {
  return sql`
    with waiting as materialized (
      select id, object_ids, to_deliver, place from events
      where tenant_id = ${tenant_id} and place is not null
      order by place limit ${sql.lit(ROWS_MAX)}
    ), portion as materialized (
      select * from (
        select w.id, w.place,
          sum(coalesce(cardinality(object_ids) * cardinality(to_deliver), 0)) over (
            order by place rows between unbounded preceding and 1 preceding) as made
        from waiting w) w
      where coalesce(made, 0) < ${sql.lit(DELIVERIES_MAX)}
    ), numbered as (
      update events set place = null,
        number = (select last from feeds where tenant_id = ${tenant_id})
          + array_position(array(select id from portion order by place), id)
      where tenant_id = ${tenant_id} and id = any (array(select id from portion))
      returning id
    )
    update feeds set before = last, last = last + (select count(*) from numbered),
      has_more = (select count(*) from waiting) > (select count(*) from portion)
        or (select count(*) from waiting) = ${sql.lit(ROWS_MAX)}
    where tenant_id = ${tenant_id} and (before < last or exists (select from numbered))
    returning last, before, has_more`
}

/**
 * The deliveries of the events in the portion are due: those that were just made, and those that
 * were written with their events, which name no time there.
 */
function makeDue({ db, tenant_id, now }: Tx): Write {
  return upsertDueTimes(
    db,
    { tenant_id, times: new Map([[DELIVERIES, now]]) },
    sql`exists (select from feeds f where f.tenant_id = ${tenant_id} and f.before < f.last)
      and exists (select from webhooks w where w.tenant_id = ${tenant_id} and w.status = 'ACTIVE')`,
  )
}

/**
 * Makes the deliveries of the batches in the portion. Deliveries that `:recover` has made already
 * stay as they are.
 */
function insertDeliveries({ tenant_id, now }: Tx): RawBuilder<unknown> {
  return sql`
    insert into deliveries (tenant_id, id, webhook_id, event_id, event, object_id, sequence,
      status, due, created, modified)
    select r.tenant_id, ${deliveryId(sql`w.id`, sql`e.id`)}, w.id, e.id, r.event, e.object_id,
      e.sequence, 'PENDING', ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
    from feeds f
    join events r on r.tenant_id = f.tenant_id and r.number > f.before
    cross join ${eventsOfRow}
    join webhooks w on w.tenant_id = f.tenant_id and w.id = any (r.to_deliver)
    where f.tenant_id = ${tenant_id} and r.to_deliver is not null and w.deleted is null
    on conflict (tenant_id, id) do nothing`
}
