/**
 * Events in an OpenAPI document: the bodies that a subscribed endpoint receives, under `webhooks`.
 */

import { type TSchema, Type } from 'typebox'
import type { EventKind } from '#kit/event.ts'
import { Field, Instant, Uuid } from '../schema.ts'
import type { Json } from './components.ts'
import { exampleMember } from './examples.ts'

export type EventParts = {
  tag: string
  /** Replaces named schemas by references to components. */
  refer: (schema: TSchema) => unknown
  /** A body by the kind of its event; absent if there is none. */
  exampleOf: (event: string) => unknown
}

const header = (name: string, description: string, schema: Json): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
})

/** The headers of every delivery (D-63), as components. */
const deliveryHeaders = {
  WebhookId: header('webhook-id', 'Id of the event: the same at every attempt.', {
    type: 'string',
    format: 'uuid',
  }),
  WebhookTimestamp: header('webhook-timestamp', 'Real time of this attempt, in Unix seconds.', {
    type: 'string',
    pattern: '^[0-9]+$',
  }),
  WebhookSignature: header(
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}` under ' +
      'the secret of the subscription. For 24 hours after a rotation there is a second one, of ' +
      'the previous secret, after a space.',
    { type: 'string', pattern: '^v1,[A-Za-z0-9+/]+=*( v1,[A-Za-z0-9+/]+=*)*$' },
  ),
} as const

/** The parameters that the webhooks refer to. */
export const webhookParameters: Json = deliveryHeaders

const responses = {
  '2XX': { description: 'The event is received and is not sent again.' },
  '410': { description: 'The subscription is disabled.' },
  default: {
    description:
      'Any other answer, a redirect too, and none within 10 seconds: the event is sent again by ' +
      'the schedule of the tenant, no sooner than a `retry-after` of up to 24 hours says. Later ' +
      'events of the same object wait for it.',
  },
}

/** One operation for each name of an event. */
export function webhooksOf(kinds: readonly EventKind[], parts: EventParts): Json {
  const named = Map.groupBy(kinds, ({ event }) => event)
  return Object.fromEntries(
    [...named].map(([event, ofName]) => [event, { post: receiptOf(event, ofName, parts) }]),
  )
}

function receiptOf(event: string, kinds: readonly EventKind[], parts: EventParts): Json {
  const { tag, refer, exampleOf } = parts
  return {
    operationId: `receive${pascal(event)}`,
    summary: `Receive ${event}`,
    description:
      `${kinds.map(({ emitted }) => emitted).join(' ')} Signed by the rules of Standard ` +
      'Webhooks. A subscription of a tenant may add HTTP Basic credentials and headers of its ' +
      'own. An event may come more than once: compare `webhook-id`.',
    tags: [tag],
    // The endpoint is the client's: no key of this API is sent.
    security: [],
    parameters: Object.keys(deliveryHeaders).map((name) => ({
      $ref: `#/components/parameters/${name}`,
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: refer(bodyOf(kinds)), ...exampleMember(exampleOf(event)) },
      },
    },
    responses,
  }
}

/** Kinds of one name are of different objects, which their titles name. */
function bodyOf(kinds: readonly EventKind[]): TSchema {
  const [kind, ...others] = kinds
  if (kind && others.length === 0) return eventSchema(kind, `${pascal(kind.event)}Event`)
  return Type.Union(
    kinds.map((one) => eventSchema(one, `${pascal(one.object)}${pascal(one.event)}Event`)),
  )
}

/** The whole body: the members that the outbox adds, and the payload. */
const eventSchema = ({ event, payload }: EventKind, title: string): TSchema =>
  Type.Object(
    {
      event: Type.Literal(event, { description: 'The kind of the event.' }),
      id: Field('Id of the event: the same at every attempt, and the header webhook-id.', Uuid),
      created: Field('When the event happened.', Instant),
      ...payload,
    },
    { title },
  )

/** `CARD_STATUS_CHANGE` as `CardStatusChange`. */
const pascal = (words: string) =>
  words.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase())
