/** The permitted roles and changes in a team (D-137, D-139). Pure. */

import type { Fault } from '#lib/result.ts'

const OWNERS: readonly string[] = ['owner', 'operator_owner']
const OPERATOR = 'operator_'

export const isOwner = (role: string): boolean => OWNERS.includes(role)

/** Roles of the operator's team, who belong to no tenant, are not those of a tenant. */
export function faultsOfRole(role: string, tenant_id: string | null): Fault[] {
  const isOfOperator = role.startsWith(OPERATOR)
  if (isOfOperator === (tenant_id === null)) return []
  const message = isOfOperator
    ? 'is a role of the operator’s team'
    : 'is a role of a tenant, and the operator’s team has others'
  return [{ path: 'role', message }]
}

/** Whether the team would be without an owner. `owners` are the ids of those that it has. */
export const leavesNoOwner = (owners: readonly string[], id: string, role?: string): boolean =>
  owners.every((owner) => owner === id) && owners.length > 0 && !(role && isOwner(role))
