/** Events: written in the transaction of their cause (D-62), with a delivery per subscription. */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import type { Context, Tx } from '#kit/context.ts'
import type { Event } from '#kit/event.ts'
import { newId } from '#lib/id.ts'
import { jsonArray, plainArray } from './arrays.ts'
import type { Db } from './database.ts'

/**
 * An event whose sequence the caller knows, with the object locked. One without a payload is
 * rendered from the history of its object (issuing/webhooks/render.ts).
 */
export type SequencedEvent = Omit<Event, 'payload'> & {
  /** Generated when absent. */
  id?: string
  payload?: Record<string, unknown>
  sequence: number
}

/** The channel that wakes the webhook worker. */
export const DELIVERIES = 'deliveries'

/**
 * Writes events in the transaction of their change, in which other slices react to them. The
 * caller has locked each object.
 */
export async function emit(tx: Tx, ...events: Event[]): Promise<void> {
  const objects = [...new Set(events.map(({ object_id }) => object_id))]
  const rows = await tx.db
    .selectFrom('events')
    .select((row) => ['object_id', row.fn.max('sequence').as('sequence')])
    .where('tenant_id', '=', tx.tenant_id)
    .where('object_id', 'in', objects)
    .groupBy('object_id')
    .execute()
  const last = new Map(rows.map(({ object_id, sequence }) => [object_id, Number(sequence)]))
  await emitSequenced(
    tx,
    events.map((event) => {
      const sequence = (last.get(event.object_id) ?? 0) + 1
      last.set(event.object_id, sequence)
      return { ...event, sequence }
    }),
  )
  for (const event of events) await tx.react(tx, event)
}

/**
 * One statement for any number of events; used by batches that number their events, to which no
 * slice reacts.
 */
export async function emitSequenced(tx: Tx, events: SequencedEvent[]): Promise<void> {
  if (events.length === 0) return
  await insertEvents(tx, events)
  tx.afterCommit(() => tx.notify(DELIVERIES))
}

async function insertEvents({ db, tenant_id, now }: Tx, events: SequencedEvent[]): Promise<void> {
  const ids = events.map(({ id }) => id ?? newId())
  const texts = events.map(({ event, payload }, at) =>
    payload ? eventText({ id: ids[at], event, created: now, payload }) : null,
  )
  await sql`
    with written as (
      insert into events (tenant_id, id, event, object_id, sequence, payload, created)
      select ${tenant_id}::uuid, entry.*, ${now}::timestamptz
      from rows from (unnest(${plainArray(ids)}::uuid[]),
        unnest(${plainArray(events.map(({ event }) => event))}::text[]),
        unnest(${plainArray(events.map(({ object_id }) => object_id))}::uuid[]),
        unnest(${plainArray(events.map(({ sequence }) => sequence))}::int[]),
        unnest(${jsonArray(texts)})) as entry
      returning id, event, object_id, sequence
    )
    insert into deliveries (tenant_id, id, webhook_id, event_id, object_id, sequence, status, due,
      created, modified)
    select ${tenant_id}::uuid, gen_random_uuid(), w.id, e.id, e.object_id, e.sequence, 'PENDING',
      ${now}, ${now}, ${now}
    from written e join webhooks w
      on w.tenant_id = ${tenant_id} and w.status = 'ACTIVE' and e.event = any (w.events)
  `.execute(db)
}

type EventFields = { id: string | undefined; event: string; created: Date; payload: object }

/** The text that is signed and sent: the same bytes at every attempt and in the pull feed. */
export function eventText({ payload, ...event }: EventFields): string {
  return JSON.stringify({ ...event, ...payload })
}

/** Ids of the newest events of one object, for tests and consoles: oldest first. */
export async function eventsOf({ db, tenant_id }: Context, object_id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('events')
    .select('event')
    .where('tenant_id', '=', tenant_id)
    .where('object_id', '=', object_id)
    .orderBy('sequence')
    .execute()
  return rows.map(({ event }) => event)
}

/**
 * Checks that every object's events are numbered without a gap, that every delivery has its event,
 * and that it is finished or has a next attempt (I6). Returns an empty list when all agree.
 */
export async function auditEvents(db: Db): Promise<Finding[]> {
  const numbered = await sql<Finding>`
    select 'I6' as invariant, tenant_id, 'object ' || object_id as subject,
      'its ' || count(*) || ' events are numbered ' || min(sequence) || ' to ' || max(sequence)
        as detail
    from events group by tenant_id, object_id
    having min(sequence) <> 1 or max(sequence) <> count(*) limit ${FINDINGS_MAX}`.execute(db)
  const delivered = await sql<Finding>`
    select 'I6' as invariant, d.tenant_id, 'delivery ' || d.id as subject,
      case when e.id is null then 'its event ' || d.event_id || ' does not exist'
        else 'is ' || d.status || ' and its next attempt is due ' || coalesce(d.due::text, 'never')
      end as detail
    from deliveries d
    left join events e on e.tenant_id = d.tenant_id and e.id = d.event_id
    where e.id is null or (d.status in ('PENDING', 'RETRYING')) <> (d.due is not null)
    limit ${FINDINGS_MAX}`.execute(db)
  return [...numbered.rows, ...delivered.rows]
}
