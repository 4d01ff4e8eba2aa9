/** Events in the order in which they happened, and each kind as a subscription receives it. */
import { Group, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type { Event, ListEventsHeaders, ListEventsQuery, ListObjectEventsQuery } from '../types.ts'

/** Events in the order in which they happened, and each kind as a subscription receives it. */
export class EventsGroup extends Group {
  /**
   * List events.
   *
   * Lists all events of the tenant, oldest first, subscribed or not. `after` is the id of the last
   * event that the client has, or `latest` for the events to come; with the id of one that is no
   * longer kept the call fails, and is made again without it. Without a new event the call waits up
   * to `wait` seconds for the next one. With `Accept: text/event-stream` the answer sends every
   * event after `after` and goes on with those to come: `id` is the id of the event, `event` its
   * kind, `data` the event; `limit` and `wait` have no effect; a comment comes every 5 seconds, and
   * a client that reads nothing for 30 seconds is cut. At most 2,000 calls of a tenant and 10,000 of
   * all wait at one time in one process, and 200 streams of a tenant, 100 of an API key and 5,000 of
   * all are open; a further one answers polls_exceeded.
   *
   * Errors of its own: `cursor_invalid`, `polls_exceeded`.
   *
   * `GET /events`
   */
  list(
    query?: ListEventsQuery,
    options?: RequestOptions & { headers?: ListEventsHeaders },
  ): List<Event> {
    return this.transport.list('GET', '/events', { query }, options)
  }

  /**
   * List events, as text/event-stream.
   *
   * Lists all events of the tenant, oldest first, subscribed or not. `after` is the id of the last
   * event that the client has, or `latest` for the events to come; with the id of one that is no
   * longer kept the call fails, and is made again without it. Without a new event the call waits up
   * to `wait` seconds for the next one. With `Accept: text/event-stream` the answer sends every
   * event after `after` and goes on with those to come: `id` is the id of the event, `event` its
   * kind, `data` the event; `limit` and `wait` have no effect; a comment comes every 5 seconds, and
   * a client that reads nothing for 30 seconds is cut. At most 2,000 calls of a tenant and 10,000 of
   * all wait at one time in one process, and 200 streams of a tenant, 100 of an API key and 5,000 of
   * all are open; a further one answers polls_exceeded.
   *
   * Errors of its own: `cursor_invalid`, `polls_exceeded`.
   *
   * `GET /events`
   */
  listAsEventStream(
    query?: ListEventsQuery,
    options?: RequestOptions & { headers?: ListEventsHeaders },
  ): Promise<Response> {
    return this.transport.raw('GET', '/events', { query, accept: 'text/event-stream' }, options)
  }

  /**
   * List the events of an object.
   *
   * Lists the events of one object, newest first, in pages: a user, a card, an account, a webhook.
   * An id that names nothing has none. Those of a transaction are members of `GET
   * /transactions/{id}`.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /objectevents`
   */
  listObjectEvents(query: ListObjectEventsQuery, options?: RequestOptions): List<Event> {
    return this.transport.list('GET', '/objectevents', { query }, options)
  }
}
