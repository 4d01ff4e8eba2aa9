import { lockRow } from '#kit/db/locks.ts'
import { type Route, route } from '#kit/http/route.ts'
import type { Feed as PullFeed } from './feed/feed.ts'
import { listObjectEvents } from './feed/history.ts'
import {
  DeletedWebhook,
  Deliveries,
  Delivery,
  DeliveryPath,
  DeliveryWithHistory,
  Feed,
  FeedQuery,
  ObjectDeliveries,
  ObjectDeliveriesQuery,
  ObjectEvents,
  ObjectEventsQuery,
  Recovered,
  requestSchemas,
  Webhook,
  WebhookPath,
  Webhooks,
  WebhooksQuery,
  WebhookWithSecret,
} from './schema.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  findDelivery,
  findWebhook,
  listDeliveries,
  listObjectDeliveries,
  listWebhooks,
  pingWebhook,
  recoverDeliveries,
  resendDelivery,
  rotateSecret,
} from './webhooks.ts'

/** The routes whose body names kinds of events. */
function namingRoutes(events: readonly string[]): Route[] {
  const { NewWebhook, WebhookChange } = requestSchemas(events)
  return [
    route({
      id: 'createWebhook',
      tag: 'Webhooks',
      description:
        'Subscribes an endpoint to kinds of events and returns the signing secret, which no ' +
        'later answer contains. In live mode the endpoint must be https at a public address, ' +
        'with port 443, 80, 8443 or 8080. A tenant has at most 50 subscriptions. An endpoint ' +
        'gets at most 32 requests at one time from a process, and 4 while it fails.',
      method: 'POST',
      path: '/webhooks',
      permission: 'write',
      summary: 'Create a webhook subscription',
      body: NewWebhook,
      answer: WebhookWithSecret,
      answersSecret: true,
      errors: ['id_taken', 'webhook_limit_reached'],
      run: (ctx, { body }) => createWebhook(ctx, body),
    }),
    route({
      id: 'updateWebhook',
      tag: 'Webhooks',
      description:
        'Changes the members that are sent; null clears a member of `config`. Status DISABLED ' +
        'stops deliveries. Status ACTIVE enables the subscription again and resumes its open ' +
        'deliveries; `:recover` delivers the events of the time between.',
      method: 'PUT',
      path: '/webhooks/{id}',
      permission: 'write',
      summary: 'Update a webhook subscription',
      params: WebhookPath,
      body: WebhookChange,
      answer: Webhook,
      run: (ctx, { params, body }) => changeWebhook(ctx, params.id, body),
    }),
  ]
}

const subscriptionRoutes: readonly Route[] = [
  route({
    id: 'listWebhooks',
    tag: 'Webhooks',
    description: 'Lists the subscriptions of the tenant, newest first, without deleted ones.',
    method: 'GET',
    path: '/webhooks',
    permission: 'read',
    summary: 'List webhook subscriptions',
    query: WebhooksQuery,
    answer: Webhooks,
    run: (ctx, { query }) => listWebhooks(ctx, query),
  }),
  route({
    id: 'getWebhook',
    tag: 'Webhooks',
    description: 'Returns a subscription without its secret, password and header values.',
    method: 'GET',
    path: '/webhooks/{id}',
    permission: 'read',
    summary: 'Get a webhook subscription',
    params: WebhookPath,
    answer: Webhook,
    lock: (tx, params) => lockRow(tx, 'webhooks', params.id),
    run: (ctx, { params }) => findWebhook(ctx, params.id),
  }),
  route({
    id: 'deleteWebhook',
    tag: 'Webhooks',
    description:
      'Deletes the subscription with its secret and credentials. Its open deliveries become ' +
      'EXPIRED, within minutes where there are more than 10,000. Its id cannot be used again.',
    method: 'DELETE',
    path: '/webhooks/{id}',
    permission: 'write',
    summary: 'Delete a webhook subscription',
    params: WebhookPath,
    answer: DeletedWebhook,
    run: (ctx, { params }) => deleteWebhook(ctx, params.id),
  }),
  route({
    id: 'rotateWebhookSecret',
    tag: 'Webhooks',
    description:
      'Creates a new signing secret and returns it; no later answer contains it. For 24 hours ' +
      'each delivery is signed with the new and the previous secret.',
    method: 'POST',
    path: '/webhooks/{id}:rotateSecret',
    permission: 'write',
    summary: 'Rotate the secret of a webhook subscription',
    params: WebhookPath,
    answer: WebhookWithSecret,
    answersSecret: true,
    run: (ctx, { params }) => rotateSecret(ctx, params.id),
  }),
]

const deliveryRoutes: readonly Route[] = [
  route({
    id: 'pingWebhook',
    tag: 'Webhooks',
    description:
      'Sends a PING event to this subscription alone and returns the delivery while it is ' +
      'still PENDING. The subscription must be ACTIVE.',
    method: 'POST',
    path: '/webhooks/{id}:ping',
    permission: 'write',
    summary: 'Send a test event to a webhook',
    params: WebhookPath,
    answer: Delivery,
    errors: ['webhook_disabled'],
    run: (ctx, { params }) => pingWebhook(ctx, params.id),
  }),
  route({
    id: 'listObjectDeliveries',
    tag: 'Webhooks',
    description:
      'Lists the deliveries about one object, as a transaction, to all subscriptions, newest ' +
      'first, as long as they are kept. An id that names nothing has none.',
    method: 'GET',
    path: '/deliveries',
    permission: 'read',
    summary: 'List the deliveries about an object',
    query: ObjectDeliveriesQuery,
    answer: ObjectDeliveries,
    run: (ctx, { query }) => listObjectDeliveries(ctx, query),
  }),
  route({
    id: 'getDelivery',
    tag: 'Webhooks',
    description:
      'Returns a delivery with its attempts: when each began, the headers that were sent, ' +
      'without secrets, how long it took, and the status and the start of the response or why ' +
      'there was none.',
    method: 'GET',
    path: '/deliveries/{id}',
    permission: 'read',
    summary: 'Get a delivery',
    params: DeliveryPath,
    answer: DeliveryWithHistory,
    lock: (tx, params) => lockRow(tx, 'deliveries', params.id),
    run: (ctx, { params }) => findDelivery(ctx, params.id),
  }),
  route({
    id: 'resendDelivery',
    tag: 'Webhooks',
    description:
      'Makes a delivery due at once, whatever its status. One that is DELIVERED or EXPIRED ' +
      'starts its schedule of attempts again. Later events of the same object wait for it. ' +
      'The subscription must be ACTIVE.',
    method: 'POST',
    path: '/deliveries/{id}:resend',
    permission: 'write',
    summary: 'Resend a delivery',
    params: DeliveryPath,
    answer: Delivery,
    errors: ['webhook_disabled'],
    run: (ctx, { params }) => resendDelivery(ctx, params.id),
  }),
]

/** The routes of deliveries that name kinds of events. */
function namingDeliveryRoutes(events: readonly string[]): Route[] {
  const { DeliveryQuery, Recovery } = requestSchemas(events)
  return [
    route({
      id: 'recoverWebhookDeliveries',
      tag: 'Webhooks',
      description:
        'Delivers the events since an instant that the subscription has missed: those of a time ' +
        'in which it was disabled or did not exist, and those whose delivery is EXPIRED; `until` ' +
        'and `events` limit it to events before an instant and to some kinds. One call recovers ' +
        'at most 10,000 events, the oldest first; call again while `has_more` is true. The ' +
        'subscription must be ACTIVE.',
      method: 'POST',
      path: '/webhooks/{id}:recover',
      permission: 'write',
      summary: 'Deliver missed events to a webhook',
      params: WebhookPath,
      body: Recovery,
      answer: Recovered,
      errors: ['webhook_disabled'],
      run: (ctx, { params, body }) => recoverDeliveries(ctx, params.id, body),
    }),
    route({
      id: 'listWebhookDeliveries',
      tag: 'Webhooks',
      description:
        'Lists the deliveries of a subscription, newest first. The filters for status and kind ' +
        'combine.',
      method: 'GET',
      path: '/webhooks/{id}/deliveries',
      permission: 'read',
      summary: 'List the deliveries of a webhook',
      params: WebhookPath,
      query: DeliveryQuery,
      answer: Deliveries,
      run: (ctx, { params, query }) => listDeliveries(ctx, params.id, query),
    }),
  ]
}

function feedRoute(feed: PullFeed): Route {
  return route({
    id: 'listEvents',
    tag: 'Events',
    description:
      'Lists all events of the tenant, oldest first, subscribed or not. `after` is the id of ' +
      'the last event that the client has, or `latest` for the events to come; with the id of ' +
      'one that is no longer kept the call fails, and is made again without it. Without a new ' +
      'event the call waits up to `wait` seconds for the next one. With `Accept: ' +
      'text/event-stream` the answer sends every event after `after` and goes on with those to ' +
      'come: `id` is the id of the event, `event` its kind, `data` the event; `limit` and `wait` ' +
      'have no effect; a comment comes every 5 seconds, and a client that reads nothing for 30 ' +
      'seconds is cut. At most 2,000 calls of a tenant and 10,000 of all wait at one time in one ' +
      'process, and 200 streams of a tenant, 100 of an API key and 5,000 of all are open; a ' +
      'further one answers polls_exceeded.',
    method: 'GET',
    path: '/events',
    permission: 'read',
    summary: 'List events',
    query: FeedQuery,
    answer: Feed,
    errors: ['polls_exceeded'],
    waits: true,
    run: (ctx, { query }) => feed.read(ctx, query),
    stream: (ctx, { query }, signal) => feed.stream(ctx, query, signal),
  })
}

const objectRoute: Route = route({
  id: 'listObjectEvents',
  tag: 'Events',
  description:
    'Lists the events of one object, newest first, in pages: a user, a card, an account, a ' +
    'webhook. An id that names nothing has none. Those of a transaction are members of ' +
    '`GET /transactions/{id}`.',
  method: 'GET',
  path: '/objectevents',
  permission: 'read',
  summary: 'List the events of an object',
  query: ObjectEventsQuery,
  answer: ObjectEvents,
  run: (ctx, { query }) => listObjectEvents(ctx, query),
})

export function webhookRoutes(feed: PullFeed, events: readonly string[]): Route[] {
  return [
    ...namingRoutes(events),
    ...subscriptionRoutes,
    ...namingDeliveryRoutes(events),
    ...deliveryRoutes,
    feedRoute(feed),
    objectRoute,
  ]
}
