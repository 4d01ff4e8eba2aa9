/** Pages of a tenant, which a member of the operator's team chooses before them. */

import { operator } from './operator.ts'

/** Pages of all tenants, or of the member alone. */
const ELSEWHERE = ['/account', ...operator.map(([path]) => path)].map(folderOf)
/** Pages that show the platform as long as no tenant is chosen. */
const EITHER = ['/', '/home', '/reviews', '/team', '/audit-log'].map(folderOf)

function folderOf(path: string): string {
  return path.split('/')[1] ?? ''
}

/** Whether the address of the page names the tenant. */
export const namesTenant = (path: string): boolean => !ELSEWHERE.includes(folderOf(path))

/** Whether the page has nothing to show without a tenant. */
export const needsTenantAt = (path: string): boolean =>
  namesTenant(path) && !EITHER.includes(folderOf(path))
