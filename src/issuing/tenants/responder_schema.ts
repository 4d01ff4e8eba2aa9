/** The settings of the responder (D-58, D-111). */

import { type Static, type TSchema, Type } from 'typebox'
import { Field, Nullable, OneOf, Strict } from '#kit/http/schema.ts'

export const URL_LENGTH = 2000

const ACTION = 'Action without a valid answer; default DECLINE (1852).'
const RESPONDER =
  'Responder that decides on authorizations: `url` or the listener; none by default.'
const LISTENER =
  'True if the tenant answers by calls of /simulate/responderrequests instead of at a `url`; ' +
  'in sandbox only.'
/** D-58. */
const responder = {
  url: Type.String({
    minLength: 1,
    maxLength: URL_LENGTH,
    description: 'URL that is asked by POST; in live mode https at a public address.',
  }),
  listener: Type.Boolean({ description: LISTENER }),
  timeout_ms: Type.Integer({
    minimum: 500,
    maximum: 3000,
    description: 'Milliseconds within which it must answer; default 2000.',
  }),
  default_action: Field(ACTION, OneOf(['APPROVE', 'DECLINE'])),
}
/** Lower case is accepted too, as the specification writes them. */
const AnyAction = OneOf(['APPROVE', 'DECLINE', 'approve', 'decline'])

/** Optional, or null, with the description of the schema. */
export function clearable<Schema extends TSchema & { description?: string }>(schema: Schema) {
  return Type.Optional(Field(schema.description ?? '', Nullable(schema)))
}

const secret = Type.String({ description: 'Signing secret: whsec_ and 32 bytes in base64.' })

export const Responder = Type.Object(
  {
    ...responder,
    url: Type.Optional(responder.url),
    listener: Type.Optional(responder.listener),
    secret: Type.Optional(Field('Signing secret, only in the answer that makes it.', secret)),
  },
  { description: RESPONDER },
)

export const ResponderChange = Strict(
  {
    url: clearable(responder.url),
    listener: clearable(responder.listener),
    timeout_ms: clearable(responder.timeout_ms),
    default_action: clearable(Field(ACTION, AnyAction)),
  },
  { description: `${RESPONDER} Null removes it.` },
)

/** The responder as it was sent. */
export type StoredResponder = {
  url?: string
  /** True, or absent; not beside a URL. */
  listener?: boolean
  timeout_ms?: number
  default_action?: Static<typeof AnyAction>
}

/** The answer of a rotation (D-101). */
export const ResponderSecret = Type.Object({ secret }, { title: 'ResponderSecret' })
export type ResponderSecret = Static<typeof ResponderSecret>
