import type { Slice } from '#kit/slice.ts'
import { createEndpoints } from './endpoints.ts'
import { endpointErrors } from './errors.ts'
import type { WebhookServices } from './provider.ts'
import { endpointRoutes } from './routes.ts'

/** `events` are the names of the kinds that an endpoint may receive. */
export const endpointsSlice = (webhooks: WebhookServices, events: readonly string[]): Slice => ({
  name: 'endpoints',
  routes: endpointRoutes(createEndpoints(webhooks), events),
  errors: endpointErrors,
})
