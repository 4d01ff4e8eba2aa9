/** The contract of a merchant's endpoints for events (D-750 to D-752). */

import { type Static, Type } from 'typebox'
import { Field, ListOf, ListQuery, OneOf, Strict, Uuid } from '#kit/http/schema.ts'

const URL_LENGTH = 2000
const SIX_DECIMALS = 'UTC with six decimals'

const deliveryStatuses = ['PENDING', 'RETRYING', 'DELIVERED', 'EXPIRED'] as const
const text = (description: string) => Type.String({ description })
const count = (description: string) => Type.Integer({ description })

const EndpointId = Field('Id of the endpoint.', Uuid)
export const EndpointPath = Strict({ id: EndpointId })
export const DeliveryPath = Strict({
  id: EndpointId,
  delivery_id: Field('Id of the delivery.', Uuid),
})
export const EndpointsQuery = ListQuery({})

/** Requests that name kinds of events. */
export function requestSchemas(names: readonly string[]) {
  const kinds = (description: string) =>
    Type.Array(OneOf(names), { minItems: 1, maxItems: names.length, description })
  const members = {
    url: Type.String({
      minLength: 1,
      maxLength: URL_LENGTH,
      description: 'URL that receives the events by POST; https in live.',
    }),
    events: kinds('Kinds of events that are sent to it.'),
  }
  return {
    NewEndpoint: Strict(members),
    EndpointChange: Strict({
      url: Type.Optional(members.url),
      events: Type.Optional(members.events),
      enabled: Type.Optional(
        Type.Boolean({ description: 'False stops deliveries, true resumes those that are open.' }),
      ),
    }),
    DeliveryQuery: ListQuery({
      status: Type.Optional(
        Field('Lists only deliveries of this status.', OneOf(deliveryStatuses)),
      ),
      event: Type.Optional(
        Field('Lists only deliveries of this kind of event.', OneOf([...names, 'PING'])),
      ),
    }),
    Recovery: Strict({
      since: Type.String({
        format: 'date-time',
        description: 'Time of the earliest missed event.',
      }),
      until: Type.Optional(
        Type.String({
          format: 'date-time',
          description: 'Time before which the events are; by default up to now.',
        }),
      ),
      events: Type.Optional(
        kinds('Kinds to deliver, each one of the endpoint; by default all of them.'),
      ),
    }),
  }
}
type Requests = ReturnType<typeof requestSchemas>
export type NewEndpoint = Static<Requests['NewEndpoint']>
export type EndpointChange = Static<Requests['EndpointChange']>
export type DeliveryQuery = Static<Requests['DeliveryQuery']>
export type Recovery = Static<Requests['Recovery']>

const members = {
  webhook_id: EndpointId,
  url: text('URL that receives the events by POST.'),
  events: Type.Array(Type.String(), { description: 'Kinds of events that are sent to it.' }),
  enabled: Type.Boolean({ description: 'Only an enabled endpoint receives events.' }),
  disabled_reason: Type.Optional(
    text('CLIENT, GONE (it answered 410) or FAILING (for five days); absent while enabled.'),
  ),
  failing_since: Type.Optional(
    text(`Time of the first failed attempt since the last successful one, ${SIX_DECIMALS}.`),
  ),
  created_at: text(`Time of its creation, ${SIX_DECIMALS}.`),
  updated_at: text(`Time of the last change, ${SIX_DECIMALS}.`),
}

export const Endpoint = Type.Object(members, { title: 'WebhookEndpoint' })
export type Endpoint = Static<typeof Endpoint>
export const Endpoints = ListOf(Endpoint)

/** The one answer that contains the secret (D-101). */
export const EndpointWithSecret = Type.Object(
  { ...members, secret: text('Signing secret: whsec_ and 32 bytes in base64.') },
  { title: 'WebhookEndpointWithSecret' },
)

const result = {
  response_status: Type.Optional(count('HTTP status of the response, if one came.')),
  response_body: Type.Optional(text('First 4096 bytes of the response.')),
  error: Type.Optional(text('Why it failed.')),
}

const deliveryMembers = {
  delivery_id: Field('Id of the delivery.', Uuid),
  webhook_id: EndpointId,
  event_id: Field('Id of the event, the same in each of its deliveries.', Uuid),
  event: text('Kind of the event.'),
  object_id: Field('Id of the order or the payout that the event is about.', Uuid),
  status: Field(
    'RETRYING after a failed attempt, EXPIRED after the last.',
    OneOf(deliveryStatuses),
  ),
  attempts: count('Attempts made since the delivery was last started.'),
  next_attempt_at: Type.Optional(
    text(`Time of the next attempt, ${SIX_DECIMALS}; absent if none follows.`),
  ),
  ...result,
  created_at: text(`Time of its creation, ${SIX_DECIMALS}.`),
  updated_at: text(`Time of the last change, ${SIX_DECIMALS}.`),
}

export const Delivery = Type.Object(deliveryMembers, { title: 'WebhookDelivery' })
export type Delivery = Static<typeof Delivery>
export const Deliveries = ListOf(Delivery)

const Attempt = Type.Object(
  {
    number: count('From 1, over all starts of the delivery.'),
    sent_at: text(`Time at which the attempt began, ${SIX_DECIMALS}.`),
    duration_ms: count('Milliseconds until the response was read or the attempt given up.'),
    ...result,
  },
  { title: 'WebhookDeliveryAttempt' },
)

export const DeliveryWithHistory = Type.Object(
  {
    ...deliveryMembers,
    history: Type.Array(Attempt, {
      description: 'The attempts of all starts of the delivery, newest first, at most 100.',
    }),
  },
  { title: 'WebhookDeliveryWithHistory' },
)
export type DeliveryWithHistory = Static<typeof DeliveryWithHistory>

export const Recovered = Type.Object({
  recovered: count('Number of deliveries that are now due.'),
  has_more: Type.Boolean({ description: 'Whether the call must be repeated for the rest.' }),
})
