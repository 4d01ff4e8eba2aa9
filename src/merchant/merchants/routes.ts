/** Two lists: what the operator does under the issuing prefix, and the merchant's token. */

import type { Context } from '#kit/context.ts'
import { type Route, route } from '#kit/route.ts'
import { ListQuery } from '#kit/schema.ts'
import * as merchants from './merchants.ts'
import * as schema from './schema.ts'

/** Operator operations (D-84, D-100); they are mounted where the operator's other ones are. */
export const merchantOperatorRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/operator/merchants',
    permission: 'operator',
    summary: 'Create a merchant of a tenant',
    body: schema.NewMerchant,
    answer: schema.Merchant,
    errors: ['id_taken'],
    run: (ctx, { body }) => merchants.createMerchant(ctx, body),
  }),
  route({
    method: 'GET',
    path: '/operator/merchants',
    permission: 'operator',
    summary: 'List merchants',
    query: schema.MerchantQuery,
    answer: schema.MerchantList,
    run: (ctx, { query }) => merchants.listMerchants(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/operator/merchants/{id}',
    permission: 'operator',
    summary: 'Get a merchant',
    params: schema.MerchantPath,
    answer: schema.Merchant,
    run: (ctx, { params }) => merchants.getMerchant(ctx, params.id),
  }),
  route({
    method: 'PUT',
    path: '/operator/merchants/{id}',
    permission: 'operator',
    summary: 'Change the settings of a merchant',
    params: schema.MerchantPath,
    body: schema.MerchantChange,
    answer: schema.Merchant,
    run: (ctx, { params, body }) => merchants.changeMerchant(ctx, params.id, body),
  }),
  route({
    method: 'POST',
    path: '/operator/merchants/{id}/keys',
    permission: 'operator',
    summary: 'Make a key pair; the private key is told once',
    params: schema.MerchantPath,
    answer: schema.NewMerchantKey,
    answersSecret: true,
    run: (ctx, { params }) => merchants.createMerchantKey(ctx, params.id),
  }),
  route({
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
    method: 'DELETE',
    path: '/operator/merchants/{id}/keys/{key_id}',
    permission: 'operator',
    summary: 'Revoke a key pair, and with it its tokens',
    params: schema.MerchantKeyPath,
    answer: schema.Deleted,
    run: (ctx, { params }) => merchants.revokeMerchantKey(ctx, params.id, params.key_id),
  }),
]

export const merchantRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/merchant/authentication',
    permission: 'open',
    summary: 'Exchange a key pair for a token',
    body: schema.Credentials,
    answer: schema.Token,
    errors: ['unauthenticated', 'rate_limited'],
    run: async (ctx: Context, { body }) => ({ token: await merchants.issueToken(ctx, body) }),
  }),
]
