import { lockRow } from '#kit/db/locks.ts'
import { type Route, route } from '#kit/http/route.ts'
import { Nothing } from '#kit/http/schema.ts'
import type { Endpoints } from './endpoints.ts'
import * as schema from './schema.ts'

const tag = 'Webhooks'
const permission = 'merchant' as const

export const endpointRoutes = (endpoints: Endpoints, events: readonly string[]): Route[] => [
  ...namingRoutes(endpoints, events),
  ...ownRoutes(endpoints),
  ...secretRoutes(endpoints),
  ...namingDeliveryRoutes(endpoints, events),
  ...deliveryRoutes(endpoints),
]

/** The routes whose body names kinds of events. */
function namingRoutes(endpoints: Endpoints, events: readonly string[]): Route[] {
  const { NewEndpoint, EndpointChange } = schema.requestSchemas(events)
  return [
    route({
      id: 'createEndpoint',
      tag,
      permission,
      description:
        'Adds an endpoint that receives events of the merchant’s own orders and payouts, and ' +
        'returns its signing secret, which no later answer contains. In live mode it must be ' +
        'https at a public address, with port 443, 80, 8443 or 8080. A merchant has at most 10 ' +
        'endpoints. Each gets at most 8 requests at one time from a process, and 1 while it fails.',
      method: 'POST',
      path: '/webhooks',
      summary: 'Add a webhook endpoint',
      body: NewEndpoint,
      answer: schema.EndpointWithSecret,
      status: 201,
      answersSecret: true,
      errors: ['webhook_limit_reached'],
      changes: ['webhook_id'],
      run: (ctx, { body }) => endpoints.create(ctx, body),
    }),
    route({
      id: 'updateEndpoint',
      tag,
      permission,
      description:
        'Changes the members that are sent. `enabled` false stops deliveries. `enabled` true ' +
        'resumes the open deliveries of an endpoint, also of one that the platform has ' +
        'disabled; `:recover` delivers the events of the time between.',
      method: 'PUT',
      path: '/webhooks/{id}',
      summary: 'Update a webhook endpoint',
      params: schema.EndpointPath,
      body: EndpointChange,
      answer: schema.Endpoint,
      run: (ctx, { params, body }) => endpoints.change(ctx, params.id, body),
    }),
  ]
}

const ownRoutes = (endpoints: Endpoints): Route[] => [
  route({
    id: 'listEndpoints',
    tag,
    permission,
    description: 'Lists the endpoints of the merchant, newest first.',
    method: 'GET',
    path: '/webhooks',
    summary: 'List webhook endpoints',
    query: schema.EndpointsQuery,
    answer: schema.Endpoints,
    run: (ctx, { query }) => endpoints.list(ctx, query),
  }),
  route({
    id: 'getEndpoint',
    tag,
    permission,
    description: 'Returns an endpoint without its secret.',
    method: 'GET',
    path: '/webhooks/{id}',
    summary: 'Get a webhook endpoint',
    params: schema.EndpointPath,
    answer: schema.Endpoint,
    lock: (tx, params) => lockRow(tx, 'webhooks', params.id),
    run: (ctx, { params }) => endpoints.find(ctx, params.id),
  }),
  route({
    id: 'deleteEndpoint',
    tag,
    permission,
    description: 'Deletes an endpoint with its secret. Its open deliveries become EXPIRED.',
    method: 'DELETE',
    path: '/webhooks/{id}',
    summary: 'Delete a webhook endpoint',
    params: schema.EndpointPath,
    answer: Nothing,
    status: 204,
    run: (ctx, { params }) => endpoints.remove(ctx, params.id),
  }),
]

const secretRoutes = (endpoints: Endpoints): Route[] => [
  route({
    id: 'rotateEndpointSecret',
    tag,
    permission,
    description:
      'Creates a new signing secret and returns it; no later answer contains it. For 24 hours ' +
      'each delivery is signed with the new and the previous secret.',
    method: 'POST',
    path: '/webhooks/{id}:rotateSecret',
    summary: 'Rotate the secret of an endpoint',
    params: schema.EndpointPath,
    answer: schema.EndpointWithSecret,
    answersSecret: true,
    run: (ctx, { params }) => endpoints.rotateSecret(ctx, params.id),
  }),
  route({
    id: 'pingEndpoint',
    tag,
    permission,
    description:
      'Sends a PING event to this endpoint alone and returns the delivery while it is still ' +
      'PENDING. The endpoint must be enabled.',
    method: 'POST',
    path: '/webhooks/{id}:ping',
    summary: 'Send a test event to an endpoint',
    params: schema.EndpointPath,
    answer: schema.Delivery,
    errors: ['webhook_disabled'],
    run: (ctx, { params }) => endpoints.ping(ctx, params.id),
  }),
]

/** The routes of deliveries that name kinds of events. */
function namingDeliveryRoutes(endpoints: Endpoints, events: readonly string[]): Route[] {
  const { DeliveryQuery, Recovery } = schema.requestSchemas(events)
  return [
    route({
      id: 'recoverEndpointDeliveries',
      tag,
      permission,
      description:
        'Delivers the events of the merchant since an instant that the endpoint has missed: ' +
        'those of a time in which it was disabled or did not exist, and those whose delivery is ' +
        'EXPIRED; `until` and `events` limit it to events before an instant and to some kinds. ' +
        'One call recovers at most 10,000 events, the oldest first; call again while `has_more` ' +
        'is true. The endpoint must be enabled.',
      method: 'POST',
      path: '/webhooks/{id}:recover',
      summary: 'Deliver missed events to an endpoint',
      params: schema.EndpointPath,
      body: Recovery,
      answer: schema.Recovered,
      errors: ['webhook_disabled'],
      run: (ctx, { params, body }) => endpoints.recover(ctx, params.id, body),
    }),
    route({
      id: 'listEndpointDeliveries',
      tag,
      permission,
      description:
        'Lists the deliveries to an endpoint, newest first. The filters for status and kind ' +
        'combine.',
      method: 'GET',
      path: '/webhooks/{id}/deliveries',
      summary: 'List the deliveries to an endpoint',
      params: schema.EndpointPath,
      query: DeliveryQuery,
      answer: schema.Deliveries,
      run: (ctx, { params, query }) => endpoints.listDeliveries(ctx, params.id, query),
    }),
  ]
}

const deliveryRoutes = (endpoints: Endpoints): Route[] => [
  route({
    id: 'getEndpointDelivery',
    tag,
    permission,
    description:
      'Returns a delivery with its attempts: when each began, how long it took, and the ' +
      'status and the start of the response or why there was none.',
    method: 'GET',
    path: '/webhooks/{id}/deliveries/{delivery_id}',
    summary: 'Get a delivery to an endpoint',
    params: schema.DeliveryPath,
    answer: schema.DeliveryWithHistory,
    lock: (tx, params) => lockRow(tx, 'deliveries', params.delivery_id),
    run: (ctx, { params }) => endpoints.findDelivery(ctx, params.id, params.delivery_id),
  }),
  route({
    id: 'resendEndpointDelivery',
    tag,
    permission,
    description:
      'Makes a delivery due at once, whatever its status. One that is DELIVERED or EXPIRED ' +
      'starts its schedule of attempts again. Later events of the same order or payout wait ' +
      'for it. The endpoint must be enabled.',
    method: 'POST',
    path: '/webhooks/{id}/deliveries/{delivery_id}:resend',
    summary: 'Resend a delivery to an endpoint',
    params: schema.DeliveryPath,
    answer: schema.Delivery,
    errors: ['webhook_disabled'],
    run: (ctx, { params }) => endpoints.resend(ctx, params.id, params.delivery_id),
  }),
]
