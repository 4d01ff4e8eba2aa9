/** The invariant of events and deliveries (I6), checked over a whole database. */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import { readClock } from '#kit/clock.ts'
import { firstIdAt } from '#lib/id.ts'
import type { Db } from './database.ts'
import { batchIdOfColumn, eventsOfRow, numberOfColumn } from './event_batches.ts'

/** Longer than a batch waits for its deliveries while a worker runs. */
const EXPANDED_WITHIN_MS = 600_000

/**
 * The least id among the stored events of tenant `t`, as row `oldest`, to be joined. Old events are
 * deleted by ranges of ids: every event from this id on is stored, or was never written.
 */
export const oldestEvent = sql`lateral (
  select id from events where tenant_id = t.id order by id limit 1) oldest`

/**
 * Checks that the stored events of every object are numbered without a gap, that every delivery has
 * its event, that it is finished or has a next attempt, and that the deliveries of batches are
 * made. Empty when all agree.
 */
export async function auditEvents(
  db: Db,
  expanded_within_ms = EXPANDED_WITHIN_MS,
): Promise<Finding[]> {
  const before = firstIdAt((await readClock(db)).getTime() - expanded_within_ms)
  const found = [numbered, delivered, expanded(before)].map((check) => check.execute(db))
  return (await Promise.all(found)).flatMap(({ rows }) => rows)
}

/** The sum finds a number that is doubled where another is missing. */
const numbered = sql<Finding>`
  select 'I6' as invariant, r.tenant_id, 'object ' || e.object_id as subject,
    'its ' || count(*) || ' events are numbered ' || min(e.sequence) || ' to ' || max(e.sequence)
      as detail
  from events r cross join ${eventsOfRow} group by r.tenant_id, e.object_id
  having max(e.sequence) - min(e.sequence) + 1 <> count(*)
    or sum(e.sequence) * 2 <> (min(e.sequence) + max(e.sequence)) * count(*)
  limit ${FINDINGS_MAX}`

const delivered = sql<Finding>`
  select 'I6' as invariant, d.tenant_id, 'delivery ' || d.id as subject,
    case when lost then 'its event ' || d.event_id || ' does not exist'
      else 'is ' || d.status || ' and its next attempt is due ' || coalesce(d.due::text, 'never')
    end as detail
  from deliveries d
  join tenants t on t.id = d.tenant_id
  left join ${oldestEvent} on true
  left join events e on e.tenant_id = d.tenant_id and e.id = d.event_id
  left join events b on b.tenant_id = d.tenant_id and b.id = ${batchIdOfColumn(sql`d.event_id`)}
  cross join lateral (select ${numberOfColumn(sql`d.event_id`)} as n) number
  cross join lateral (
    select d.event_id >= oldest.id and not coalesce(
      (d.event, d.object_id, d.sequence) in (
        (e.event, e.object_id, e.sequence), (b.event, b.object_ids[n], b.sequences[n])), false)
      as lost) found
  where lost or (d.status in ('PENDING', 'RETRYING')) <> (d.due is not null)
  limit ${FINDINGS_MAX}`

const expanded = (before: string) => sql<Finding>`
  select 'I6' as invariant, tenant_id, 'batch ' || id as subject,
    'its deliveries are not made' as detail
  from events where to_deliver is not null and id < ${before} limit ${FINDINGS_MAX}`
