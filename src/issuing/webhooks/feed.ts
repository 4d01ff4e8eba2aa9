/**
 * The pull feed (D-102): all events of the tenant, oldest first, for clients that would rather ask
 * than be called. An event's place is (txid, id), and only those are shown whose transaction is
 * older than every one that still runs: a late commit can so never land behind a cursor.
 */

import { sql } from 'kysely'
import type { Context } from '#kit/context.ts'
import { DELIVERIES } from '#kit/outbox.ts'
import type { Sweep } from '#kit/sweeper.ts'
import { isId } from '#lib/id.ts'
import { LIMIT_DEFAULT } from '#lib/pages.ts'
import { Refusal } from '#lib/ruling.ts'
import type { FeedEvent, FeedQuery } from './schema.ts'
import { type EventRow, tellEvents } from './tell.ts'

/** An event is seen within this time though no bell rang: another process may have written it. */
const LOOK_MS = 250
/** Between two looks of one waiting call, however often the bell rings. */
const PAUSE_MS = 25
/** Calls that wait at one time in this process; one more is answered at once. */
const WAITING_MAX = 100

export type Feed = {
  /** `after` is the id of the last event that the client has; an unknown one is 400. */
  read: (
    ctx: Context,
    query: FeedQuery,
  ) => Promise<{ data: FeedEvent[]; after: string | null; has_more: boolean }>
  /** Not work: it hears the bell, and ends the waiting when the program stops. */
  sweep: Sweep
}

export function createFeed(): Feed {
  const waiting = new Set<() => void>()
  let callsWaiting = 0
  let stopping = false
  const wake = () => {
    for (const resolve of waiting) resolve()
    waiting.clear()
  }

  async function pause(until: number): Promise<void> {
    await rest(PAUSE_MS)
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.add(resolve)
    const timer = setTimeout(resolve, Math.min(LOOK_MS, Math.max(0, until - Date.now())))
    await promise
    clearTimeout(timer)
    waiting.delete(resolve)
  }

  return {
    async read(ctx, { after, limit = LIMIT_DEFAULT, wait = 0 }) {
      const from = after === undefined ? undefined : await placeOf(ctx, after)
      const until = Date.now() + wait * 1000
      let rows = await eventsFrom(ctx, from, limit + 1)
      if (rows.length === 0 && callsWaiting < WAITING_MAX) {
        callsWaiting += 1
        try {
          while (rows.length === 0 && Date.now() < until && !stopping) {
            await pause(until)
            rows = await eventsFrom(ctx, from, limit + 1)
          }
        } finally {
          callsWaiting -= 1
        }
      }
      const texts = await tellEvents(ctx, rows.slice(0, limit))
      const data = texts.map((text): FeedEvent => JSON.parse(text))
      return { data, after: data.at(-1)?.id ?? after ?? null, has_more: rows.length > limit }
    },
    sweep: {
      name: 'feed',
      bell: DELIVERIES,
      outside: true,
      async dueTenants() {
        wake()
        return []
      },
      run: async () => ({ more: false }),
      async stop() {
        stopping = true
        wake()
      },
    },
  }
}

const rest = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

type Place = { txid: string; id: string }

async function placeOf({ db, tenant_id }: Context, id: string): Promise<Place> {
  const place = isId(id)
    ? await db
        .selectFrom('events')
        .select(['txid', 'id'])
        .where('tenant_id', '=', tenant_id)
        .where('id', '=', id)
        .executeTakeFirst()
    : undefined
  if (!place) throw new Refusal('cursor_invalid')
  return place
}

async function eventsFrom({ db, tenant_id }: Context, from: Place | undefined, limit: number) {
  const { txid, id } = from ?? { txid: '0', id: '00000000-0000-0000-0000-000000000000' }
  const { rows } = await sql<EventRow>`
    select id, event, object_id, sequence, created, payload::text from events
    where tenant_id = ${tenant_id} and (txid, id) > (${txid}::xid8, ${id}::uuid)
      and txid < pg_snapshot_xmin(pg_current_snapshot())
    order by txid, id limit ${limit}`.execute(db)
  return rows
}
