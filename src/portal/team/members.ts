/** Members of a team (D-139). A change of role and a removal end the sessions of the member. */

import { type Context, type Tx, transact } from '#kit/context.ts'
import { CALLERS } from '#kit/http/callers/caller_cache.ts'
import type { Role } from '#kit/http/callers/roles.ts'
import { listPage } from '#kit/http/lists.ts'
import type { ListQuery } from '#kit/http/schema.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError } from '#lib/result.ts'
import { readMember } from '#portal/people/people.ts'
import type { Member } from '#portal/people/schema.ts'
import { endSessionsOf } from '#portal/sessions/sessions.ts'
import { faultsOfRole, isOwner, leavesNoOwner } from './rules.ts'
import {
  deleteInvitationsBy,
  deletePerson,
  listMemberRows,
  lockMembers,
  updateRole,
} from './store.ts'
import { type Team, teamOf } from './teams.ts'

/** The members of the caller's team, newest first. */
export function listMembers(ctx: Context, query: ListQuery): Promise<Page<Member>> {
  const { of, within } = teamOf(ctx)
  return listPage('members', query, (range) => listMemberRows(within, of, range))
}

/** Fails with `last_owner`, and with `not_found` for a member of another team. */
export function changeRole(ctx: Context | Tx, person_id: string, role: Role): Promise<Member> {
  return transact(ctx, async (tx) => {
    const team = teamOf(tx)
    const errors = faultsOfRole(role, team.of)
    if (errors.length > 0) throw new ApiError('validation_failed', { errors })
    const before = await lockedRole(team, person_id, role)
    if (before !== role) {
      await updateRole(team.within, person_id, role)
      await endSessionsOf(team.within, person_id)
      if (!isOwner(role)) await deleteInvitationsBy(team.within, person_id)
    }
    return readMember(team.within, person_id)
  })
}

/**
 * Removes the person, with sessions, second factors and open invitations: the address may sign up
 * again. Fails with `last_owner`, and with `not_found` for a member of another team.
 */
export function removeMember(ctx: Context | Tx, person_id: string): Promise<void> {
  return transact(ctx, async (tx) => {
    const team = teamOf(tx)
    await lockedRole(team, person_id)
    await deletePerson(team.within, person_id)
    tx.afterCommit(() => tx.notify(CALLERS))
  })
}

/** The role of a member who may get `role`, or be removed where it is left out. */
async function lockedRole({ of, within }: Team<Tx>, id: string, role?: Role): Promise<Role> {
  const rows = await lockMembers(within, of, id)
  const member = rows.find(({ person_id }) => person_id === id)
  if (!member) throw new ApiError('not_found')
  const owners = rows.filter((row) => isOwner(row.role)).map(({ person_id }) => person_id)
  if (leavesNoOwner(owners, id, role)) throw new ApiError('last_owner')
  return member.role
}
