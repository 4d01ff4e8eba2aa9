/**
 * The functions of the card platform for the endpoints of merchants, as for those of tenants
 * (D-751).
 */

import type { Context } from '#kit/context.ts'
import type { ListQuery } from '#kit/http/schema.ts'
import type { Page } from '#lib/paging.ts'
import type { DeliveryQuery, Recovery } from './schema.ts'

export type Subscription = {
  id: string
  endpoint: string
  events: readonly string[]
  status: 'ACTIVE' | 'DISABLED'
  disabled_reason: string | null
  failing_since: Date | null
  config: { created: Date; modified: Date }
}

export type Delivery = {
  id: string
  webhook_id: string
  event_id: string
  event: string
  object_id: string
  status: 'PENDING' | 'RETRYING' | 'DELIVERED' | 'EXPIRED'
  attempts: number
  due: Date | null
  response_status: number | null
  response_body: string | null
  error: string | null
  created: Date
  modified: Date
}

export type Attempt = {
  number: number
  sent: Date
  duration_ms: number
  response_status: number | null
  response_body: string | null
  error: string | null
}

type Change = { endpoint?: string; events?: string[]; status?: Subscription['status'] }

/**
 * All of it concerns the calling merchant alone: objects of another one are `not_found`. `member`
 * names the endpoint in the faults of a request.
 */
export type WebhookServices = {
  createWebhook: (
    ctx: Context,
    input: { endpoint: string; events: string[] },
    member: string,
  ) => Promise<Subscription & { secret: string }>
  listWebhooks: (ctx: Context, query: ListQuery) => Promise<Page<Subscription>>
  findWebhook: (ctx: Context, id: string) => Promise<Subscription>
  changeWebhook: (ctx: Context, id: string, change: Change, member: string) => Promise<Subscription>
  deleteWebhook: (ctx: Context, id: string) => Promise<unknown>
  rotateSecret: (ctx: Context, id: string) => Promise<Subscription & { secret: string }>
  pingWebhook: (ctx: Context, id: string) => Promise<Delivery>
  recoverDeliveries: (
    ctx: Context,
    id: string,
    recovery: Recovery,
  ) => Promise<{ recovered: number; has_more: boolean }>
  listDeliveries: (ctx: Context, id: string, query: DeliveryQuery) => Promise<Page<Delivery>>
  findDelivery: (ctx: Context, id: string) => Promise<Delivery & { history: readonly Attempt[] }>
  resendDelivery: (ctx: Context, id: string) => Promise<Delivery>
}
