/** The feed of events, followed without an end (D-852). */

import type { RequestOptions } from './core/group.ts'
import type { Page } from './core/lists.ts'
import { EventsGroup } from './generated/issuing/groups/events.ts'
import type { ListEventsQuery, WebhookEvent } from './generated/issuing/types.ts'

export type FollowQuery = {
  /**
   * Id of the last event that the program has, or `latest` for the events to come. Without it the
   * feed is followed from the oldest event that is kept.
   */
  after?: string | undefined
}

export type FollowOptions = Pick<RequestOptions, 'signal' | 'onResponse'>

/** The most events of an answer, and so the most that are in memory. */
const LIMIT = 200
/** Seconds that the platform keeps a question open until there is an event. */
const WAIT_S = 30
/** A line that is this silent is lost: the platform answers after WAIT_S. */
const SILENCE_MS = 40_000

/** Events in the order in which they happened, and each kind as a subscription receives it. */
export class EventFeed extends EventsGroup {
  /**
   * Yields every event of the tenant, oldest first, and goes on with those to come, until the loop
   * is left or the signal ends it. `event.event` says of which kind an event is.
   *
   * A connection that is lost is made again behind the last event, however often: after half a
   * second to eight, and no sooner than `Retry-After` says. Nothing is left out or yielded twice.
   * The next events are asked for when those before have been taken. A program that begins again
   * passes the id of the last event that it has as `after`.
   *
   * Throws the reason of the signal, and what another attempt would not change: an error of the
   * first question, a key that is revoked, an `after` that is no longer kept (`cursor_invalid`).
   */
  async *follow(
    { after }: FollowQuery = {},
    options: FollowOptions = {},
  ): AsyncGenerator<WebhookEvent, void, undefined> {
    // The feed has what subscriptions receive, as its document says.
    const ask = (query: ListEventsQuery, how: RequestOptions) =>
      this.transport.send<Page<WebhookEvent>>('GET', '/events', { query }, how)
    const endless = { ...options, retries: Number.POSITIVE_INFINITY, timeout: SILENCE_MS }
    // The first question is answered at once: then it is known that the platform is there.
    let page = await ask({ ...(after !== undefined && { after }), limit: LIMIT }, options)
    // Before the first event of a tenant its feed has no place.
    let place = page.after ?? (after === 'latest' ? undefined : after)
    for (;;) {
      yield* page.data
      const query = { ...(place !== undefined && { after: place }), limit: LIMIT, wait: WAIT_S }
      page = await ask(query, endless)
      place = page.after ?? place
    }
  }
}
