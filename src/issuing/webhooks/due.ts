/** Which tenants have deliveries to be taken, and when the next one is. */

import { type RawBuilder, sql } from 'kysely'
import { DELIVERIES } from '#events/outbox.ts'
import { databaseNow, tenantNow } from '#kit/clock.ts'
import { tenantsWith } from '#kit/jobs/due_tenants.ts'
import type { DueKind } from '#kit/jobs/due_work.ts'

/**
 * Whether subscription `w` has a delivery to be taken. A subquery with a limit can only be a look
 * into the index; as `exists` it was a scan of all deliveries, 200 ms beside a long backlog.
 */
export const hasDue = (tenant_id: RawBuilder<unknown>, now: RawBuilder<unknown>) => sql`(
  select true from deliveries d
  where d.tenant_id = ${tenant_id} and d.webhook_id = w.id
    and d.status in ('PENDING', 'RETRYING') and d.due <= ${now}
    and (d.claimed_until is null or d.claimed_until < ${databaseNow})
  order by d.due limit 1)`

const isOpen = sql`d.status in ('PENDING', 'RETRYING')`

/**
 * The subscriptions of a tenant that may have something to be sent, as an array of their ids: its
 * own, at most 50, and of those of its merchants, of which there may be thousands, the ones with
 * an open delivery. Each step finds the next one in the index deliveries_of_merchants (D-754).
 */
export const subscriptionsToServe = (tenant_id: RawBuilder<unknown>) => sql`array(
  with recursive open as (
    (select d.webhook_id from deliveries d
    where d.tenant_id = ${tenant_id} and d.merchant_id is not null and ${isOpen}
    order by d.webhook_id limit 1)
    union all
    select (
      select d.webhook_id from deliveries d
      where d.tenant_id = ${tenant_id} and d.merchant_id is not null and ${isOpen}
        and d.webhook_id > o.webhook_id
      order by d.webhook_id limit 1)
    from open o where o.webhook_id is not null
  )
  select s.id from webhooks s where s.tenant_id = ${tenant_id} and s.merchant_id is null
  union all
  select o.webhook_id from open o where o.webhook_id is not null)`

/** Tenants that have deliveries to be taken. */
const tenantsToServe = tenantsWith(
  sql`exists (
    select from webhooks w
    where w.tenant_id = t.tenant_id and w.status = 'ACTIVE'
      and ${hasDue(sql`t.tenant_id`, tenantNow)})`,
)

/** How many deliveries of a subscription are looked at for the earliest: more than it may hold. */
const LOOKED_AT_MAX = 1_000

/**
 * The earliest time at which a delivery of the tenant is to be taken: when it is due, or when its
 * claim ends. Claimed ones have become due before the others, so they come first; if there are more
 * of them than are looked at, the last one's time is not after those of the rest.
 */
const earliestOf = (when: RawBuilder<unknown>) => (tenant_id: RawBuilder<unknown>) =>
  sql`(
  select min(case when d.n = ${sql.lit(LOOKED_AT_MAX)} then d.due else greatest(d.due,
    d.claimed_until + t.clock_offset_ms * interval '1 millisecond') end)
  from webhooks w join tenants t on t.id = w.tenant_id
  cross join lateral (
    select d.due, d.claimed_until, row_number() over (order by d.due) as n from deliveries d
    where d.tenant_id = ${tenant_id} and d.webhook_id = w.id
      and d.status in ('PENDING', 'RETRYING') and ${when}
    order by d.due limit ${sql.lit(LOOKED_AT_MAX)}) d
  where w.tenant_id = ${tenant_id} and w.status = 'ACTIVE'
    and w.id = any (${subscriptionsToServe(tenant_id)}))`

/**
 * Deliveries that are written with their event are noted in `due_work` as the event is numbered, a
 * moment later; the process that wrote them names their tenant.
 */
export const deliveriesDue: DueKind = {
  name: DELIVERIES,
  dueTenants: tenantsToServe,
  earliest: earliestOf(sql`true`),
  earliestKnown: earliestOf(sql`d.status = 'RETRYING'`),
}

/** Tenants that have deliveries to be taken, or taken and not ended. */
export const tenantsToAwait = tenantsWith(
  sql`exists (
    select from webhooks w
    where w.tenant_id = t.tenant_id and w.status = 'ACTIVE' and (
      select true from deliveries d
      where d.tenant_id = t.tenant_id and d.webhook_id = w.id
        and d.status in ('PENDING', 'RETRYING') and d.due <= ${tenantNow}
      order by d.due limit 1))`,
)
