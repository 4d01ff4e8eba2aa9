import { type Static, Type } from 'typebox'
import { Instant, ListOf, ListQuery, Nullable, OneOf, Strict, Uuid } from '#kit/schema.ts'
import { eventNames } from './events.ts'

const ENDPOINT_LENGTH = 2000
const CREDENTIAL_LENGTH = 200
const HEADERS_MAX = 20
const HEADER_NAME_LENGTH = 100
const HEADER_VALUE_LENGTH = 1000
const WAIT_MAX_SECONDS = 30

const EventName = OneOf(eventNames)
const WebhookStatus = OneOf(['ACTIVE', 'DISABLED'])
export const deliveryStatuses = ['PENDING', 'RETRYING', 'DELIVERED', 'EXPIRED'] as const
const DeliveryStatus = OneOf(deliveryStatuses)

const Endpoint = Type.String({ minLength: 1, maxLength: ENDPOINT_LENGTH })
const Events = Type.Array(EventName, { minItems: 1, maxItems: eventNames.length })

const GivenConfig = Strict({
  basic_auth_username: Type.Optional(
    Nullable(Type.String({ minLength: 1, maxLength: CREDENTIAL_LENGTH })),
  ),
  basic_auth_password: Type.Optional(
    Nullable(Type.String({ minLength: 1, maxLength: CREDENTIAL_LENGTH })),
  ),
  custom_headers: Type.Optional(
    Nullable(
      Type.Array(
        Strict({
          header_name: Type.String({ minLength: 1, maxLength: HEADER_NAME_LENGTH }),
          header_value: Type.String({ minLength: 1, maxLength: HEADER_VALUE_LENGTH }),
        }),
        { maxItems: HEADERS_MAX },
      ),
    ),
  ),
})
export type GivenConfig = Static<typeof GivenConfig>

export const NewWebhook = Strict({
  id: Type.Optional(Uuid),
  endpoint: Endpoint,
  events: Events,
  config: Type.Optional(GivenConfig),
})
export type NewWebhook = Static<typeof NewWebhook>

/** `status` ACTIVE puts a disabled subscription back into service. */
export const WebhookChange = Strict({
  endpoint: Type.Optional(Endpoint),
  events: Type.Optional(Events),
  status: Type.Optional(WebhookStatus),
  config: Type.Optional(GivenConfig),
})
export type WebhookChange = Static<typeof WebhookChange>

const webhookMembers = {
  id: Uuid,
  endpoint: Type.String(),
  events: Type.Array(Type.String()),
  status: WebhookStatus,
  /** CLIENT, GONE (the endpoint answered 410) or FAILING (five days long). */
  disabled_reason: Type.Optional(Type.String()),
  failing_since: Type.Optional(Instant),
  config: Type.Object({
    basic_auth_username: Type.Optional(Type.String()),
    /** Values are kept sealed and never answered, as the password is. */
    custom_headers: Type.Array(Type.Object({ header_name: Type.String() })),
    created: Instant,
    modified: Instant,
  }),
}

/** The subscription as clients see it: neither password, header values nor secret (D-63). */
export const Webhook = Type.Object(webhookMembers, { title: 'Webhook' })
export type Webhook = Static<typeof Webhook>
export const Webhooks = ListOf(Webhook)

/** The one answer that carries the secret (D-101). */
export const WebhookWithSecret = Type.Object(
  { ...webhookMembers, secret: Type.String() },
  { title: 'WebhookWithSecret' },
)

export const DeletedWebhook = Type.Object({ id: Uuid, deleted: Type.Boolean() })

export const Delivery = Type.Object(
  {
    id: Uuid,
    webhook_id: Uuid,
    event_id: Uuid,
    event: Type.String(),
    object_id: Uuid,
    sequence: Type.Integer(),
    status: DeliveryStatus,
    attempts: Type.Integer(),
    due: Type.Optional(Instant),
    response_status: Type.Optional(Type.Integer()),
    response_body: Type.Optional(Type.String()),
    error: Type.Optional(Type.String()),
    created: Instant,
    modified: Instant,
  },
  { title: 'Delivery' },
)
export const Deliveries = ListOf(Delivery)
export const DeliveryQuery = ListQuery({ status: Type.Optional(DeliveryStatus) })
export type DeliveryQuery = Static<typeof DeliveryQuery>

export const Recovery = Strict({ since: Type.String({ format: 'date-time' }) })
export const Recovered = Type.Object({ recovered: Type.Integer(), has_more: Type.Boolean() })

/** The event as it is delivered: the payload's own members stand beside these (D-102). */
export const FeedEvent = Type.Object(
  { id: Uuid, event: Type.String(), created: Type.String() },
  { title: 'Event', additionalProperties: true },
)
export type FeedEvent = { id: string; event: string; created: string }
export const Feed = ListOf(FeedEvent)
export const FeedQuery = ListQuery({
  wait: Type.Optional(Type.Integer({ minimum: 0, maximum: WAIT_MAX_SECONDS })),
})
export type FeedQuery = Static<typeof FeedQuery>
