import type { Slice } from '#kit/slice.ts'
import { webhookErrors } from './errors.ts'
import { batchExpansion } from './expansion.ts'
import { createFeed } from './feed.ts'
import { webhookRoutes } from './routes.ts'
import { createWorker } from './worker.ts'

/**
 * Each program has its own: worker and feed hold what is under way in it. `events` are the names of
 * all kinds that the program emits, which can be subscribed to.
 */
export function webhooksSlice(events: readonly string[]): Slice {
  const feed = createFeed()
  return {
    name: 'webhooks',
    routes: webhookRoutes(feed, events),
    errors: webhookErrors,
    sweeps: [batchExpansion, createWorker(), feed.sweep],
  }
}
