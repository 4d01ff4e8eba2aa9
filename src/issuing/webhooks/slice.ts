import type { Slice } from '#kit/slice.ts'
import { webhookErrors } from './errors.ts'
import { createNumbering } from './expansion.ts'
import { createFeed } from './feed.ts'
import { webhookRoutes } from './routes.ts'
import { createWorker } from './worker.ts'

/** Each program has its own: worker and feed hold what is under way in it. */
export function webhooksSlice(): Slice {
  const feed = createFeed()
  return {
    name: 'webhooks',
    routes: webhookRoutes(feed),
    errors: webhookErrors,
    sweeps: [createNumbering(feed.isAwaited), createWorker(), feed.sweep],
  }
}
