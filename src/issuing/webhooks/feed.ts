/**
 * The pull feed (D-102): all events of the tenant, oldest first, for clients that poll instead of
 * being called. The place of a row is (txid, id), and only those are shown whose transaction is
 * older than every one that still runs: so a late commit never appears behind a cursor. The row of
 * a batch is expanded when it is read. The lists of kit/http/lists.ts do not fit it: its cursor is
 * the id of an event, and an empty answer repeats the cursor that was sent.
 */

import { setMaxListeners } from 'node:events'
import { setTimeout as passed } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '#kit/context.ts'
import { batchIdOf, eventsOfRow } from '#kit/db/event_batches.ts'
import { EVENTS } from '#kit/db/outbox.ts'
import type { Sweep } from '#kit/jobs/sweeper.ts'
import { isId } from '#lib/id.ts'
import { LIMIT_DEFAULT } from '#lib/paging.ts'
import { ApiError } from '#lib/result.ts'
import { type EventRow, renderEvents } from './render.ts'
import type { FeedEvent, FeedQuery } from './schema.ts'

/** An event is seen within this time without a notification, as from another process. */
const LOOK_MS = 250
/** Between two queries of one waiting call, however many notifications come. */
const PAUSE_MS = 25
/** Calls of one tenant that wait at one time in this process; one more fails (D-353). */
const WAITING_OF_TENANT = 20
/** Past so many of all tenants a call queries this seldom, and no notification wakes it. */
const WAITING_OFTEN = 100
const CROWDED_LOOK_MS = 1_000

const EXCEEDED = `${WAITING_OF_TENANT} calls of this tenant are waiting already.`

export type Feed = {
  /** `after` is the id of the last event that the client has; an unknown one is 400. */
  read: (
    ctx: Context,
    query: FeedQuery,
  ) => Promise<{ data: FeedEvent[]; after: string | null; has_more: boolean }>
  /** Wakes waiting calls on a notification, and ends them when the program stops. */
  sweep: Sweep
}

export function createFeed(): Feed {
  const room = createWaitingRoom()
  return {
    async read(ctx, { after, limit = LIMIT_DEFAULT, wait = 0 }) {
      const from = after === undefined ? undefined : await findPlace(ctx, after)
      const until = performance.now() + wait * 1000
      const look = () => listEvents(ctx, from, limit + 1)
      let rows = await look()
      if (rows.length === 0 && wait > 0) rows = await room.waitFor(ctx, until, look)
      const texts = await renderEvents(ctx, rows.slice(0, limit))
      const data = texts.map((text): FeedEvent => JSON.parse(text))
      return { data, after: data.at(-1)?.id ?? after ?? null, has_more: rows.length > limit }
    },
    sweep: {
      name: 'feed',
      channel: EVENTS,
      outside: true,
      async dueTenants() {
        room.wake()
        return []
      },
      run: async () => ({ more: false }),
      prepareStop: room.end,
    },
  }
}

/** Where calls wait for the next event. */
function createWaitingRoom() {
  const waiting = new Set<() => void>()
  const ending = new AbortController()
  // Every waiting call listens.
  setMaxListeners(0, ending.signal)
  const places = new Map<string, number>()
  let callsWaiting = 0
  const wake = () => {
    for (const resolve of waiting) resolve()
    waiting.clear()
  }

  async function pause(until: number): Promise<void> {
    const left = () => Math.max(0, until - performance.now())
    if (callsWaiting > WAITING_OFTEN) return sleep(Math.min(CROWDED_LOOK_MS, left()))
    await sleep(PAUSE_MS)
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.add(resolve)
    const timer = setTimeout(resolve, Math.min(LOOK_MS, left()))
    if (ending.signal.aborted) resolve()
    await promise
    clearTimeout(timer)
    waiting.delete(resolve)
  }

  /** Ends early when the program stops. */
  const sleep = (milliseconds: number) =>
    passed(milliseconds, undefined, { signal: ending.signal }).catch(() => {})

  /** Holds no connection while it waits. Fails with `polls_exceeded` past the tenant's places. */
  async function waitFor(
    { tenant_id }: Context,
    until: number,
    look: () => Promise<EventRow[]>,
  ): Promise<EventRow[]> {
    const taken = places.get(tenant_id) ?? 0
    if (taken >= WAITING_OF_TENANT) throw new ApiError('polls_exceeded', { detail: EXCEEDED })
    places.set(tenant_id, taken + 1)
    callsWaiting += 1
    try {
      let rows: EventRow[] = []
      while (rows.length === 0 && performance.now() < until && !ending.signal.aborted) {
        await pause(until)
        rows = await look()
      }
      return rows
    } finally {
      callsWaiting -= 1
      const left = (places.get(tenant_id) ?? 0) - 1
      if (left > 0) places.set(tenant_id, left)
      else places.delete(tenant_id)
    }
  }

  const end = () => {
    ending.abort()
    wake()
  }
  return { waitFor, wake, end }
}

/** The place of an event: its row, and its number in the row, counted from 1. */
type Place = { txid: string; id: string; n: number }

const START: Place = { txid: '0', id: '00000000-0000-0000-0000-000000000000', n: 0 }

async function findPlace({ db, tenant_id }: Context, text: string): Promise<Place> {
  if (!isId(text)) throw new ApiError('cursor_invalid')
  const id = text.toLowerCase()
  const { rows } = await sql<Place>`
    select r.txid, r.id, e.n::integer from events r cross join ${eventsOfRow}
    where r.tenant_id = ${tenant_id} and r.id in (${id}, ${batchIdOf(id)}) and e.id = ${id}
  `.execute(db)
  const [place] = rows
  if (!place) throw new ApiError('cursor_invalid')
  return place
}

/** The rows are limited before their events are: each has one at least, but perhaps thousands. */
async function listEvents({ db, tenant_id }: Context, from: Place | undefined, limit: number) {
  const { txid, id, n } = from ?? START
  const { rows } = await sql<EventRow>`
    select e.id, r.event, e.object_id, e.sequence, r.created, r.payload::text
    from (
      select * from events
      where tenant_id = ${tenant_id} and (txid, id) >= (${txid}::xid8, ${id}::uuid)
        and txid < pg_snapshot_xmin(pg_current_snapshot())
      order by txid, id limit ${limit + 1}) r
    cross join ${eventsOfRow}
    where (r.txid, r.id, e.n) > (${txid}::xid8, ${id}::uuid, ${n})
    order by r.txid, r.id, e.n limit ${limit}`.execute(db)
  return rows
}
