import type { Context } from '#kit/context.ts'
import type { EndpointPolicy } from '#kit/fetch.ts'
import type { Slice } from '#kit/slice.ts'
import { createFeed } from './feed.ts'
import { webhookRefusals } from './refusals.ts'
import { webhookRoutes } from './routes.ts'
import { deliverySettings } from './rules/settings.ts'
import { readTenantSettings } from './store.ts'
import { createWorker } from './worker.ts'

/** Each program has its own: worker and feed hold what is under way in it. */
export function webhooksSlice({ live }: { live: boolean }): Slice {
  const feed = createFeed()
  const policyOf = async (ctx: Context): Promise<EndpointPolicy> => {
    const { allow_private } = deliverySettings(await readTenantSettings(ctx), live)
    return { https_only: live, allow_private }
  }
  return {
    name: 'webhooks',
    routes: webhookRoutes({ feed, policyOf }),
    refusals: webhookRefusals,
    sweeps: [createWorker({ live }), feed.sweep],
  }
}
