/** Quotas of a tenant (D-1005): how many bytes its files may have, and how many API keys. */

import type { Context, Tx } from '#kit/context.ts'
import { ApiError } from '#lib/result.ts'
import type { Usage } from './schema.ts'
import { readSettings, settingsOf } from './settings.ts'
import {
  countApiKeys,
  findStoredBytes,
  lockTenant,
  updateStoredBytes,
  upsertStoredBytes,
} from './store.ts'
import { withinTenant } from './within.ts'

/**
 * Counts bytes that the transaction stores. Others of the tenant wait for its end, so call it late.
 * Throws `storage_full` if the quota has not so many left.
 */
export async function takeBytes(tx: Tx, bytes: bigint): Promise<void> {
  const { stored_bytes_max: most } = await readSettings(tx)
  if (await upsertStoredBytes(tx, bytes, most)) return
  throw new ApiError('storage_full', {
    detail: `The files of the tenant may have ${most} bytes together. Delete files first.`,
  })
}

/** Counts bytes that are deleted with the transaction. */
export const giveBackBytes = (tx: Tx, bytes: bigint): Promise<void> => updateStoredBytes(tx, bytes)

/**
 * Locks the tenant for a further key, which is so the only one that is being made. Throws
 * `too_many_keys` if the tenant has as many as it may, and `not_found` without such a tenant.
 */
export async function lockForKey(tx: Tx, tenant_id: string): Promise<void> {
  const tenant = await lockTenant(tx, tenant_id)
  if (!tenant) throw new ApiError('not_found')
  const { api_keys_max } = settingsOf(tx, tenant)
  if ((await countApiKeys(tx, tenant_id)) < api_keys_max) return
  throw new ApiError('too_many_keys', {
    detail: `The tenant may have ${api_keys_max} API keys. Revoke those that are not used.`,
  })
}

/** How much of its quotas the tenant of the context uses. */
export async function readUsage(ctx: Context | Tx): Promise<Usage> {
  const [settings, stored, api_keys] = await Promise.all([
    readSettings(ctx),
    findStoredBytes(ctx),
    countApiKeys(ctx, ctx.tenant_id),
  ])
  const { stored_bytes_max, api_keys_max } = settings
  return {
    stored_bytes: Number(stored),
    ...(stored_bytes_max !== undefined && { stored_bytes_max }),
    api_keys,
    api_keys_max,
  }
}

/** The same of the tenant that the operator names. */
export const readUsageOf = async (ctx: Context, tenant_id: string): Promise<Usage> =>
  readUsage(await withinTenant(ctx, tenant_id))
