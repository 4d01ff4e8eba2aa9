import type { Slice } from '#kit/slice.ts'
import { webhookBacklogs } from './backlogs.ts'
import { webhookErrors } from './errors.ts'
import { webhookEvents } from './events.ts'
import { createNumbering } from './expansion.ts'
import { createFeed } from './feed/feed.ts'
import { webhookRoutes } from './routes.ts'
import { createWorker } from './worker.ts'

/**
 * Each program has its own: worker and feed hold what is under way in it. `events` are the names of
 * the kinds that can be subscribed to: all that other slices emit.
 */
export function webhooksSlice(events: readonly string[]): Slice {
  const feed = createFeed()
  return {
    name: 'webhooks',
    routes: webhookRoutes(feed, events),
    errors: webhookErrors,
    events: webhookEvents,
    backlogs: webhookBacklogs,
    sweeps: [createNumbering(feed.isAwaited), createWorker(), feed.sweep],
  }
}
