/** Rows of the pull feed. A place in it is the number of a row and that of an event in the row. */

import { sql } from 'kysely'
import { batchIdOf, eventsOfRow } from '#events/event_batches.ts'
import type { Context } from '#kit/context.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import type { EventRow } from '../render.ts'

/** `n` is counted from 1. */
export type Place = { number: bigint; n: number }
export type PlacedEvent = EventRow & Place

export const placeKey = ({ number, n }: Place): string => `${number} ${n}`

export const START: Place = { number: 0n, n: 0 }

/** A row of a batch that was never committed has a number and no events (D-401). */
const hasEvents = sql`object_ids is distinct from '{}'`

/** The place of an event; its number is null until it has one. Undefined for an unknown event. */
export async function findPlace(
  { db, tenant_id }: Context,
  id: string,
): Promise<{ number: bigint | null; n: number } | undefined> {
  const { rows } = await sql<{ number: bigint | null; n: number }>`
    select r.number, e.n::integer from events r cross join ${eventsOfRow}
    where r.tenant_id = ${tenant_id} and r.id in (${id}, ${batchIdOf(id)}) and e.id = ${id}
  `.execute(db)
  return rows[0]
}

/** The last event of the feed. */
export async function findEnd({ db, tenant_id }: Context) {
  const { rows } = await sql<Place & { id: string }>`
    select r.number, e.n::integer, e.id
    from (
      select * from events where tenant_id = ${tenant_id} and number is not null and ${hasEvents}
      order by number desc limit 1) r
    cross join ${eventsOfRow}
    order by e.n desc limit 1`.execute(db)
  return rows[0]
}

/** The id of the oldest event that is kept. */
export async function findOldestId({ db, tenant_id }: Context): Promise<string | undefined> {
  const row = await db
    .selectFrom('events')
    .select('id')
    .where('tenant_id', '=', tenant_id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/**
 * The events after a place, oldest first, and whether there are rows without a number. Rows are
 * limited before their events are: each has one at least, but perhaps thousands.
 */
export async function listPlacedEvents(
  { db, tenant_id }: Context,
  { number, n }: Place,
  limit: number,
): Promise<{ events: PlacedEvent[]; has_unnumbered: boolean }> {
  const { rows } = await sql<PlacedEvent & { has_unnumbered: boolean }>`
    with page as (
      select r.number, e.n::integer, e.id, r.event, e.object_id, e.sequence, r.created,
        r.payload::text
      from (
        select * from events
        where tenant_id = ${tenant_id} and number >= ${number} and ${hasEvents}
        order by number limit ${limit + 1}) r
      cross join ${eventsOfRow}
      where (r.number, e.n) > (${number}, ${n})
      order by r.number, e.n limit ${limit}
    )
    select page.*, unnumbered is not null as has_unnumbered
    from (select (
      select true from events where tenant_id = ${tenant_id} and place is not null
      order by place limit 1) as unnumbered) u
    left join page on true
    order by page.number, page.n`.execute(db)
  const events = rows.filter(({ id }) => id !== null)
  return { events, has_unnumbered: rows[0]?.has_unnumbered ?? false }
}

/** Events of an object whose rows are their own, newest first. */
export async function listObjectEventRows(
  { db, tenant_id }: Context,
  object_id: string,
  range: PageRange,
): Promise<EventRow[]> {
  const query = db
    .selectFrom('events')
    .select(['id', 'event', 'created'])
    .select(sql<string>`object_id`.as('object_id'))
    .select(sql<number>`sequence`.as('sequence'))
    .select(sql<string | null>`payload::text`.as('payload'))
    .where('tenant_id', '=', tenant_id)
    .where('object_id', '=', object_id)
  return selectRange(query, range).execute()
}
