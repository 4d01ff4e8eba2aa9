/** Moves of the clock, and what became due by them. */

import { answered, issuing } from '../../api/client.ts'
import type { Event, ListPage } from '../../api/types.ts'

export const STEPS = ['PT1H', 'P1D', 'P7D', 'P30D'] as const
export type Step = (typeof STEPS)[number]

/** Events that are counted after a move. */
export const MOST_EVENTS = 200

export type Moved = {
  from: string
  to: string
  /** Jobs that are still running. */
  running: readonly string[]
  /** How many events of each kind the move has led to, the commonest first. */
  kinds: readonly { kind: string; count: number }[]
  hasMore: boolean
}

type Move = { advance: string } | { now: string }

/** Moves it, and reads the events that came with the move. */
export async function moveClock(from: string, move: Move): Promise<Moved> {
  const after = await endOfFeed()
  const { now, running = [] } = await answered(issuing.simulation.moveClock(move))
  const { data, has_more } = await eventsAfter(after, MOST_EVENTS)
  const groups = Map.groupBy(data, ({ event }) => event)
  const kinds = [...groups]
    .map(([kind, events]) => ({ kind, count: events.length }))
    .sort((one, other) => other.count - one.count)
  return { from, to: now, running, kinds, hasMore: has_more }
}

/** Pages of events that are passed at most: others come again with each call. */
const MOST_PAGES = 20

/** The cursor behind every event so far; events that no one has read yet come after `latest`. */
async function endOfFeed(): Promise<string | undefined> {
  let page = await eventsAfter('latest', MOST_EVENTS)
  for (let pages = 1; page.has_more && pages < MOST_PAGES; pages++) {
    page = await eventsAfter(page.after, MOST_EVENTS)
  }
  return page.after ?? undefined
}

/** Events after a cursor; if there is none, from the first event of the tenant on. */
async function eventsAfter(after: string | undefined, limit: number): Promise<ListPage<Event>> {
  const asked = answered(issuing.events.list({ limit, ...(after !== undefined && { after }) }))
  // The operation answers a stream only to those who accept one.
  return (await asked) as ListPage<Event>
}
