/** Members and invitations of one team: that of a tenant, or the operator's (null). */

import { type Selectable, sql } from 'kysely'
import type { Role } from '#callers/roles.ts'
import { databaseNow, databaseNowPlus } from '#kit/clock.ts'
import type { Context, Tx } from '#kit/context.ts'
import type { Database } from '#kit/db/tables.ts'
import { isInRange, type PageRange, selectRange } from '#kit/http/lists.ts'
import { TERMS } from '#portal/mails/rules.ts'
import type { Member } from '#portal/people/schema.ts'

export type InvitationRow = Selectable<Database['invitations']>

/** How long a link is valid (D-139). */
export const INVITED_MS = TERMS.invitation_days * 24 * 60 * 60_000

/** The tenant; null for the operator's team. */
type Team = string | null
const isOf = (team: Team) => sql<boolean>`tenant_id is not distinct from ${team}::uuid`

/** Newest first. The id of a member is that of the person, who has one membership. */
export async function listMemberRows(
  { db }: Context,
  team: Team,
  range: PageRange,
): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select p.id, p.email_shown as email, m.role, m.created,
      p.totp_last_step is not null
        or exists (select from passkeys k where k.person_id = p.id) as second_factor
    from memberships m join people p on p.id = m.person_id
    where m.${isOf(team)} and ${isInRange(range, { by: 'm.created', id: 'p.id' })}
    order by m.created desc, p.id desc limit ${range.limit}`.execute(db)
  return rows
}

/**
 * The tenant of a member, or null for the operator's team; undefined for a person who is no member.
 */
export async function findTeam({ db }: Tx, person_id: string): Promise<Team | undefined> {
  const row = await db
    .selectFrom('memberships')
    .select('tenant_id')
    .where('person_id', '=', person_id)
    .executeTakeFirst()
  return row?.tenant_id
}

type MembershipRow = { person_id: string; role: Role }

/**
 * The member and the owners of the team. They stay locked in one order, so that of two requests
 * that would each leave one owner the second one finds what the first has left.
 */
export async function lockMembers(
  { db }: Tx,
  team: Team,
  person_id: string,
): Promise<MembershipRow[]> {
  const { rows } = await sql<MembershipRow>`
    select person_id, role from memberships
    where ${isOf(team)} and (role in ('owner', 'operator_owner') or person_id = ${person_id})
    order by id for update`.execute(db)
  return rows
}

export async function updateRole({ db }: Tx, person_id: string, role: Role): Promise<void> {
  await db
    .updateTable('memberships')
    .set({ role, modified: databaseNow })
    .where('person_id', '=', person_id)
    .execute()
}

/** The person with the membership, the sessions, the second factors and the open invitations. */
export async function deletePerson({ db }: Tx, id: string): Promise<void> {
  await db.deleteFrom('people').where('id', '=', id).execute()
}

/** The team of an address, seen over all: null for the operator's, undefined if it has none. */
export async function findTeamOfEmail({ db }: Tx, email: string): Promise<Team | undefined> {
  const { rows } = await sql<{ tenant_id: Team }>`
    select m.tenant_id from people p join memberships m on m.person_id = p.id
    where p.email = ${email}`.execute(db)
  return rows[0]?.tenant_id
}

const isOpen = sql<boolean>`accepted is null and expires > ${databaseNow}`

export function listInvitationRows(
  { db }: Context,
  team: Team,
  range: PageRange,
): Promise<InvitationRow[]> {
  const open = db.selectFrom('invitations').selectAll().where(isOf(team)).where(isOpen)
  return selectRange(open, range).execute()
}

/** How many the team has open. */
export async function countInvitations({ db }: Tx, team: Team): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from invitations
    where ${isOf(team)} and ${isOpen}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Deletes invitations to the address that were not accepted, and all that have ended. */
export async function deleteOldInvitations({ db }: Tx, team: Team, email: string): Promise<void> {
  await sql`
    delete from invitations
    where ${isOf(team)} and (email = ${email} and accepted is null or not (${isOpen}))`.execute(db)
}

type NewInvitation = Pick<
  InvitationRow,
  'id' | 'tenant_id' | 'email' | 'role' | 'token_hash' | 'invited_by'
>

export function insertInvitation({ db }: Tx, invitation: NewInvitation): Promise<InvitationRow> {
  return db
    .insertInto('invitations')
    .values({ ...invitation, created: databaseNow, expires: databaseNowPlus(INVITED_MS) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** False if the team has no such open invitation. */
export async function deleteInvitation({ db }: Tx, team: Team, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('invitations')
    .where('id', '=', id)
    .where(isOf(team))
    .where(isOpen)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Deletes invitations that a person has sent and that were not accepted. */
export async function deleteInvitationsBy({ db }: Tx, person_id: string): Promise<void> {
  await db
    .deleteFrom('invitations')
    .where('invited_by', '=', person_id)
    .where('accepted', 'is', null)
    .execute()
}

export type OpenInvitation = Pick<InvitationRow, 'id' | 'tenant_id' | 'email'> & {
  role: Role
  /** The name of the tenant; null for the operator's team. */
  organization: string | null
}

/** The open invitation of a link. */
export async function findInvitation(
  { db }: Context,
  token_hash: Buffer,
): Promise<OpenInvitation | undefined> {
  const { rows } = await sql<OpenInvitation>`
    select i.id, i.tenant_id, i.email, i.role, t.name as organization
    from invitations i left join tenants t on t.id = i.tenant_id
    where i.token_hash = ${token_hash} and ${isOpen}`.execute(db)
  return rows[0]
}

/** False if it was accepted before, in any process, or is not open any more. */
export async function updateInvitationAccepted({ db }: Tx, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('invitations')
    .set({ accepted: databaseNow })
    .where('id', '=', id)
    .where(isOpen)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The name of the organization that invites. */
export async function findOrganization({ db }: Tx, team: Team): Promise<string | undefined> {
  if (team === null) return undefined
  const row = await db
    .selectFrom('tenants')
    .select('name')
    .where('id', '=', team)
    .executeTakeFirst()
  return row?.name
}
