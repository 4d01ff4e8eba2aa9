/**
 * Events: written in the transaction of their cause (D-62). One event is one row, written with a
 * delivery per subscription; the events of a batch of decisions are one row together, whose
 * deliveries are made after the commit (D-395). Rows are numbered for the pull feed after their
 * commit too (issuing/webhooks/expansion.ts, D-495).
 */

import { type RawBuilder, sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import { idArray, plainArray } from '#kit/db/arrays.ts'
import { portionsOf, valuesOf } from '#kit/db/portions.ts'
import { Write } from '#kit/db/write.ts'
import type { Event, RenderedName } from '#kit/event.ts'
import { here, type Place, traceHeaders } from '#kit/tracing/tracing.ts'
import { newId } from '#lib/id.ts'
import { BATCH_MAX, deliveryId, eventsOfRow, makeBatchId } from './event_batches.ts'

/** An event whose sequence the caller knows, with the object locked. */
export type SequencedEvent = Event & { sequence: number }

/** An event that is rendered from the history of its object (issuing/webhooks/render.ts). */
export type ObjectEvent = {
  event: RenderedName
  object_id: string
  sequence: number
  /** Its cause, where that is traced. */
  place?: Place | undefined
}

/**
 * The channels that wake the numbering of events, calls of the pull feed and the webhook worker.
 */
export const EVENTS = 'events'
export const FEED = 'feed'
export const DELIVERIES = 'deliveries'

/**
 * Writes events in the transaction of their change, in which other slices react to them. The
 * caller has locked each object.
 */
export async function emit(tx: Tx, ...events: Event[]): Promise<void> {
  await emitAfter(tx, await lastSequences(tx, ...events.map(({ object_id }) => object_id)), events)
}

/** The sequence of the newest event of each object that has one. */
export type LastSequences = ReadonlyMap<string, number>

/** Travels with the statements that lock the objects, behind them. */
export async function lastSequences(tx: Tx, ...object_ids: string[]): Promise<LastSequences> {
  const rows = await tx.db
    .selectFrom('events')
    .select((row) => [
      row.ref('object_id').$notNull().as('object_id'),
      row.fn.max('sequence').as('sequence'),
    ])
    .where('tenant_id', '=', tx.tenant_id)
    .where('object_id', 'in', [...new Set(object_ids)])
    .groupBy('object_id')
    .execute()
  return new Map(rows.map(({ object_id, sequence }) => [object_id, Number(sequence)]))
}

/** As `emit`, for a caller that has read the last sequences; those of new objects are none. */
export async function emitAfter(tx: Tx, known: LastSequences, events: Event[]): Promise<void> {
  const last = new Map(known)
  const sequenced = events.map((event) => {
    const sequence = (last.get(event.object_id) ?? 0) + 1
    last.set(event.object_id, sequence)
    return { ...event, sequence }
  })
  void tx.withCommit(emitSequenced(tx, sequenced))
  for (const event of events) await tx.react(tx, event)
}

/**
 * One statement for any number of events; used by writers that number their events, to which no
 * slice reacts.
 */
export function emitSequenced(tx: Tx, events: SequencedEvent[]): Write {
  if (events.length === 0) return Write.of(tx.db)
  tx.afterCommit(() => {
    tx.notify(EVENTS, tx.tenant_id)
    tx.notify(DELIVERIES, tx.tenant_id)
  })
  return insertEvents(tx, events)
}

/**
 * An event of a merchant goes to its own subscriptions beside those of the tenant. Which owners are
 * concerned is asked of the index too: a tenant may have thousands of merchants.
 */
function insertEvents({ db, tenant_id, now }: Tx, events: SequencedEvent[]): Write {
  const ids = events.map(() => newId())
  const merchants = events.map(({ merchant_id = null }) => merchant_id)
  const traced = traceparentsOf([here()])
  const rows = events.map(({ event, object_id, sequence, payload }, at) => {
    const text = eventText({ id: ids[at], event, created: now, payload })
    return [tenant_id, ids[at], event, object_id, merchants[at], sequence, text, now, traced]
  })
  const written = portionsOf(rows).map(
    (portion) => sql`
      insert into events (tenant_id, id, event, object_id, merchant_id, sequence, payload, created,
        traceparents)
      ${valuesOf(portion)}`,
  )
  const delivered = sql`
    insert into deliveries (tenant_id, id, webhook_id, merchant_id, event_id, event, object_id,
      sequence, status, due, created, modified)
    select w.tenant_id, ${deliveryId(sql`w.id`, sql`e.id`)}, w.id, w.merchant_id, e.id, e.event,
      e.object_id, e.sequence, 'PENDING', ${now}::timestamptz, ${now}::timestamptz,
      ${now}::timestamptz
    from webhooks w
    cross join unnest(${plainArray(ids)}::uuid[],
      ${plainArray(events.map(({ event }) => event))}::text[],
      ${plainArray(events.map(({ object_id }) => object_id))}::uuid[],
      ${plainArray(merchants)}::uuid[],
      ${plainArray(events.map(({ sequence }) => sequence))}::int[])
      as e (id, event, object_id, merchant_id, sequence)
    where w.tenant_id = ${tenant_id} and w.status = 'ACTIVE' and e.event = any (w.events)
      and (w.merchant_id is null or w.merchant_id = any (${plainArray(merchants)}::uuid[]))
      and (w.merchant_id is null or w.merchant_id = e.merchant_id)
  `
  return Write.of(db, ...written, delivered)
}

/**
 * Writes the events of a batch of decisions in one row, whose `id` is from makeBatchId(). Event n,
 * counted from 0, has that id with its last three digits replaced by n. A row contains one kind and
 * at most 4,096 events; further ones are in another row with a batch id of its own. No slice
 * reacts. The deliveries to `subscribers` are made when the row is numbered
 * (issuing/webhooks/expansion.ts).
 *
 * The statement is sent after the one by which the batch locks its accounts or compares their
 * versions: if two batches change one object, the later one must also draw the later place.
 */
export function emitBatch(
  tx: Tx,
  id: string,
  events: readonly ObjectEvent[],
  subscribers: Subscribers,
): Write {
  if (events.length > 0) tx.afterCommit(() => tx.notify(EVENTS, tx.tenant_id))
  return Write.of(
    tx.db,
    ...batchesOf(id, events).map((batch) => insertBatch(tx, batch, subscribers)),
  )
}

/** The kinds of each subscription of the tenant that is ACTIVE, by its id. */
export type Subscribers = Readonly<Record<string, readonly string[]>>

/**
 * The subscribers of the tenant, as a column of a statement; null if it has none. No kind that is
 * written in batches is one of merchants.
 */
export const subscribersOf = (tenant_id: string): RawBuilder<Subscribers | null> => sql`(
  select json_object_agg(w.id, w.events) from webhooks w
  where w.tenant_id = ${tenant_id} and w.merchant_id is null and w.status = 'ACTIVE')`

type Batch = { id: string; event: RenderedName; events: ObjectEvent[] }

function batchesOf(id: string, events: readonly ObjectEvent[]): Batch[] {
  const batches: Batch[] = []
  for (const one of events) {
    const last = batches.at(-1)
    if (last?.event === one.event && last.events.length < BATCH_MAX) last.events.push(one)
    else batches.push({ id: last ? makeBatchId() : id, event: one.event, events: [one] })
  }
  return batches
}

function insertBatch(
  { tenant_id, now }: Tx,
  { id, event, events }: Batch,
  subscribers: Subscribers,
): RawBuilder<unknown> {
  const ids = Object.keys(subscribers).filter((of) => subscribers[of]?.includes(event))
  return sql`
    insert into events (tenant_id, id, event, object_ids, sequences, created, to_deliver,
      traceparents)
    values (${tenant_id}, ${id}, ${event}, ${idArray(events.map(({ object_id }) => object_id))},
      ${plainArray(events.map(({ sequence }) => sequence))}, ${now},
      ${ids.length > 0 ? plainArray(ids) : null},
      ${traceparentsOf(events.map(({ place }) => place))})`
}

/** No place, in an array of them. */
const NOWHERE = '-'

/** Null where none has a place, as while nothing is traced. */
function traceparentsOf(places: readonly (Place | undefined)[]): string | null {
  if (places.every((place) => place === undefined)) return null
  return plainArray(places.map((place) => (place && traceHeaders(place).traceparent) ?? NOWHERE))
}

type EventFields = { id: string | undefined; event: string; created: Date; payload: object }

/** The text that is signed and sent: the same bytes at every attempt and in the pull feed. */
export function eventText({ payload, ...event }: EventFields): string {
  return JSON.stringify({ ...event, ...payload })
}

/** Kinds of the events of one object, oldest first. For tests: no index finds it in batches. */
export async function eventsOf({ db, tenant_id }: Context, object_id: string): Promise<string[]> {
  const { rows } = await sql<{ event: string }>`
    select r.event from events r cross join ${eventsOfRow}
    where r.tenant_id = ${tenant_id} and e.object_id = ${object_id}
    order by e.sequence`.execute(db)
  return rows.map(({ event }) => event)
}
