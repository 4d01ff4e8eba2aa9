/** Public functions of the endpoints to which the events of a merchant are sent (D-750). */

import type { Context } from '#kit/context.ts'
import type { ListQuery } from '#kit/http/schema.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError } from '#lib/result.ts'
import {
  presentDelivery,
  presentEndpoint,
  presentWithHistory,
  presentWithSecret,
} from './present.ts'
import type { WebhookServices } from './provider.ts'
import type {
  Delivery,
  DeliveryQuery,
  DeliveryWithHistory,
  Endpoint,
  EndpointChange,
  NewEndpoint,
  Recovery,
} from './schema.ts'

export type { WebhookServices } from './provider.ts'

/** The member of a request that the platform calls `endpoint`. */
const MEMBER = 'url'

export type Endpoints = ReturnType<typeof createEndpoints>

export function createEndpoints(webhooks: WebhookServices) {
  /** A delivery is found under its own endpoint only. */
  const within = <Row extends { webhook_id: string }>(id: string, row: Row): Row => {
    if (row.webhook_id !== id.toLowerCase()) throw new ApiError('not_found')
    return row
  }

  return {
    async create(ctx: Context, { url, events }: NewEndpoint) {
      return presentWithSecret(await webhooks.createWebhook(ctx, { endpoint: url, events }, MEMBER))
    },
    async list(ctx: Context, query: ListQuery): Promise<Page<Endpoint>> {
      const page = await webhooks.listWebhooks(ctx, query)
      return { ...page, data: page.data.map(presentEndpoint) }
    },
    async find(ctx: Context, id: string): Promise<Endpoint> {
      return presentEndpoint(await webhooks.findWebhook(ctx, id))
    },
    /** Only what is sent changes. */
    async change(ctx: Context, id: string, change: EndpointChange): Promise<Endpoint> {
      const { url, events, enabled } = change
      const status = enabled ? ('ACTIVE' as const) : ('DISABLED' as const)
      const changed = {
        ...(url !== undefined && { endpoint: url }),
        ...(events && { events }),
        ...(enabled !== undefined && { status }),
      }
      return presentEndpoint(await webhooks.changeWebhook(ctx, id, changed, MEMBER))
    },
    async remove(ctx: Context, id: string): Promise<void> {
      await webhooks.deleteWebhook(ctx, id)
    },
    async rotateSecret(ctx: Context, id: string) {
      return presentWithSecret(await webhooks.rotateSecret(ctx, id))
    },
    async ping(ctx: Context, id: string): Promise<Delivery> {
      return presentDelivery(await webhooks.pingWebhook(ctx, id))
    },
    recover: (ctx: Context, id: string, recovery: Recovery) =>
      webhooks.recoverDeliveries(ctx, id, recovery),
    async listDeliveries(ctx: Context, id: string, query: DeliveryQuery): Promise<Page<Delivery>> {
      const page = await webhooks.listDeliveries(ctx, id, query)
      return { ...page, data: page.data.map(presentDelivery) }
    },
    async findDelivery(
      ctx: Context,
      id: string,
      delivery_id: string,
    ): Promise<DeliveryWithHistory> {
      return presentWithHistory(within(id, await webhooks.findDelivery(ctx, delivery_id)))
    },
    /** One of another endpoint is rolled back. */
    async resend(ctx: Context, id: string, delivery_id: string): Promise<Delivery> {
      return presentDelivery(within(id, await webhooks.resendDelivery(ctx, delivery_id)))
    },
  }
}
