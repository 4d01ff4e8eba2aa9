/**
 * Public functions of the tenants slice: tenants, their settings and their API keys (D-12, D-25,
 * D-100).
 */

import { makeApiKey } from '#callers/api_keys.ts'
import { lockOwnRole } from '#callers/own_role.ts'
import { KEY_PERMISSIONS } from '#callers/roles.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { CALLERS } from '#kit/http/callers/caller_cache.ts'
import { NO_TENANT } from '#kit/http/callers/callers.ts'
import { listPage } from '#kit/http/lists.ts'
import type { ListQuery } from '#kit/http/schema.ts'
import { faultOfEndpoint } from '#kit/net/fetch.ts'
import { newId } from '#lib/id.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError, unwrap } from '#lib/result.ts'
import { lockForKey } from './quotas.ts'
import { secretFor } from './responder.ts'
import { checkSettings, mergeSettings } from './rules.ts'
import {
  type ClientPermission,
  type NewTenant,
  OWNER_SETTINGS,
  type SettingsChange,
  type Tenant,
  type TenantSettings,
} from './schema.ts'
import {
  type ApiKeyRow,
  findKeysOf,
  findTenantRow,
  hasOperatorKey,
  insertApiKey,
  insertTenant,
  listApiKeyRows,
  listTenantRows,
  lockOperator,
  lockTenant,
  type TenantRow,
  updateApiKeyRevoked,
  updateKeysRevoked,
  updateSettings,
} from './store.ts'

export { auditTenants } from './audit.ts'
export { tenantErrors } from './errors.ts'
export { giveBackBytes, takeBytes } from './quotas.ts'
export {
  responderKeys,
  rotateResponderSecret,
  type SealedSecrets,
  sealedInTenants,
  signingOf,
} from './responder.ts'
export { mergeSettings } from './rules.ts'
export type { TenantSettings } from './schema.ts'
export { readSettings } from './settings.ts'
export { objectOfAnyTenant, withinTenant, withinTenantOf } from './within.ts'

/**
 * Creates a tenant with its first API key, which has every client permission. `api_key` is the key
 * in clear and is not available again (D-101). The id that stands for no tenant is none: its tenant
 * would see what belongs to none, as failed sign-ins of unknown people.
 */
export function createTenant(
  ctx: Context | Tx,
  { id = newId(), name, settings = {} }: NewTenant,
  made: Made = {},
): Promise<{ tenant: Tenant; api_key: string }> {
  return transact(ctx, async (tx) => {
    if (id === NO_TENANT) throw invalid('id', 'is the id that stands for no tenant')
    const caller = { is_operator: true, profile: tx.profile, faultOfEndpoint }
    const stored = unwrap(checkSettings({}, settings, caller))
    const { secret, secrets } = secretFor(tx, id, stored)
    const row = await insertTenant(tx, { id, name, settings: stored, now: tx.now, ...secrets })
    if (!row) throw new ApiError('id_taken')
    const { key } = await createApiKey(tx, id, KEY_PERMISSIONS, made)
    const tenant = tenantOf(tx, row)
    return { tenant: { ...tenant, settings: withSecret(tenant.settings, secret) }, api_key: key }
  })
}

export async function findTenant(ctx: Context | Tx, id: string): Promise<Tenant> {
  return tenantOf(ctx, await existing(ctx, id))
}

/** Tenants, newest first (D-2). */
export async function listTenants(ctx: Context, query: ListQuery): Promise<Page<Tenant>> {
  const page = await listPage('tenants', query, (range) => listTenantRows(ctx, range))
  return { ...page, data: page.data.map((row) => tenantOf(ctx, row)) }
}

/**
 * Changes what `change` names and answers all settings, with the secret of a responder that is set
 * for the first time. Fails with `permission_missing` when a client names a setting of the operator
 * (D-25), and when others than an owner's session name one of the owners (D-1008).
 */
export function changeSettings(
  ctx: Context | Tx,
  tenant_id: string,
  change: SettingsChange,
): Promise<TenantSettings> {
  return transact(ctx, async (tx) => {
    const tenant = await lockTenant(tx, tenant_id)
    if (!tenant) throw new ApiError('not_found')
    tx.audited?.within(tenant_id, tx.now)
    const by = { is_operator: isOperator(tx), is_owner: await isOwner(tx, tenant_id, change) }
    const caller = { ...by, profile: tx.profile, faultOfEndpoint }
    const settings = unwrap(checkSettings(tenant.settings, change, caller))
    const { sealed_responder_secret: before } = tenant
    const { secret, secrets } = secretFor(tx, tenant_id, settings, before)
    await updateSettings(tx, tenant_id, settings, secrets)
    tx.afterCommit(() => tx.notify(CALLERS))
    return withSecret(mergeSettings(settings, tx.profile), secret)
  })
}

/** A new secret is in the answer to the change that makes it, and in no other (D-101). */
function withSecret(settings: TenantSettings, secret: string | undefined): TenantSettings {
  const { responder } = settings
  return secret && responder ? { ...settings, responder: { ...responder, secret } } : settings
}

/**
 * The columns of a key that a member makes: its name (D-138), the role (D-884) and the person
 * (D-1002).
 */
type Made = Partial<Pick<ApiKeyRow, 'name' | 'maker_role' | 'created_by' | 'created_by_email'>>

/**
 * A further key for a tenant. `key` is returned here and never again. Throws `too_many_keys` if the
 * tenant has as many as it may (D-1005).
 */
export function createApiKey(
  ctx: Context | Tx,
  tenant_id: string,
  permissions: readonly ClientPermission[],
  made: Made = {},
): Promise<ApiKeyRow & { key: string }> {
  return transact(ctx, async (tx) => {
    await lockForKey(tx, tenant_id)
    tx.audited?.within(tenant_id, tx.now)
    return makeKey(tx, tenant_id, [...permissions], made)
  })
}

/** The maker of a key: a member by the id, with the address at that time, or the operator (D-1002). */
export function makerOf(row: Pick<ApiKeyRow, 'created_by' | 'created_by_email'>) {
  const { created_by, created_by_email } = row
  if (created_by === null || created_by_email === null) return { created_by: 'operator' }
  return { created_by, created_by_email }
}

/** The keys of a tenant that a member has made and that are not revoked, newest first. */
export const listKeysOf = (tx: Tx, tenant_id: string, person_id: string): Promise<ApiKeyRow[]> =>
  findKeysOf(tx, tenant_id, person_id)

/** Revokes all of them. */
export async function revokeKeysOf(tx: Tx, tenant_id: string, person_id: string): Promise<void> {
  await updateKeysRevoked(tx, tenant_id, person_id)
  tx.afterCommit(() => tx.notify(CALLERS))
}

/**
 * The keys of a tenant that are not revoked, newest first; those that a member has made if
 * `created_by` is given.
 */
export async function listApiKeys(
  ctx: Context,
  tenant_id: string,
  query: ListQuery & { created_by?: string },
): Promise<Page<ApiKeyRow>> {
  await existing(ctx, tenant_id)
  const { created_by } = query
  return listPage('api_keys', query, (range) =>
    listApiKeyRows(ctx, { tenant_id, created_by }, range),
  )
}

/** Revokes a key. Fails with `not_found`, also for a key revoked before. */
export function revokeApiKey(ctx: Context | Tx, tenant_id: string, id: string): Promise<void> {
  return transact(ctx, async (tx) => {
    if (!(await updateApiKeyRevoked(tx, tenant_id, id))) throw new ApiError('not_found')
    tx.audited?.within(tenant_id, tx.now)
    tx.afterCommit(() => tx.notify(CALLERS))
  })
}

/** The operator's key at the first start; undefined when there is one already (D-100). */
export function ensureOperatorKey(ctx: Context | Tx): Promise<string | undefined> {
  return transact(ctx, async (tx) => {
    await lockOperator(tx)
    if (await hasOperatorKey(tx)) return undefined
    const { key } = await createOperatorKey(tx)
    return key
  })
}

/** A further key for the operator, returned here and never again. */
export function createOperatorKey(ctx: Context | Tx): Promise<ApiKeyRow & { key: string }> {
  return transact(ctx, (tx) => makeKey(tx, null, ['operator']))
}

/** The program itself acts with the operator's rights: the seed and the sweeps. */
const isOperator = ({ actor }: Context) => actor.kind === 'operator' || actor.kind === 'system'

/** Asked of the row, and only if it matters: the role may have been lost at another process. */
async function isOwner(tx: Tx, tenant_id: string, change: SettingsChange): Promise<boolean> {
  const isNeeded = OWNER_SETTINGS.some((name) => name in change)
  if (!isNeeded || tx.member?.tenant_id !== tenant_id) return false
  return (await lockOwnRole(tx)) === 'owner'
}

async function makeKey(
  tx: Tx,
  tenant_id: string | null,
  permissions: string[],
  { name = null, maker_role = null, created_by = null, created_by_email = null }: Made = {},
) {
  const { key, key_hash, hint } = makeApiKey()
  const known = { id: newId(), tenant_id, key_hash, hint, name, maker_role }
  const by = { created_by, created_by_email }
  const row = { ...known, ...by, permissions, created: tx.now }
  await insertApiKey(tx.db, row)
  return { ...row, revoked: null, last_used: null, key }
}

async function existing(ctx: Context | Tx, tenant_id: string): Promise<TenantRow> {
  const row = await findTenantRow(ctx, tenant_id)
  if (!row) throw new ApiError('not_found')
  return row
}

function tenantOf({ profile }: Context, row: TenantRow): Tenant {
  const { id, name, created, modified } = row
  return { id, name, settings: mergeSettings(row.settings, profile), created, modified }
}
