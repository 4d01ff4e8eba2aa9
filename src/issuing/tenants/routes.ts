import { type Route, route } from '#kit/route.ts'
import { IdPath } from '#kit/schema.ts'
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
} from './schema.ts'
import {
  changeSettings,
  createApiKey,
  createTenant,
  findTenant,
  listApiKeys,
  listTenants,
  readSettings,
  revokeApiKey,
} from './tenants.ts'

const clientRoutes: Route[] = [
  route({
    id: 'getTenantsettings',
    tag: 'Operator',
    description: '',
    method: 'GET',
    path: '/tenantsettings',
    permission: 'read',
    summary: 'The settings that hold for the caller',
    answer: TenantSettings,
    run: (ctx) => readSettings(ctx),
  }),
  route({
    id: 'putTenantsettings',
    tag: 'Operator',
    description: '',
    method: 'PUT',
    path: '/tenantsettings',
    permission: 'write',
    summary: 'Change settings; null takes one back to its default',
    body: SettingsChange,
    answer: TenantSettings,
    run: (ctx, { body }) => changeSettings(ctx, ctx.tenant_id, body),
  }),
]

const operatorRoutes: Route[] = [
  route({
    id: 'postOperatorTenants',
    tag: 'Operator',
    description: '',
    method: 'POST',
    path: '/operator/tenants',
    permission: 'operator',
    summary: 'Make a tenant with its first API key, which is told this once',
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
    id: 'getOperatorTenants',
    tag: 'Operator',
    description: '',
    method: 'GET',
    path: '/operator/tenants',
    permission: 'operator',
    summary: 'List tenants',
    query: AnyList,
    answer: TenantList,
    run: (ctx, { query }) => listTenants(ctx, query),
  }),
  route({
    id: 'getOperatorTenantsId',
    tag: 'Operator',
    description: '',
    method: 'GET',
    path: '/operator/tenants/{id}',
    permission: 'operator',
    summary: 'One tenant',
    params: IdPath,
    answer: Tenant,
    run: (ctx, { params }) => findTenant(ctx, params.id),
  }),
  route({
    id: 'getOperatorTenantsIdSettings',
    tag: 'Operator',
    description: '',
    method: 'GET',
    path: '/operator/tenants/{id}/settings',
    permission: 'operator',
    summary: 'The settings that hold for a tenant',
    params: IdPath,
    answer: TenantSettings,
    run: async (ctx, { params }) => (await findTenant(ctx, params.id)).settings,
  }),
  route({
    id: 'putOperatorTenantsIdSettings',
    tag: 'Operator',
    description: '',
    method: 'PUT',
    path: '/operator/tenants/{id}/settings',
    permission: 'operator',
    summary: 'Change any setting of a tenant; null takes one back to its default',
    params: IdPath,
    body: SettingsChange,
    answer: TenantSettings,
    run: (ctx, { params, body }) => changeSettings(ctx, params.id, body),
  }),
]

const keyRoutes: Route[] = [
  route({
    id: 'postOperatorTenantsIdKeys',
    tag: 'Operator',
    description: '',
    method: 'POST',
    path: '/operator/tenants/{id}/keys',
    permission: 'operator',
    summary: 'Make a further API key for a tenant; it is told this once',
    params: IdPath,
    body: NewApiKey,
    answer: ApiKeyWithKey,
    answersSecret: true,
    run: (ctx, { params, body }) => createApiKey(ctx, params.id, body.permissions),
  }),
  route({
    id: 'getOperatorTenantsIdKeys',
    tag: 'Operator',
    description: '',
    method: 'GET',
    path: '/operator/tenants/{id}/keys',
    permission: 'operator',
    summary: 'List the API keys of a tenant, by their hints',
    params: IdPath,
    query: AnyList,
    answer: ApiKeyList,
    run: (ctx, { params, query }) => listApiKeys(ctx, params.id, query),
  }),
  route({
    id: 'deleteOperatorTenantsIdKeysKeyId',
    tag: 'Operator',
    description: '',
    method: 'DELETE',
    path: '/operator/tenants/{id}/keys/{key_id}',
    permission: 'operator',
    summary: 'Revoke an API key; it opens nothing from now on',
    params: ApiKeyPath,
    answer: Deleted,
    async run(ctx, { params }) {
      await revokeApiKey(ctx, params.id, params.key_id)
      return { id: params.key_id, deleted: true }
    },
  }),
]

export const tenantRoutes: readonly Route[] = [...clientRoutes, ...operatorRoutes, ...keyRoutes]
