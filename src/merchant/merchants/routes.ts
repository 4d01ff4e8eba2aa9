/** The operator's routes of merchants, and the route that issues tokens. */

import type { Context } from '#kit/context.ts'
import { type Route, route } from '#kit/http/route.ts'
import { ListQuery } from '#kit/http/schema.ts'
import * as merchants from './merchants.ts'
import { presentMerchant } from './present.ts'
import * as schema from './schema.ts'

/**
 * Operator operations (D-84, D-100), mounted with the other operator routes. `issuers` has the
 * names that a merchant may have then.
 */
export const merchantOperatorRoutes = (issuers: () => readonly string[]): readonly Route[] => [
  route({
    id: 'createMerchant',
    tag: 'Operator',
    description:
      'Creates a merchant of the tenant in `tenant_id`. Members that are left out get the ' +
      'defaults in the descriptions of the fields. A merchant whose `display_name` has no Latin ' +
      'letter and no digit needs a `descriptor`. Fails with `id_taken` when another merchant has ' +
      'the `id` of the request.',
    method: 'POST',
    path: '/operator/merchants',
    permission: 'operator',
    summary: 'Create a merchant',
    body: schema.NewMerchant,
    answer: schema.Merchant,
    errors: ['id_taken'],
    run: async (ctx, { body }) =>
      presentMerchant(await merchants.createMerchant(ctx, body, issuers())),
  }),
  route({
    id: 'listMerchants',
    tag: 'Operator',
    description:
      'Returns the merchants of every tenant, newest first. `tenant_id` limits the list to ' +
      'one tenant.',
    method: 'GET',
    path: '/operator/merchants',
    permission: 'operator',
    summary: 'List merchants',
    query: schema.MerchantQuery,
    answer: schema.MerchantList,
    run: async (ctx, { query }) => {
      const page = await merchants.listMerchants(ctx, query)
      return { ...page, data: page.data.map(presentMerchant) }
    },
  }),
  route({
    id: 'getMerchant',
    tag: 'Operator',
    description:
      'Returns the settings of one merchant, with its card acceptor and terminal ' +
      'identification. `descriptor` is there where it was set.',
    method: 'GET',
    path: '/operator/merchants/{id}',
    permission: 'operator',
    summary: 'Get a merchant',
    params: schema.MerchantPath,
    answer: schema.Merchant,
    lock: (tx, { id }) => merchants.lockMerchant(tx, id),
    run: async (ctx, { params }) => presentMerchant(await merchants.getMerchant(ctx, params.id)),
  }),
  route({
    id: 'updateMerchant',
    tag: 'Operator',
    description:
      'Changes the members that the request contains and leaves the others as they are. A ' +
      '`descriptor` holds for new payments, and cannot be cleared where `display_name` has no ' +
      'Latin letter and no digit; nor can `display_name` become such a name without one. A ' +
      'merchant with status `INACTIVE` gets no tokens, and requests with its tokens fail with ' +
      '`unauthenticated`; the pages of its open checkouts take no payments, until it is `ACTIVE` ' +
      'again. Its endpoints still receive the events of its orders. Orders that exist keep their ' +
      'capture deadline and their deadline policy.',
    method: 'PUT',
    path: '/operator/merchants/{id}',
    permission: 'operator',
    summary: 'Update a merchant',
    params: schema.MerchantPath,
    body: schema.MerchantChange,
    answer: schema.Merchant,
    run: async (ctx, { params, body }) =>
      presentMerchant(await merchants.changeMerchant(ctx, params.id, body, issuers())),
  }),
  route({
    id: 'createMerchantKey',
    tag: 'Operator',
    description:
      'Creates a public and a private key, which the merchant exchanges for a token. The ' +
      'answer is the only one that contains the private key. A merchant can have several key ' +
      'pairs.',
    method: 'POST',
    path: '/operator/merchants/{id}/keys',
    permission: 'operator',
    summary: 'Create a key pair of a merchant',
    params: schema.MerchantPath,
    answer: schema.NewMerchantKey,
    answersSecret: true,
    run: (ctx, { params }) => merchants.createMerchantKey(ctx, params.id),
  }),
  route({
    id: 'listMerchantKeys',
    tag: 'Operator',
    description:
      'Returns the key pairs of a merchant, newest first, revoked ones included. Private keys ' +
      'are not returned.',
    method: 'GET',
    path: '/operator/merchants/{id}/keys',
    permission: 'operator',
    summary: 'List the key pairs of a merchant',
    params: schema.MerchantPath,
    query: ListQuery({}),
    answer: schema.MerchantKeyList,
    run: (ctx, { params, query }) => merchants.listMerchantKeys(ctx, params.id, query),
  }),
  route({
    id: 'revokeMerchantKey',
    tag: 'Operator',
    description:
      'Revokes a key pair at once. The tokens of the key pair become invalid with it. A key ' +
      'pair that is revoked already keeps its time of revocation.',
    method: 'DELETE',
    path: '/operator/merchants/{id}/keys/{key_id}',
    permission: 'operator',
    summary: 'Revoke a key pair of a merchant',
    params: schema.MerchantKeyPath,
    answer: schema.Deleted,
    run: (ctx, { params }) => merchants.revokeMerchantKey(ctx, params.id, params.key_id),
  }),
]

export const merchantRoutes: readonly Route[] = [
  route({
    id: 'createMerchantToken',
    tag: 'Authentication',
    description:
      'Exchanges the key pair of a merchant for a bearer token. The token is valid for ' +
      '`token_minutes` of the merchant (30 minutes by default), while the key pair is not ' +
      'revoked and the merchant is `ACTIVE`. Send it as `Authorization: Bearer <token>` with ' +
      'every other request.',
    method: 'POST',
    path: '/merchant/authentication',
    permission: 'open',
    summary: 'Create a token from a key pair',
    body: schema.Credentials,
    answer: schema.Token,
    errors: ['unauthenticated', 'rate_limited'],
    run: async (ctx: Context, { body }) => ({ token: await merchants.issueToken(ctx, body) }),
  }),
]
