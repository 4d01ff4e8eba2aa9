/**
 * How a row of `events` that contains a batch is read (D-395). The row names the objects that
 * changed, in order; the id of each event is the id of the row with its number at the end, so that
 * an event is found from its id alone.
 */

import { type RawBuilder, sql } from 'kysely'
import { newId } from '#lib/id.ts'

/** Events of one row: as many as three hexadecimal digits count. */
export const BATCH_MAX = 4_096

/** The hexadecimal digits of an event's id that count the events of its batch. */
const NUMBER_DIGITS = 3
const FIRST = '0'.repeat(NUMBER_DIGITS)

/** The id of a batch, which is the id of its first event. It is greater than every id before. */
export function makeBatchId(): string {
  return batchIdOf(newId())
}

/** The id of the batch that contains this event, if it is an event of a batch. */
export function batchIdOf(event_id: string): string {
  return event_id.slice(0, -NUMBER_DIGITS) + FIRST
}

/** The number of the event in its batch, counted from 0. */
export const placeInBatch = (event_id: string): number =>
  Number.parseInt(event_id.slice(-NUMBER_DIGITS), 16)

/**
 * The events of row `r` of `events` as rows `e`, to be joined: one, or those of a batch. `n` counts
 * them from 1. Their kind and time are those of the row.
 */
export const eventsOfRow = sql`lateral (
  select c.object_id, c.sequence, c.n, case when r.object_ids is null then r.id
    else (left(r.id::text, -3) || lpad(to_hex(c.n - 1), 3, '0'))::uuid end as id
  from unnest(coalesce(r.object_ids, array[r.object_id]),
    coalesce(r.sequences, array[r.sequence])) with ordinality as c (object_id, sequence, n)) e`

/**
 * The id of the delivery of an event to a subscription: the time of the event's id, then a digest
 * of both ids (D-397).
 */
export const deliveryId = (
  webhook_id: RawBuilder<unknown>,
  event_id: RawBuilder<unknown>,
): RawBuilder<string> =>
  sql`(left(${event_id}::text, 13) || overlay(overlay(left(encode(sha256(
    uuid_send(${webhook_id}) || uuid_send(${event_id})), 'hex'), 20)
    placing '7' from 1) placing '8' from 5))::uuid`
