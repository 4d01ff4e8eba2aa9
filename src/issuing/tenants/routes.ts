import { type Route, route } from '#kit/http/route.ts'
import { IdPath } from '#kit/http/schema.ts'
import { readUsage, readUsageOf } from './quotas.ts'
import { ResponderSecret } from './responder_schema.ts'
import {
  AnyList,
  ApiKeyList,
  ApiKeyPath,
  ApiKeyWithKey,
  Deleted,
  NewApiKey,
  NewTenant,
  SettingsChange,
  Tenant,
  TenantList,
  TenantSettings,
  TenantWithKey,
  Usage,
} from './schema.ts'
import { lockTenant } from './store.ts'
import {
  changeSettings,
  createApiKey,
  createTenant,
  findTenant,
  listApiKeys,
  listTenants,
  makerOf,
  readSettings,
  revokeApiKey,
  rotateResponderSecret,
} from './tenants.ts'

const clientRoutes: Route[] = [
  route({
    id: 'getSettings',
    tag: 'Settings',
    description:
      'Returns every setting that applies to the tenant of the API key, with the default in ' +
      'place of a setting that was never set.',
    method: 'GET',
    path: '/tenantsettings',
    permission: 'read',
    summary: 'Get the settings of the tenant',
    answer: TenantSettings,
    lock: (tx) => lockTenant(tx, tx.tenant_id),
    run: (ctx) => readSettings(ctx),
  }),
  route({
    id: 'updateSettings',
    tag: 'Settings',
    description:
      'Changes only the settings that are sent; null restores the default, objects merge member ' +
      'by member, and lists are replaced. Settings that only the operator may change fail with ' +
      '`permission_missing`, and so does `second_factor_required`, except in a session of an ' +
      'owner. Answers all settings; if a responder is set for the first time, ' +
      'with its signing secret, which no later answer contains.',
    method: 'PUT',
    path: '/tenantsettings',
    permission: 'write',
    summary: 'Update the settings of the tenant',
    body: SettingsChange,
    answer: TenantSettings,
    answersSecret: true,
    run: (ctx, { body }) => changeSettings(ctx, ctx.tenant_id, body),
  }),
  route({
    id: 'rotateResponderSecret',
    tag: 'Settings',
    description:
      'Creates a new signing secret of the responder and returns it; no later answer contains ' +
      'it. For 24 hours each question is signed with the new and the previous secret. The secret ' +
      'may be created before the responder is set.',
    method: 'POST',
    path: '/tenantsettings/responder:rotateSecret',
    permission: 'write',
    summary: 'Rotate the secret of the responder',
    answer: ResponderSecret,
    answersSecret: true,
    run: (ctx) => rotateResponderSecret(ctx),
  }),
]

const usageRoutes: Route[] = [
  route({
    id: 'getUsage',
    tag: 'Settings',
    description:
      'Returns how much of its quotas the tenant of the API key uses. The quotas are settings ' +
      'that the operator changes.',
    method: 'GET',
    path: '/tenantsettings/usage',
    permission: 'read',
    summary: 'Get the usage of the tenant',
    answer: Usage,
    run: (ctx) => readUsage(ctx),
  }),
  route({
    id: 'getUsageAsOperator',
    tag: 'Operator',
    description: 'Returns how much of its quotas a tenant uses.',
    method: 'GET',
    path: '/operator/tenants/{id}/usage',
    permission: 'operator',
    summary: 'Get the usage of any tenant',
    params: IdPath,
    answer: Usage,
    run: (ctx, { params }) => readUsageOf(ctx, params.id),
  }),
]

const operatorRoutes: Route[] = [
  route({
    id: 'createTenant',
    tag: 'Operator',
    description:
      'Creates a tenant with its first API key, which has every client permission. The key is ' +
      'returned in this answer only; it cannot be retrieved later.',
    method: 'POST',
    path: '/operator/tenants',
    permission: 'operator',
    summary: 'Create a tenant',
    body: NewTenant,
    answer: TenantWithKey,
    errors: ['id_taken'],
    answersSecret: true,
    async run(ctx, { body }) {
      const { tenant, api_key } = await createTenant(ctx, body)
      return { ...tenant, api_key }
    },
  }),
  route({
    id: 'listTenants',
    tag: 'Operator',
    description: 'Lists all tenants with their settings, newest first.',
    method: 'GET',
    path: '/operator/tenants',
    permission: 'operator',
    summary: 'List tenants',
    query: AnyList,
    answer: TenantList,
    run: (ctx, { query }) => listTenants(ctx, query),
  }),
  route({
    id: 'getTenant',
    tag: 'Operator',
    description: 'Returns one tenant with its settings.',
    method: 'GET',
    path: '/operator/tenants/{id}',
    permission: 'operator',
    summary: 'Get a tenant',
    params: IdPath,
    answer: Tenant,
    lock: (tx, { id }) => lockTenant(tx, id),
    run: (ctx, { params }) => findTenant(ctx, params.id),
  }),
  route({
    id: 'getSettingsAsOperator',
    tag: 'Operator',
    description:
      'Returns every setting that applies to a tenant, with the default in place of a setting ' +
      'that was never set.',
    method: 'GET',
    path: '/operator/tenants/{id}/settings',
    permission: 'operator',
    summary: 'Get the settings of any tenant',
    params: IdPath,
    answer: TenantSettings,
    lock: (tx, { id }) => lockTenant(tx, id),
    run: async (ctx, { params }) => (await findTenant(ctx, params.id)).settings,
  }),
  route({
    id: 'updateSettingsAsOperator',
    tag: 'Operator',
    description:
      'Changes only the settings that are sent, including those that only the operator may ' +
      'change; null restores the default, objects merge member by member, and lists are ' +
      'replaced. Answers all settings; if a responder is set for the first time, with its ' +
      'signing secret, which no later answer contains.',
    method: 'PUT',
    path: '/operator/tenants/{id}/settings',
    permission: 'operator',
    summary: 'Update the settings of any tenant',
    params: IdPath,
    body: SettingsChange,
    answer: TenantSettings,
    answersSecret: true,
    run: (ctx, { params, body }) => changeSettings(ctx, params.id, body),
  }),
]

const keyRoutes: Route[] = [
  route({
    id: 'createApiKey',
    tag: 'Operator',
    description:
      'Creates a further API key for a tenant, with the permissions that are sent. The key is ' +
      'returned in this answer only; it cannot be retrieved later. Beyond `api_keys_max` of the ' +
      'settings it fails with `too_many_keys`.',
    method: 'POST',
    path: '/operator/tenants/{id}/keys',
    permission: 'operator',
    summary: 'Create an API key',
    params: IdPath,
    body: NewApiKey,
    answer: ApiKeyWithKey,
    errors: ['too_many_keys'],
    answersSecret: true,
    async run(ctx, { params, body }) {
      const made = await createApiKey(ctx, params.id, body.permissions)
      return { ...made, ...makerOf(made) }
    },
  }),
  route({
    id: 'listApiKeys',
    tag: 'Operator',
    description:
      'Lists the API keys of a tenant that are not revoked, newest first. A key is identified ' +
      'by its hint; its value is not returned.',
    method: 'GET',
    path: '/operator/tenants/{id}/keys',
    permission: 'operator',
    summary: 'List the API keys of a tenant',
    params: IdPath,
    query: AnyList,
    answer: ApiKeyList,
    async run(ctx, { params, query }) {
      const page = await listApiKeys(ctx, params.id, query)
      return { ...page, data: page.data.map((key) => ({ ...key, ...makerOf(key) })) }
    },
  }),
  route({
    id: 'revokeApiKey',
    tag: 'Operator',
    description:
      'Revokes an API key. Requests with it then fail with `unauthenticated`. A key that was ' +
      'revoked before fails with `not_found`.',
    method: 'DELETE',
    path: '/operator/tenants/{id}/keys/{key_id}',
    permission: 'operator',
    summary: 'Revoke an API key',
    params: ApiKeyPath,
    answer: Deleted,
    async run(ctx, { params }) {
      await revokeApiKey(ctx, params.id, params.key_id)
      return { id: params.key_id, deleted: true }
    },
  }),
]

export const tenantRoutes: readonly Route[] = [
  ...clientRoutes,
  ...usageRoutes,
  ...operatorRoutes,
  ...keyRoutes,
]
