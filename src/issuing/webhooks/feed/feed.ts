/**
 * The pull feed (D-102): all events of the tenant in the order of their numbers (D-495), for
 * clients that ask instead of being called. The row of a batch is expanded when it is read. The
 * lists of kit/http/lists.ts do not fit it: its cursor is the id of an event, and an empty answer
 * repeats the cursor that was sent.
 */

import { FEED } from '#events/outbox.ts'
import type { Context } from '#kit/context.ts'
import type { StreamedEvents } from '#kit/http/answers/event_stream.ts'
import { badCursor } from '#kit/http/lists.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'
import { isId } from '#lib/id.ts'
import { LIMIT_DEFAULT, LIMIT_MAX } from '#lib/paging.ts'
import type { ApiError } from '#lib/result.ts'
import { numberEvents } from '../expansion.ts'
import { renderEvents } from '../render.ts'
import type { FeedEvent, FeedQuery } from '../schema.ts'
import {
  findEnd,
  findOldestId,
  findPlace,
  listPlacedEvents,
  type Place,
  type PlacedEvent,
  placeKey,
  START,
} from './feed_store.ts'
import { createSeats } from './seats.ts'
import { createWaitingRoom, wakingSweep } from './waiting_room.ts'

/** The value of `after` that begins at the end of the feed (D-498). */
const LATEST = 'latest'
/** Calls that wait in this process (D-496), and streams (D-497), each with their own seats. */
const CALLS = { of_all: 10_000, of_tenant: 2_000, of_key: 2_000 }
const STREAMS = { of_all: 5_000, of_tenant: 200, of_key: 100 }
/** A stream without an event sends a line this often, and its key is looked up again. */
const BEAT_MS = 5_000

export type Feed = {
  /** `after` is the id of the last event that the client has; an unknown one is 400. */
  read: (
    ctx: Context,
    query: FeedQuery,
  ) => Promise<{ data: FeedEvent[]; after: string | null; has_more: boolean }>
  /** The events after `after`, and those to come, until `signal` or the end of the program. */
  stream: (
    ctx: Context,
    query: Pick<FeedQuery, 'after'>,
    signal: AbortSignal,
  ) => Promise<StreamedEvents>
  isAwaited: (tenant_id: string) => boolean
  /** Wakes waiting calls on a notification, and ends them when the program stops. */
  sweep: Sweep
}

type TextedEvent = Pick<PlacedEvent, 'id' | 'event' | 'number' | 'n'> & { text: string }

export function createFeed(): Feed {
  const room = createWaitingRoom({ keyOf: placeKey, look: findTexted })
  const calls = createSeats(CALLS)
  const streams = createSeats(STREAMS)

  async function waitForEvents(ctx: Context, from: Place, limit: number, seconds: number) {
    const seat = calls.take(ctx)
    try {
      return (await room.waitFor({ ctx, from, limit, milliseconds: seconds * 1000 })) ?? []
    } finally {
      seat[Symbol.dispose]()
    }
  }

  return {
    async read(ctx, { after, limit = LIMIT_DEFAULT, wait = 0 }) {
      const { id, ...from } = await beginAt(ctx, after)
      const found =
        wait > 0
          ? await waitForEvents(ctx, from, limit + 1, wait)
          : await listTexted(ctx, from, limit + 1)
      const data = found.slice(0, limit).map(({ text }): FeedEvent => JSON.parse(text))
      return { data, after: data.at(-1)?.id ?? id ?? null, has_more: found.length > limit }
    },
    async stream(ctx, { after }, signal) {
      const seat = streams.take(ctx)
      try {
        let from: Place = await beginAt(ctx, after)
        const next = async () => {
          const wait = { ctx, from, limit: LIMIT_MAX, milliseconds: BEAT_MS, signal }
          const events = room.isEnding() ? undefined : await room.waitFor(wait)
          if (room.isEnding() || signal.aborted) return undefined
          from = events?.at(-1) ?? from
          return (events ?? []).map(({ id, event, text }) => ({ id, event, data: text }))
        }
        return { next, end: () => seat[Symbol.dispose]() }
      } catch (error) {
        seat[Symbol.dispose]()
        throw error
      }
    },
    isAwaited: room.isAwaited,
    sweep: wakingSweep('feed', FEED, room),
  }
}

async function findTexted(ctx: Context, from: Place, limit: number) {
  const events = await listTexted(ctx, from, limit)
  return events.length === 0 ? undefined : events
}

/** The events with their texts, as they are delivered. Committed events are numbered first. */
async function listTexted(ctx: Context, from: Place, limit: number): Promise<TextedEvent[]> {
  let { events, has_unnumbered } = await listPlacedEvents(ctx, from, limit)
  while (has_unnumbered && events.length < limit) {
    const { more } = await numberEvents(ctx)
    ;({ events } = await listPlacedEvents(ctx, from, limit))
    has_unnumbered = more
  }
  const texts = await renderEvents(ctx, events)
  return events.map((row, at) => ({ ...row, text: texts[at] ?? '' }))
}

/** The place of a cursor, and the id that it names. */
async function beginAt(ctx: Context, after: string | undefined): Promise<Place & { id?: string }> {
  if (after === undefined) return START
  if (after === LATEST) {
    // A committed event without a number is no event to come (D-498).
    while ((await numberEvents(ctx)).more);
    return (await findEnd(ctx)) ?? START
  }
  if (!isId(after)) throw badCursor()
  let found = await findPlace(ctx, after.toLowerCase())
  // A delivery can be faster than the number of its event.
  for (let more = true; found?.number === null && more; ) {
    more = (await numberEvents(ctx)).more
    found = await findPlace(ctx, after.toLowerCase())
  }
  if (!found || found.number === null) throw await unknownCursor(ctx, after)
  return { number: found.number, n: found.n, id: after }
}

async function unknownCursor(ctx: Context, after: string): Promise<ApiError> {
  const oldest = await findOldestId(ctx)
  if (oldest !== undefined && after.toLowerCase() > oldest) return badCursor()
  const detail =
    'The event that `after` names is no longer kept: list again without it for all events that ' +
    `are kept, or with \`after=${LATEST}\` for new ones only.`
  return badCursor('after', { detail, message: 'names an event that is no longer kept' })
}
