/** The role that a member has now: a process's copy of a session may be a second old. */

import { sql } from 'kysely'
import type { Tx } from '#kit/context.ts'
import { ApiError } from '#lib/result.ts'
import type { Role } from './roles.ts'

/**
 * The role of the caller, which stays until the transaction ends: a change or a removal waits, and
 * then finds the rows that this transaction has made. Use cases whose effect outlasts the session
 * call this. Throws `unauthenticated` if the caller is no member any more, and without a session.
 */
export async function lockOwnRole({ db, member }: Tx): Promise<Role> {
  if (!member) throw new ApiError('unauthenticated')
  const { rows } = await sql<{ role: Role }>`
    select role from memberships where id = ${member.membership_id} for share`.execute(db)
  const [row] = rows
  if (!row) throw new ApiError('unauthenticated')
  return row.role
}
