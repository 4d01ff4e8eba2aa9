/** The API schemas of receivers for trying webhooks (D-640). */

import { type Static, Type } from 'typebox'
import { Field, Instant, ListOf, ListQuery, OneOf, Strict, Uuid } from '#kit/http/schema.ts'

/** More than a call to a webhook may take, so that a timeout can be seen too. */
const DELAY_MAX_MS = 15_000

const verifications = ['VALID', 'INVALID', 'MISSING', 'UNKNOWN'] as const
export type Verification = (typeof verifications)[number]

const answer_status = Type.Integer({
  minimum: 200,
  maximum: 599,
  description:
    'HTTP status of its answers: 200 takes a delivery, 500 makes it be tried again, 410 disables ' +
    'the subscription.',
})
const delay_ms = Type.Integer({
  minimum: 0,
  maximum: DELAY_MAX_MS,
  description: 'Milliseconds before it answers; a delivery waits at most 10 000.',
})

/** The answer of a receiver from now on. Absent members stay, and are 200 at once at first. */
export const ReceiverChange = Strict({
  answer_status: Type.Optional(answer_status),
  delay_ms: Type.Optional(delay_ms),
})
export type ReceiverChange = Static<typeof ReceiverChange>

export const WebhookReceiver = Type.Object(
  {
    id: Field('Id of the receiver.', Uuid),
    url: Type.String({ description: 'Its address: the endpoint for a webhook subscription.' }),
    answer_status,
    delay_ms,
    received: Type.Integer({ description: 'Requests that it has received in all.' }),
    created: Field('Time of creation.', Instant),
    modified: Field('Time of the last change.', Instant),
  },
  { title: 'WebhookReceiver' },
)
export type WebhookReceiver = Static<typeof WebhookReceiver>

export const WebhookReceivers = ListOf(WebhookReceiver)
export const ReceiversQuery = ListQuery({})

export const DeletedReceiver = Type.Object({
  id: Field('Id of the deleted receiver.', Uuid),
  deleted: Type.Boolean({ description: 'Always true.' }),
})

const ReceivedRequest = Type.Object(
  {
    id: Field('Id of the request.', Uuid),
    number: Type.Integer({ description: 'Its place among the requests of the receiver, from 1.' }),
    headers: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Name of the header.' }),
        value: Type.String({ description: 'Its value; *** where it may be a credential.' }),
      }),
      { description: 'Headers of the request, in their order.' },
    ),
    body: Type.Optional(
      Type.String({
        description: 'The body, up to 32 768 bytes; only where the signature is VALID.',
      }),
    ),
    size: Type.Integer({ description: 'Bytes of the whole body.' }),
    verification: Field(
      'VALID where a subscription of the tenant to this address signed it in the last five ' +
        'minutes, else INVALID; UNKNOWN where no subscription has this address, MISSING where a ' +
        'header of the signature lacks.',
      OneOf(verifications),
    ),
    webhook_id: Type.Optional(Field('Id of the subscription that signed it.', Uuid)),
    answer_status: Type.Integer({ description: 'HTTP status that it was answered with.' }),
    delay_ms: Type.Integer({ description: 'Milliseconds that the answer was delayed by.' }),
    created: Field('Real time of its arrival.', Instant),
  },
  { title: 'ReceivedRequest' },
)
export type ReceivedRequest = Static<typeof ReceivedRequest>
export const ReceivedRequests = ListOf(ReceivedRequest)
