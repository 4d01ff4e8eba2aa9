import { revokeApiKey } from '#issuing/tenants/tenants.ts'
import { type Route, route } from '#kit/http/route.ts'
import { IdPath, Nothing } from '#kit/http/schema.ts'
import { createKey, listKeys } from './keys.ts'
import { KeyList, KeyQuery, KeyWithValue, NewKey } from './schema.ts'

export const keyRoutes: readonly Route[] = [
  route({
    id: 'createKey',
    tag: 'API keys',
    description:
      'Creates an API key of the tenant. Only this answer contains its value, which never ' +
      'changes. A permission that the role of the member may not give fails with ' +
      '`permission_missing`, and a key beyond `api_keys_max` of the settings with ' +
      '`too_many_keys`. The key may send to an operation only what the role may send, as with ' +
      'the widget with card data.',
    method: 'POST',
    path: '/keys',
    permission: 'keys',
    summary: 'Create an API key of the tenant',
    body: NewKey,
    answer: KeyWithValue,
    status: 201,
    errors: ['too_many_keys'],
    answersSecret: true,
    run: (ctx, { body }) => createKey(ctx, body),
  }),
  route({
    id: 'listKeys',
    tag: 'API keys',
    description:
      'Lists the API keys of the tenant that are not revoked, newest first, without their ' +
      'values; with `created_by` those that a member has made.',
    method: 'GET',
    path: '/keys',
    permission: 'keys',
    summary: 'List API keys of the tenant',
    query: KeyQuery,
    answer: KeyList,
    run: (ctx, { query }) => listKeys(ctx, query),
  }),
  route({
    id: 'revokeKey',
    tag: 'API keys',
    description: 'Revokes an API key of the tenant: no process accepts it a second later.',
    method: 'DELETE',
    path: '/keys/{id}',
    permission: 'keys',
    summary: 'Revoke an API key of the tenant',
    params: IdPath,
    answer: Nothing,
    status: 204,
    run: (ctx, { params }) => revokeApiKey(ctx, ctx.tenant_id, params.id),
  }),
]
