/** Events for tests of how events are stored, listed and delivered, whatever is in them. */

import { sql } from 'kysely'
import { emitBatch, type ObjectEvent, type Subscribers, subscribersOf } from '#events/outbox.ts'
import type { Tx } from '#kit/context.ts'
import type { Event, EventName, RenderedName } from '#kit/event.ts'
import type { World } from './world.ts'

/** An event with members that a test can tell apart, which no slice would emit. */
export const madeUpEvent = (
  event: EventName | RenderedName,
  object_id: string,
  payload: object = {},
): Event =>
  // The outbox writes what it is given: kind and members mean nothing to it.
  ({ event, object_id, payload }) as Event

// biome-ignore lint/suspicious/noExplicitAny: tests look into events member by member.
export type SentEvent = any

/** The events about an object, oldest first; the feed shows it only a little later. */
export async function payloadsOf({ db }: World, object_id: string): Promise<SentEvent[]> {
  const rows = await db
    .selectFrom('events')
    .select('payload')
    .where('object_id', '=', object_id)
    .orderBy('sequence')
    .execute()
  return rows.map(({ payload }) => payload)
}

/** Writes the events of a batch for those who subscribe to them now. */
export async function emitToSubscribers(
  tx: Tx,
  id: string,
  events: readonly ObjectEvent[],
): Promise<void> {
  const { rows } = await sql<{ subscribers: Subscribers | null }>`
    select ${subscribersOf(tx.tenant_id)} as subscribers`.execute(tx.db)
  await emitBatch(tx, id, events, rows[0]?.subscribers ?? {}).start()
}
