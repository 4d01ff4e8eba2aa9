/**
 * The tenant whose rows a connection sees, as its transaction states it (D-505). The policies of
 * row_security.ts compare the tenant of a row with this setting; while it is not set, no row of any
 * tenant is visible.
 */

import { isId } from '#lib/id.ts'

/** Read by the policies, so a policy that names another setting is a fault. */
export const TENANT_SETTING = 'bezant.tenant'

/** The value of the setting for work over all tenants. */
export const ALL_TENANTS = '*'

/** A tenant's id, ALL_TENANTS, or null: rows of no tenant at all. */
export type TenantsSeen = string | null

/** The value of the setting, as the policies compare it; throws if `seen` is no tenant. */
export function settingOf(seen: TenantsSeen): string {
  if (seen !== null && seen !== ALL_TENANTS && !isId(seen)) throw new Error('a tenant is no id')
  return seen?.toLowerCase() ?? ''
}

/**
 * The first message of a transaction on PostgreSQL. It ends with the transaction, so a connection
 * never carries a tenant to the next one that borrows it, nor through a pooler that shares it
 * between clients.
 */
export const beginning = (seen: TenantsSeen): string =>
  seen === null ? 'begin' : `begin; ${stating(seen)}`

/** Within a transaction, until its end or another such statement. */
export const stating = (seen: TenantsSeen): string =>
  `set local ${TENANT_SETTING} = '${settingOf(seen)}'`

/**
 * The same as a prepared statement, for PostgreSQL alone: Citus passes only `set local` on to other
 * nodes.
 */
export const STATE_TENANTS = `select set_config('${TENANT_SETTING}', $1, true)`

/** Whether a statement only states the tenant or its patience, or is the frame of a group. */
export const isFrame = (text: string): boolean =>
  text === 'begin' || text === STATE_TENANTS || text.startsWith('set local ')
