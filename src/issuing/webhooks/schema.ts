import { type Static, Type } from 'typebox'
import {
  Field,
  Instant,
  ListOf,
  ListQuery,
  Nullable,
  OneOf,
  Strict,
  Uuid,
} from '#kit/http/schema.ts'
import { PING } from './events.ts'

const ENDPOINT_LENGTH = 2000
const CREDENTIAL_LENGTH = 200
const HEADERS_MAX = 20
const HEADER_NAME_LENGTH = 100
const HEADER_VALUE_LENGTH = 1000
const WAIT_MAX_SECONDS = 30

const WebhookStatus = OneOf(['ACTIVE', 'DISABLED'])
export const deliveryStatuses = ['PENDING', 'RETRYING', 'DELIVERED', 'EXPIRED'] as const
const DeliveryStatus = OneOf(deliveryStatuses)

const Endpoint = Type.String({
  minLength: 1,
  maxLength: ENDPOINT_LENGTH,
  description: 'URL that receives the events by POST.',
})
const Credential = Type.String({ minLength: 1, maxLength: CREDENTIAL_LENGTH })

const ConfigInput = Strict(
  {
    basic_auth_username: Type.Optional(
      Field('User name for HTTP Basic; needs the password, null clears it.', Nullable(Credential)),
    ),
    basic_auth_password: Type.Optional(
      Field('Password for HTTP Basic; no answer contains it.', Nullable(Credential)),
    ),
    custom_headers: Type.Optional(
      Field(
        'Headers of every delivery; replaces all former ones, null clears them.',
        Nullable(
          Type.Array(
            Strict({
              header_name: Type.String({
                minLength: 1,
                maxLength: HEADER_NAME_LENGTH,
                description: 'Header name; not one that the platform sets.',
              }),
              header_value: Type.String({
                minLength: 1,
                maxLength: HEADER_VALUE_LENGTH,
                description: 'Printable ASCII; no answer contains it.',
              }),
            }),
            { maxItems: HEADERS_MAX },
          ),
        ),
      ),
    ),
  },
  { description: 'Credentials and headers of the deliveries.' },
)
export type ConfigInput = Static<typeof ConfigInput>

export const WebhookPath = Strict({ id: Field('Id of the subscription.', Uuid) })
export const DeliveryPath = Strict({ id: Field('Id of the delivery.', Uuid) })

/**
 * The schemas of requests that name kinds of events, restricted to those that the program emits.
 */
export function requestSchemas(names: readonly string[]) {
  const events = Type.Array(OneOf(names), {
    minItems: 1,
    maxItems: names.length,
    description: 'Kinds of events to deliver.',
  })
  return {
    NewWebhook: Strict({
      id: Type.Optional(Field('Id of the subscription; made by the platform by default.', Uuid)),
      endpoint: Endpoint,
      events,
      config: Type.Optional(ConfigInput),
    }),
    WebhookChange: Strict({
      endpoint: Type.Optional(Endpoint),
      events: Type.Optional(events),
      status: Type.Optional(Field('ACTIVE enables a disabled subscription again.', WebhookStatus)),
      config: Type.Optional(ConfigInput),
    }),
    DeliveryQuery: ListQuery({
      status: Type.Optional(Field('Lists only deliveries of this status.', DeliveryStatus)),
      event: Type.Optional(
        Field('Lists only deliveries of this kind of event.', OneOf([...names, PING])),
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
        Type.Array(OneOf(names), {
          minItems: 1,
          maxItems: names.length,
          description: 'Kinds to deliver, each one of the subscription; by default all of them.',
        }),
      ),
    }),
  }
}
type Requests = ReturnType<typeof requestSchemas>
export type NewWebhook = Static<Requests['NewWebhook']>
export type WebhookChange = Static<Requests['WebhookChange']>
export type DeliveryQuery = Static<Requests['DeliveryQuery']>
export type Recovery = Static<Requests['Recovery']>

const webhookMembers = {
  id: Field('Id of the subscription.', Uuid),
  endpoint: Type.String({ description: 'URL that receives the events by POST.' }),
  events: Type.Array(Type.String(), { description: 'Kinds of events that are delivered.' }),
  status: Field('Only an ACTIVE subscription receives events.', WebhookStatus),
  disabled_reason: Type.Optional(
    Type.String({
      description: 'CLIENT, GONE (the endpoint answered 410) or FAILING (for five days).',
    }),
  ),
  failing_since: Type.Optional(
    Field('Time of the first failed attempt since the last successful one.', Instant),
  ),
  config: Type.Object(
    {
      basic_auth_username: Type.Optional(Type.String({ description: 'User name for HTTP Basic.' })),
      // Values are stored encrypted and never answered, like the password.
      custom_headers: Type.Array(
        Type.Object({ header_name: Type.String({ description: 'Name of the header.' }) }),
        { description: 'Headers of every delivery, without their values.' },
      ),
      created: Field('Time of creation of the subscription.', Instant),
      modified: Field('Time of the last change of the subscription.', Instant),
    },
    { description: 'Credentials and headers of the deliveries.' },
  ),
}

/** The subscription as clients see it: neither password, header values nor secret (D-63). */
export const Webhook = Type.Object(webhookMembers, { title: 'Webhook' })
export type Webhook = Static<typeof Webhook>
export const Webhooks = ListOf(Webhook)
export const WebhooksQuery = ListQuery({})

/** The one answer that contains the secret (D-101). */
export const WebhookWithSecret = Type.Object(
  {
    ...webhookMembers,
    secret: Type.String({ description: 'Signing secret: whsec_ and 32 bytes in base64.' }),
  },
  { title: 'WebhookWithSecret' },
)

export const DeletedWebhook = Type.Object({
  id: Field('Id of the deleted subscription.', Uuid),
  deleted: Type.Boolean({ description: 'Always true.' }),
})

export const ObjectDeliveriesQuery = ListQuery({
  object_id: Field('Id of the object that the events are about.', Uuid),
})
export type ObjectDeliveriesQuery = Static<typeof ObjectDeliveriesQuery>

const deliveryMembers = {
  id: Field('Id of the delivery.', Uuid),
  webhook_id: Field('Id of the subscription.', Uuid),
  event_id: Field('Id of the event, the same in each of its deliveries.', Uuid),
  event: Type.String({ description: 'Kind of the event.' }),
  object_id: Field('Id of the object that the event is about.', Uuid),
  sequence: Type.Integer({ description: 'Number of the event among those of its object.' }),
  status: Field('RETRYING after a failed attempt, EXPIRED after the last.', DeliveryStatus),
  attempts: Type.Integer({ description: 'Attempts made since the delivery was last started.' }),
  due: Type.Optional(Field('Time of the next attempt; absent if none follows.', Instant)),
  response_status: Type.Optional(
    Type.Integer({ description: 'HTTP status of the last attempt, if one came.' }),
  ),
  response_body: Type.Optional(
    Type.String({ description: 'First 4096 bytes of the response to the last attempt.' }),
  ),
  error: Type.Optional(Type.String({ description: 'Why the last attempt failed.' })),
  created: Field('Time of creation.', Instant),
  modified: Field('Time of the last change.', Instant),
}

export const Delivery = Type.Object(deliveryMembers, { title: 'Delivery' })

const Attempt = Type.Object(
  {
    number: Type.Integer({ description: 'From 1, over all starts of the delivery.' }),
    sent: Field('Time at which the attempt began.', Instant),
    duration_ms: Type.Integer({
      description: 'Milliseconds until the response was read or the attempt given up.',
    }),
    request_headers: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Name of the header.' }),
        value: Type.String({ description: 'Its value; *** where it is secret.' }),
      }),
      {
        description:
          'Headers of the request. The values of the signature, of credentials and of custom ' +
          'headers are masked.',
      },
    ),
    response_status: Type.Optional(
      Type.Integer({ description: 'HTTP status of the response, if one came.' }),
    ),
    response_body: Type.Optional(Type.String({ description: 'First 4096 bytes of the response.' })),
    error: Type.Optional(Type.String({ description: 'Why the attempt failed.' })),
  },
  { title: 'DeliveryAttempt' },
)

/** A delivery by itself, with the attempts that `attempts` of a list counts. */
export const DeliveryWithHistory = Type.Object(
  {
    ...deliveryMembers,
    history: Type.Array(Attempt, {
      description: 'The attempts of all starts of the delivery, newest first, at most 100.',
    }),
  },
  { title: 'DeliveryWithHistory' },
)
export const Deliveries = ListOf(Delivery)
export const ObjectDeliveries = ListOf(
  Type.Object(
    {
      ...deliveryMembers,
      endpoint: Type.String({ description: 'URL of the subscription as it is now.' }),
    },
    { title: 'ObjectDelivery' },
  ),
)
export const Recovered = Type.Object({
  recovered: Type.Integer({ description: 'Number of deliveries that are now due.' }),
  has_more: Type.Boolean({ description: 'Whether the call must be repeated for the rest.' }),
})

/** The event as it is delivered: the payload's own members are beside these (D-102). */
export const FeedEvent = Type.Object(
  {
    id: Field('Id of the event.', Uuid),
    event: Type.String({ description: 'Kind of the event.' }),
    created: Type.String({ description: 'Time of the event, ISO 8601 UTC.' }),
  },
  { title: 'Event', additionalProperties: true },
)
export type FeedEvent = { id: string; event: string; created: string }
export const Feed = ListOf(FeedEvent)
export const FeedQuery = ListQuery({
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: WAIT_MAX_SECONDS,
      description: 'Longest time to wait for an event, in seconds; 0 by default.',
    }),
  ),
})
export type FeedQuery = Static<typeof FeedQuery>

export const ObjectEventsQuery = ListQuery({
  object_id: Field('Id of a user, card, account or other object.', Uuid),
})
export type ObjectEventsQuery = Static<typeof ObjectEventsQuery>
export const ObjectEvents = ListOf(FeedEvent)
