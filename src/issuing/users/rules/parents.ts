/** Which users may be parents, and which are in the lists of a business (D-18, D-19). */

import { type Fault, fail, ok, type Result } from '#lib/result.ts'
import type { UserErrorCode } from '../errors.ts'
import { LIST_LENGTH_MAX, type ListName, lists, type UserType } from './fields.ts'
import type { UserState } from './status.ts'

export type Parent = UserState & { user_type: UserType }
type Candidate = { id: string; user_type: UserType; parent_user_id: string | null }

const businesses: readonly UserType[] = ['BUSINESS', 'SHAREHOLDER_BUSINESS']

/** A parent is ACTIVE or PENDINGKYC, or a business that waits for its KYB. */
export function checkParent(parent: Parent): Result<true, UserErrorCode> {
  const { status, status_reason_code, user_type } = parent
  const eligible =
    status === 'ACTIVE' ||
    status === 'PENDINGKYC' ||
    (status === 'PENDINGKYB' && businesses.includes(user_type))
  if (eligible) return ok(true)
  return fail('parent_not_eligible', {
    detail: `A user that is ${status} cannot have children added.`,
    extra: { status_of_parent: status, status_reason_code },
  })
}

/** `ancestors` are the new parent and all above it; none of `below` may be among them. */
export function checkAncestors(
  below: readonly string[],
  ancestors: readonly string[],
): Result<true, UserErrorCode> {
  if (!below.some((id) => ancestors.includes(id))) return ok(true)
  return fail('parent_cycle', { detail: 'A user cannot be its own ancestor.' })
}

/**
 * Checks the ids of one list of a business: each exists, once, and is of the list's type (400),
 * and has no other parent (409). `ids` are in lower case.
 */
export function checkList(
  list: ListName,
  business_id: string,
  ids: readonly string[],
  candidates: ReadonlyMap<string, Candidate>,
): Result<true, UserErrorCode | 'validation_failed'> {
  const types: readonly UserType[] = lists[list]
  const errors = ids.flatMap((id, at): Fault[] => {
    const path = `${list}.${at}`
    const candidate = candidates.get(id)
    if (!candidate) return [{ path, message: 'does not exist' }]
    if (ids.indexOf(id) < at) return [{ path, message: 'is in the list already' }]
    if (types.includes(candidate.user_type)) return []
    return [{ path, message: `must be a user of type ${types.join(' or ')}` }]
  })
  if (errors.length > 0) return fail('validation_failed', { errors })
  const linked = ids.find((id) => {
    const parent = candidates.get(id)?.parent_user_id ?? null
    return parent !== null && parent !== business_id
  })
  if (linked === undefined) return ok(true)
  return fail('user_already_linked', {
    detail: `User ${linked} has another parent.`,
    extra: { user_id: linked },
  })
}

/** The first free place of a list, for a sub-user that joins; a full list is a 400. */
export function checkPlace(
  list: ListName,
  occupied: readonly number[],
): Result<number, 'validation_failed'> {
  for (let place = 1; place <= LIST_LENGTH_MAX; place++) {
    if (!occupied.includes(place)) return ok(place)
  }
  return fail('validation_failed', {
    errors: [
      { path: 'parent_user_id', message: `has ${LIST_LENGTH_MAX} users in its ${list} already` },
    ],
  })
}
