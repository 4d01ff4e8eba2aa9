/** People and their memberships: reference tables that are read before the tenant is known. */

import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Role } from '#callers/roles.ts'
import { databaseNow } from '#kit/clock.ts'
import type { Context, Tx } from '#kit/context.ts'
import type { Database } from '#kit/db/tables.ts'

export type PersonRow = Selectable<Database['people']>

type NewPerson = Pick<PersonRow, 'id' | 'email' | 'email_shown' | 'password_hash'>

/** False if the address is known. */
export async function insertPerson({ db }: Tx, person: NewPerson): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('people')
    .values({ ...person, created: databaseNow, modified: databaseNow })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

type NewMembership = { id: string; person_id: string; tenant_id: string | null; role: Role }

export async function insertMembership({ db }: Tx, membership: NewMembership): Promise<void> {
  await db
    .insertInto('memberships')
    .values({ ...membership, created: databaseNow, modified: databaseNow })
    .execute()
}

/** A person who may sign in, with the clock of the tenant. */
export type Candidate = {
  person_id: string
  password_hash: string | null
  membership_id: string
  tenant_id: string | null
  has_second_factor: boolean
}

const candidate = sql`
  select p.id as person_id, p.password_hash, m.id as membership_id, m.tenant_id,
    p.totp_last_step is not null
      or exists (select from passkeys k where k.person_id = p.id) as has_second_factor
  from people p join memberships m on m.person_id = p.id`

/** The member of an address; undefined if there is none. */
export async function findCandidate(
  { db }: Context,
  email: string,
): Promise<Candidate | undefined> {
  const { rows } = await sql<Candidate>`${candidate} where p.email = ${email}`.execute(db)
  return rows[0]
}

export async function findCandidateById(
  { db }: Context,
  id: string,
): Promise<Candidate | undefined> {
  const { rows } = await sql<Candidate>`${candidate} where p.id = ${id}`.execute(db)
  return rows[0]
}

/**
 * Whether the person is a member and has the password that was read. That stays so until the
 * transaction ends: a transaction that changes it waits, and then finds the session that begins
 * here. The membership is locked first, as a removal does.
 */
export async function lockCandidate(
  { db }: Tx,
  { person_id, membership_id, password_hash }: Candidate,
): Promise<boolean> {
  const [membership, person] = await Promise.all([
    db
      .selectFrom('memberships')
      .select('id')
      .where('id', '=', membership_id)
      .forUpdate()
      .executeTakeFirst(),
    db
      .selectFrom('people')
      .select('id')
      .where('id', '=', person_id)
      .where('password_hash', 'is not distinct from', password_hash)
      .forUpdate()
      .executeTakeFirst(),
  ])
  return membership !== undefined && person !== undefined
}

export type MemberRow = {
  id: string
  email_shown: string
  role: Role
  created: Date
  has_second_factor: boolean
}

/** The member that a person is. */
export async function findMemberRow({ db }: Context, id: string): Promise<MemberRow | undefined> {
  const { rows } = await sql<MemberRow>`
    select p.id, p.email_shown, m.role, m.created, p.totp_last_step is not null
      or exists (select from passkeys k where k.person_id = p.id) as has_second_factor
    from people p join memberships m on m.person_id = p.id where p.id = ${id}`.execute(db)
  return rows[0]
}
