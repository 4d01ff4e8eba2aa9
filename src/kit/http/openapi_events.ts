/** Events in an OpenAPI document: what a subscribed endpoint receives, under `webhooks`. */

import { type TProperties, type TSchema, Type } from 'typebox'
import { exampleMember } from './openapi_examples.ts'
import { Field, Uuid } from './schema.ts'

export type DocumentedEvent = {
  event: string
  /** When it is emitted. */
  emitted: string
  /** Members of the body beside `event`, `id` and `created`. */
  payload: TProperties
  isUnbuilt?: true
}

export type EventParts = {
  tag: string
  /** Replaces named schemas by references to components. */
  refer: (schema: TSchema) => unknown
  /** A body by the kind of its event; absent where there is none. */
  exampleOf: (event: string) => unknown
}

/** One operation for each event that is emitted today. */
export function webhooksOf(events: readonly DocumentedEvent[], parts: EventParts): object {
  const built = events.filter(({ isUnbuilt }) => !isUnbuilt)
  return Object.fromEntries(built.map((each) => [each.event, { post: receiptOf(each, parts) }]))
}

function receiptOf(kind: DocumentedEvent, { tag, refer, exampleOf }: EventParts): object {
  const { event, emitted } = kind
  return {
    operationId: `receive${pascal(event)}`,
    summary: `Receive ${event}`,
    description: `${emitted} Signed by the rules of Standard Webhooks.`,
    tags: [tag],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: refer(eventSchema(kind)),
          ...exampleMember(exampleOf(event)),
        },
      },
    },
    responses: {
      '2XX': { description: 'The event is received and is not sent again.' },
      '4XX': { description: 'The event is sent again; after 410 the subscription is disabled.' },
    },
  }
}

const eventSchema = ({ event, payload }: DocumentedEvent): TSchema =>
  Type.Object(
    {
      event: Type.Literal(event, { description: 'The kind of the event.' }),
      id: Field('Id of the event: the same at every attempt, and the header webhook-id.', Uuid),
      created: Type.String({ format: 'date-time', description: 'When the event happened.' }),
      ...payload,
    },
    { title: `${pascal(event)}Event` },
  )

/** `CARD_STATUS_CHANGE` as `CardStatusChange`. */
const pascal = (event: string) =>
  event.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase())
