/** The invariant of events and deliveries (I6), checked over a whole database. */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding, ofAll, type Scope } from '#kit/audit.ts'
import { readClock } from '#kit/clock.ts'
import type { Db } from '#kit/db/database.ts'
import { isComplete } from '#kit/db/partitions/partitions.ts'
import { firstIdAt } from '#lib/id.ts'
import { eventsOfRow } from './event_batches.ts'

/** Longer than a batch waits for its deliveries while a worker runs. */
const EXPANDED_WITHIN_MS = 600_000

/**
 * The least id among the stored events of tenant `t`, as row `oldest`, to be joined. Old events are
 * deleted by ranges of ids: every event from this id on is stored, or was never written.
 */
export const oldestEvent = (of: Scope) => sql`lateral (
  select id from events where tenant_id = t.id and ${of('events')} order by id limit 1) oldest`

/**
 * Checks that the stored events of every object are numbered without a gap, that the feed of every
 * tenant is, that every delivery has its event, that it is finished or has a next attempt, that one
 * to a merchant is of an event of the merchant, and that the deliveries of batches are made. Empty
 * when all agree.
 */
export async function auditEvents(
  db: Db,
  of: Scope = ofAll,
  expanded_within_ms = EXPANDED_WITHIN_MS,
): Promise<Finding[]> {
  const complete = await isComplete(db, 'events')
  const before = firstIdAt((await readClock(db)).getTime() - expanded_within_ms)
  const found: Finding[] = []
  for (const check of [
    numbered(of),
    placed(complete, of),
    delivered(of),
    due(of),
    owned(of),
    expanded(before, of),
  ]) {
    found.push(...(await check.execute(db)).rows)
  }
  return found
}

/** The sum finds a doubled number beside a missing one. */
const numbered = (of: Scope) => sql<Finding>`
  select 'I6' as invariant, r.tenant_id, 'object ' || e.object_id as subject,
    'its ' || count(*) || ' events are numbered ' || min(e.sequence) || ' to ' || max(e.sequence)
      as detail
  from events r cross join ${eventsOfRow} where ${of('r')} group by r.tenant_id, e.object_id
  having max(e.sequence) - min(e.sequence) + 1 <> count(*)
    or sum(e.sequence) * 2 <> (min(e.sequence) + max(e.sequence)) * count(*)
  limit ${FINDINGS_MAX}`

/** Once old events were dropped, the places of the feed may begin later and have gaps. */
const placed = (complete: boolean, of: Scope) => sql<Finding>`
  with counted as (
    select tenant_id, count(*) as events, count(distinct number) as places, max(number) as last
    from events where ${of('events')} and number is not null group by tenant_id
  )
  select 'I6' as invariant, coalesce(f.tenant_id, c.tenant_id) as tenant_id, 'feed' as subject,
    'ends at ' || coalesce(f.last, 0) || ', its ' || coalesce(c.events, 0) || ' rows have '
      || coalesce(c.places, 0) || ' places up to ' || coalesce(c.last, 0) as detail
  from (select * from feeds where ${of('feeds')}) f
  full join counted c on c.tenant_id = f.tenant_id
  where c.events <> c.places or c.last > coalesce(f.last, 0)
    or (${complete} and (coalesce(c.events, 0) <> coalesce(f.last, 0)))
  limit ${FINDINGS_MAX}`

/** Both sides are grouped rather than joined, which takes as long with any plan. */
const delivered = (of: Scope) => sql<Finding>`
  with compared as (
    select tenant_id, event_id, event, object_id, sequence, id as delivery_id from deliveries
    where ${of('deliveries')}
    union all
    select r.tenant_id, e.id, r.event, e.object_id, e.sequence, null
    from events r cross join ${eventsOfRow} where ${of('r')}
  )
  select 'I6' as invariant, d.tenant_id, 'delivery ' || min(d.delivery_id::text) as subject,
    'its event ' || d.event_id || ' does not exist' as detail
  from compared d
  join tenants t on t.id = d.tenant_id
  join ${oldestEvent(of)} on d.event_id >= oldest.id
  group by d.tenant_id, d.event_id, d.event, d.object_id, d.sequence
  having bool_and(d.delivery_id is not null)
  limit ${FINDINGS_MAX}`

const due = (of: Scope) => sql<Finding>`
  select 'I6' as invariant, tenant_id, 'delivery ' || id as subject,
    'is ' || status || ' and its next attempt is due ' || coalesce(due::text, 'never') as detail
  from deliveries
  where ${of('deliveries')}
    and (status in ('PENDING', 'RETRYING')) <> (due is not null) limit ${FINDINGS_MAX}`

/**
 * The owner of a delivery agrees with its subscription, and with its event if that is kept (D-750).
 */
const owned = (of: Scope) => sql<Finding>`
  select 'I6' as invariant, d.tenant_id, 'delivery ' || d.id as subject,
    'is to merchant ' || coalesce(w.merchant_id::text, 'none') || ' and of an event of '
      || coalesce(r.merchant_id::text, 'none') as detail
  from webhooks w
  join deliveries d on d.tenant_id = w.tenant_id and d.webhook_id = w.id
  left join events r on r.tenant_id = d.tenant_id and r.id = d.event_id
  where ${of('w')} and w.merchant_id is not null
    and (d.merchant_id is distinct from w.merchant_id
      or (r.id is not null and r.merchant_id is distinct from w.merchant_id))
  limit ${FINDINGS_MAX}`

const expanded = (before: string, of: Scope) => sql<Finding>`
  select 'I6' as invariant, tenant_id, 'batch ' || id as subject,
    'its deliveries are not made' as detail
  from events
  where ${of('events')} and place is not null and to_deliver is not null and id < ${before}
  limit ${FINDINGS_MAX}`
