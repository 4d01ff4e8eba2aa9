import { type Route, route } from '#kit/route.ts'
import { IdPath, ListQuery } from '#kit/schema.ts'
import type { Feed as PullFeed } from './feed.ts'
import {
  DeletedWebhook,
  Deliveries,
  Delivery,
  DeliveryQuery,
  Feed,
  FeedQuery,
  NewWebhook,
  Recovered,
  Recovery,
  Webhook,
  WebhookChange,
  Webhooks,
  WebhookWithSecret,
} from './schema.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  findWebhook,
  listDeliveries,
  listWebhooks,
  pingWebhook,
  recoverDeliveries,
  resendDelivery,
  rotateSecret,
} from './webhooks.ts'

const subscriptionRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/webhooks',
    permission: 'write',
    summary: 'Subscribe an endpoint to events; the secret is answered this once',
    body: NewWebhook,
    answer: WebhookWithSecret,
    answersSecret: true,
    errors: ['id_taken', 'webhook_limit_reached'],
    run: (ctx, { body }) => createWebhook(ctx, body),
  }),
  route({
    method: 'GET',
    path: '/webhooks',
    permission: 'read',
    summary: 'List subscriptions',
    query: ListQuery({}),
    answer: Webhooks,
    run: (ctx, { query }) => listWebhooks(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/webhooks/{id}',
    permission: 'read',
    summary: 'Get a subscription',
    params: IdPath,
    answer: Webhook,
    run: (ctx, { params }) => findWebhook(ctx, params.id),
  }),
  route({
    method: 'PUT',
    path: '/webhooks/{id}',
    permission: 'write',
    summary: 'Change a subscription, or put it out of or back into service',
    params: IdPath,
    body: WebhookChange,
    answer: Webhook,
    run: (ctx, { params, body }) => changeWebhook(ctx, params.id, body),
  }),
  route({
    method: 'DELETE',
    path: '/webhooks/{id}',
    permission: 'write',
    summary: 'Delete a subscription; what was still to be delivered to it ends',
    params: IdPath,
    answer: DeletedWebhook,
    run: (ctx, { params }) => deleteWebhook(ctx, params.id),
  }),
  route({
    method: 'POST',
    path: '/webhooks/{id}:rotateSecret',
    permission: 'write',
    summary: 'Make a new secret; the old one signs beside it for 24 hours',
    params: IdPath,
    answer: WebhookWithSecret,
    answersSecret: true,
    run: (ctx, { params }) => rotateSecret(ctx, params.id),
  }),
]

const deliveryRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/webhooks/{id}:ping',
    permission: 'write',
    summary: 'Send a PING event to this subscription',
    params: IdPath,
    answer: Delivery,
    errors: ['webhook_disabled'],
    run: (ctx, { params }) => pingWebhook(ctx, params.id),
  }),
  route({
    method: 'POST',
    path: '/webhooks/{id}:recover',
    permission: 'write',
    summary: 'Deliver what this subscription has missed since an instant',
    params: IdPath,
    body: Recovery,
    answer: Recovered,
    errors: ['webhook_disabled'],
    run: (ctx, { params, body }) => recoverDeliveries(ctx, params.id, body.since),
  }),
  route({
    method: 'GET',
    path: '/webhooks/{id}/deliveries',
    permission: 'read',
    summary: 'List the deliveries of a subscription',
    params: IdPath,
    query: DeliveryQuery,
    answer: Deliveries,
    run: (ctx, { params, query }) => listDeliveries(ctx, params.id, query),
  }),
  route({
    method: 'POST',
    path: '/deliveries/{id}:resend',
    permission: 'write',
    summary: 'Make a delivery due at once, whatever became of it',
    params: IdPath,
    answer: Delivery,
    errors: ['webhook_disabled'],
    run: (ctx, { params }) => resendDelivery(ctx, params.id),
  }),
]

function feedRoute(feed: PullFeed): Route {
  return route({
    method: 'GET',
    path: '/events',
    permission: 'read',
    summary: 'Read events, oldest first; waits up to `wait` seconds for the next one',
    query: FeedQuery,
    answer: Feed,
    errors: ['polls_exceeded'],
    run: (ctx, { query }) => feed.read(ctx, query),
  })
}

export function webhookRoutes(feed: PullFeed): Route[] {
  return [...subscriptionRoutes, ...deliveryRoutes, feedRoute(feed)]
}
