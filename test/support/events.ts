/** Events for tests of how events are stored, listed and delivered, whatever is in them. */

import type { Event, EventName, RenderedName } from '#kit/event.ts'

/** An event with members that a test can tell apart, which no slice would emit. */
export const madeUpEvent = (
  event: EventName | RenderedName,
  object_id: string,
  payload: object = {},
): Event =>
  // The outbox writes what it is given: kind and members mean nothing to it.
  ({ event, object_id, payload }) as Event
