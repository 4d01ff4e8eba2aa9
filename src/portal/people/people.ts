/** Public functions of people: their sign-in, their passwords and their memberships. */

import type { Role } from '#callers/roles.ts'
import type { Member as Caller, Context, Tx } from '#kit/context.ts'
import { shownEmail } from '#lib/email.ts'
import { newId } from '#lib/id.ts'
import { ApiError } from '#lib/result.ts'
import { commonPasswords } from './common_passwords.ts'
import { hashPassword } from './passwords.ts'
import type { Asker } from './places.ts'
import { faultsOfPassword, normalEmail } from './rules.ts'
import type { Member } from './schema.ts'
import { findMemberRow, insertMembership, insertPerson } from './store.ts'

export { isPassword } from './passwords.ts'
export type { Asker } from './places.ts'
export { markOfPassword } from './rules.ts'
export { type Candidate, findCandidate, findCandidateById, lockCandidate } from './store.ts'

type Around = { email: string; organization?: string }

/**
 * The hash of a new password (D-135), to be made before a transaction begins: it takes a while.
 * Throws `validation_failed` on `password`, and `unavailable` if too many are being hashed.
 */
export async function hashNewPassword(
  password: string,
  around: Around,
  asker: Asker = 'STRANGER',
): Promise<string> {
  const errors = faultsOfPassword(password, { ...around, common: await commonPasswords() })
  if (errors.length > 0) throw new ApiError('validation_failed', { errors })
  return hashPassword(password, asker)
}

type NewMember = {
  /** The id of the person. */
  id: string
  email: string
  password_hash: string
  /** Null for the operator's team. */
  tenant_id: string | null
  role: Role
}

/**
 * Makes a person and the membership, whose id it returns. Throws `email_taken` for a known address.
 */
export async function createMember(
  tx: Tx,
  { id, email, password_hash, tenant_id, role }: NewMember,
): Promise<string> {
  const shown = shownEmail(email)
  const person = { id, email: normalEmail(email), email_shown: shown, password_hash }
  if (!(await insertPerson(tx, person))) throw new ApiError('email_taken')
  const membership_id = newId()
  await insertMembership(tx, { id: membership_id, person_id: id, tenant_id, role })
  return membership_id
}

/** Throws `not_found` for a person who is no member. */
export async function readMember(ctx: Context, id: string): Promise<Member> {
  const row = await findMemberRow(ctx, id)
  if (!row) throw new ApiError('not_found')
  const { email_shown: email, role, has_second_factor: second_factor, created } = row
  return { id, email, role, second_factor, created }
}

/** The member whose session the request came with. */
export function memberOf({ member }: Context): Caller {
  if (!member) throw new ApiError('unauthenticated')
  return member
}
