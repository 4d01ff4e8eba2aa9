import { type Static, Type } from 'typebox'
import { Field, Instant, ListQuery, OneOf, Uuid } from '#kit/http/schema.ts'

const ACTOR_LENGTH = 64

const filters = {
  object_id: Type.Optional(Field('Records that name this object.', Uuid)),
  actor_id: Type.Optional(
    Field('Records of this caller.', Type.String({ minLength: 1, maxLength: ACTOR_LENGTH })),
  ),
  operation: Type.Optional(
    Field(
      'Records of this operation, by its `operationId`.',
      Type.String({ pattern: '^[A-Za-z]{1,64}$' }),
    ),
  ),
  from: Type.Optional(Field('Records of this instant and later.', Instant)),
  to: Type.Optional(Field('Records before this instant.', Instant)),
}

export const AuditQuery = ListQuery(filters)
export type AuditQuery = Static<typeof AuditQuery>

export const OperatorAuditQuery = ListQuery({
  tenant_id: Type.Optional(
    Field('The tenant; without it the actions of the operator that are about none.', Uuid),
  ),
  ...filters,
})
export type OperatorAuditQuery = Static<typeof OperatorAuditQuery>

const Actor = Type.Object({
  kind: Field(
    'An API key of the tenant, the operator, a merchant, the holder of a widget token or a ' +
      'member; the card network or the program by itself, of steps of disputes.',
    OneOf(['client', 'operator', 'merchant', 'widget', 'member', 'network', 'system']),
  ),
  id: Field(
    'Id of the API key, the merchant or the person; digest of the widget token.',
    Type.String(),
  ),
})

export const AuditRecord = Type.Object({
  id: Field('Id of the record.', Uuid),
  operation: Field('The operation, by its `operationId`.', Type.String()),
  actor: Field('Sender of the request.', Actor),
  address: Field('The IP address that the request came from; empty without one.', Type.String()),
  object_ids: Field('Ids of the objects that the request names or made.', Type.Array(Uuid)),
  members: Field('Members of the body that were sent, without values.', Type.Array(Type.String())),
  status: Field('The HTTP status of the answer.', Type.Integer()),
  request_id: Field('Id of the request, as in the answer and the logs.', Uuid),
  digest: Field('Keyed digest of method, path and body, in hexadecimal.', Type.String()),
  created: Field("When it was, by the tenant's clock.", Instant),
  recorded: Field('When it was, in real time.', Instant),
  sequence: Type.Optional(
    Field('Its place in the chain of the tenant; absent until it is chained.', Type.Integer()),
  ),
  hash: Type.Optional(Field('Its hash in the chain, in hexadecimal.', Type.String())),
})
export type AuditRecord = Static<typeof AuditRecord>
