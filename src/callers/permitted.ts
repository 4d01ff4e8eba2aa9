/** The operations that callers may call: keys by their permissions, members by their roles. */

import type { Context } from '#kit/context.ts'
import type { Caller } from '#kit/http/callers/callers.ts'
import type { Permission } from '#kit/http/permissions.ts'
import { ApiError } from '#lib/result.ts'
import { assertBodyOfRole, mayCall, type Role, roleLacks } from './roles.ts'

type Permitted = Pick<Caller, 'assertPermitted' | 'assertBody'>

/**
 * A key that a member has made may send what its maker's role may (D-884); `maker_role` is null for
 * others.
 */
export const permittedToKey = (
  permissions: ReadonlySet<Permission>,
  maker_role: Role | null = null,
): Permitted => ({
  assertPermitted({ permission }) {
    if (permissions.has(permission)) return
    const detail = lack(permission, permissions)
    throw new ApiError('permission_missing', { extra: { permission }, ...(detail && { detail }) })
  },
  assertBody(operation, body) {
    if (maker_role !== null) assertBodyOfRole(maker_role, operation, body)
  },
})

/**
 * A member who lacks a required second factor may call what is about the own account only (D-140,
 * D-583): `second_factor_required`.
 */
export const permittedToMember = ({
  role,
  lacks_second_factor,
}: NonNullable<Context['member']>): Permitted => ({
  assertPermitted(route) {
    const isOwn = route.permission === 'member'
    if (lacks_second_factor && !isOwn) throw new ApiError('second_factor_required')
    if (!mayCall(role, route)) throw roleLacks(role)
  },
  assertBody: (operation, body) => assertBodyOfRole(role, operation, body),
})

/** A key of the operator acts for no tenant, and one of a tenant never for the operator. */
function lack(permission: Permission, own: ReadonlySet<Permission>): string | undefined {
  if (permission === 'operator') return "This operation needs the operator's key."
  if (own.has('operator')) return 'This operation needs the API key of a tenant.'
  return undefined
}
