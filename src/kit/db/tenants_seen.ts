/**
 * Whose rows a connection sees, as its transaction states it (D-505). The policies of
 * row_security.ts compare the tenant of a row with this setting; where it is not set, no row of
 * any tenant is there.
 */

import { isId } from '#lib/id.ts'

/** Read by the policies, so a policy that names another setting is a fault. */
export const TENANT_SETTING = 'bezant.tenant'

/** The value of the setting for work over all tenants. */
export const ALL_TENANTS = '*'

/** A tenant's id, ALL_TENANTS, or null: rows of no tenant at all. */
export type TenantsSeen = string | null

/**
 * The first statement of a transaction. It ends with the transaction, so a connection never carries
 * a tenant to the next one that borrows it, nor through a pooler that shares it between clients.
 */
export const beginning = (seen: TenantsSeen): string => `begin${following(seen)}`

/**
 * The same around reads, or around one statement, that stated no transaction before. The other
 * words keep them apart from the transactions of `transact` in logs and counts.
 */
export const beginningOfReads = (seen: TenantsSeen): string => `start transaction${following(seen)}`
export const END_OF_READS = 'end'

const following = (seen: TenantsSeen): string => (seen === null ? '' : `; ${stating(seen)}`)

/** Within a transaction, until its end or another such statement. */
export function stating(seen: TenantsSeen): string {
  if (seen === null) return `set local ${TENANT_SETTING} = ''`
  // It is part of a statement's text, so nothing else may be in it.
  if (seen !== ALL_TENANTS && !isId(seen)) throw new Error('the tenant of a transaction is no id')
  return `set local ${TENANT_SETTING} = '${seen}'`
}
