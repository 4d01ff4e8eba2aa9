/** Members of a team (D-139). A change of role and a removal end the sessions of the member. */

import { type Role, roleLacks } from '#callers/roles.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { CALLERS } from '#kit/http/callers/caller_cache.ts'
import { listPage } from '#kit/http/lists.ts'
import type { ListQuery } from '#kit/http/schema.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError } from '#lib/result.ts'
import { type KeysOfMember, settleKeys } from '#portal/keys/keys.ts'
import type { Outbox } from '#portal/mails/mails.ts'
import { overAllTenants } from '#portal/over_all_tenants.ts'
import { memberOf, readMember } from '#portal/people/people.ts'
import type { Member } from '#portal/people/schema.ts'
import {
  assertProven,
  mailFactors,
  type Proof,
  removeFactors,
} from '#portal/second_factors/second_factors.ts'
import { endSessionsOf } from '#portal/sessions/sessions.ts'
import { faultsOfRole, isOwner, leavesNoOwner } from './rules.ts'
import type { Removal, RoleChange } from './schema.ts'
import {
  deleteInvitationsBy,
  deletePerson,
  findTeam,
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

/**
 * Answers which keys of the member were revoked, and which still work (D-1002). Fails with
 * `last_owner`, and with `not_found` for a member of another team.
 */
export function changeRole(
  ctx: Context | Tx,
  person_id: string,
  { role, revoke_keys }: RoleChange,
): Promise<Member & KeysOfMember> {
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
    const keys = await keysAfter(team, person_id, { role, revoke_keys })
    return { ...(await readMember(team.within, person_id)), ...keys }
  })
}

/** A member of the caller's team, whom no other request changes until the transaction ends. */
export async function lockMember(tx: Tx, person_id: string): Promise<Member> {
  const { of, within } = teamOf(tx)
  const rows = await lockMembers(within, of, person_id)
  if (!rows.some((row) => row.person_id === person_id)) throw new ApiError('not_found')
  return readMember(within, person_id)
}

/**
 * Removes the person, with sessions, second factors and open invitations: the address may sign up
 * again. Answers which keys of the person were revoked, and which still work (D-1002). Fails with
 * `last_owner`, and with `not_found` for a member of another team.
 */
export function removeMember(
  ctx: Context | Tx,
  person_id: string,
  { revoke_keys }: Removal = {},
): Promise<KeysOfMember> {
  return transact(ctx, async (tx) => {
    const team = teamOf(tx)
    await lockedRole(team, person_id)
    const keys = await keysAfter(team, person_id, { revoke_keys: revoke_keys ?? true })
    await deletePerson(team.within, person_id)
    tx.afterCommit(() => tx.notify(CALLERS))
    return keys
  })
}

type After = { role?: Role; revoke_keys: boolean | undefined }

/** The operator's team makes keys of tenants as the operator: they are not those of a person. */
function keysAfter(
  { of, within }: Team<Tx>,
  person_id: string,
  { role, revoke_keys }: After,
): Promise<KeysOfMember> | KeysOfMember {
  if (of === null) return { revoked_keys: [], kept_keys: [] }
  return settleKeys(within, { tenant_id: of, person_id, role, revoke_keys })
}

/**
 * Removes every second factor of another member, who is mailed, and ends the sessions. For oneself
 * it takes the same proof as the removal of one. Fails with `not_found` for a member of another
 * team.
 */
export function resetFactors(
  ctx: Context | Tx,
  person_id: string,
  { proof, outbox }: { proof: Proof; outbox: Outbox },
): Promise<void> {
  return transact(ctx, async (tx) => {
    const { of, within } = teamOf(tx)
    if (person_id === memberOf(tx).id) await assertProven(within, proof)
    const rows = await lockMembers(within, of, person_id)
    if (!rows.some((row) => row.person_id === person_id)) throw new ApiError('not_found')
    assertStillOwner(within, rows)
    await dropFactors(within, person_id, { outbox, change: 'RESET_BY_OWNER' })
  })
}

/**
 * The same by the operator, for the only owner of a team: every other member has an owner who can.
 * Fails with `not_sole_owner`, and with `permission_missing` for oneself.
 */
export function resetFactorsAsOperator(
  ctx: Context | Tx,
  person_id: string,
  outbox: Outbox,
): Promise<void> {
  return transact(ctx, async (given) => {
    if (given.member?.id === person_id) throw roleLacks(given.member.role)
    const tx = overAllTenants(given)
    const of = await findTeam(tx, person_id)
    if (of === undefined) throw new ApiError('not_found')
    const rows = await lockMembers(tx, of, person_id)
    const owners = rows.filter(({ role }) => isOwner(role))
    const isSole = owners.length === 1 && owners[0]?.person_id === person_id
    if (!isSole) throw new ApiError('not_sole_owner')
    if (of !== null) tx.audited?.within(of, tx.now)
    await dropFactors(tx, person_id, { outbox, change: 'RESET_BY_OPERATOR' })
  })
}

type Drop = { outbox: Outbox; change: 'RESET_BY_OWNER' | 'RESET_BY_OPERATOR' }

/** A session that an intruder began with a factor ends with it. */
async function dropFactors(tx: Tx, person_id: string, { outbox, change }: Drop): Promise<void> {
  const hadFactors = await removeFactors(tx, person_id)
  if (!hadFactors) return
  await endSessionsOf(tx, person_id)
  await mailFactors(tx, outbox, person_id, change)
}

/** The role of a member who may get `role`, or be removed if it is left out. */
async function lockedRole({ of, within }: Team<Tx>, id: string, role?: Role): Promise<Role> {
  const rows = await lockMembers(within, of, id)
  const member = rows.find(({ person_id }) => person_id === id)
  if (!member) throw new ApiError('not_found')
  const owners = rows.filter((row) => isOwner(row.role)).map(({ person_id }) => person_id)
  if (leavesNoOwner(owners, id, role)) throw new ApiError('last_owner')
  assertStillOwner(within, rows)
  return member.role
}

/**
 * The caller was an owner when the request came, and may have been demoted or removed since, also
 * at another process (D-991). `rows` are locked, and have every owner.
 */
function assertStillOwner(tx: Tx, rows: readonly { person_id: string; role: Role }[]): void {
  const { id, role } = memberOf(tx)
  if (!rows.some((row) => row.person_id === id && isOwner(row.role))) throw roleLacks(role)
}
