/** Second factors of people, who belong to no tenant. Their time is the database's (D-350). */

import { type Selectable, sql } from 'kysely'
import { databaseNow, databaseNowPlus } from '#kit/clock.ts'
import type { Context, Tx } from '#kit/context.ts'
import { valuesOf } from '#kit/db/portions.ts'
import type { Database } from '#kit/db/tables.ts'

type PersonRow = Selectable<Database['people']>
type TotpRow = Pick<PersonRow, 'email_shown' | 'totp_secret' | 'totp_last_step'> & {
  real: Date
  /** Whether the secret was begun within the last minutes, in this session. */
  is_begun: boolean
}

/** A sign-in with a factor, and a password for a setup, stand for so long (D-1001). */
const PROVEN_MS = 5 * 60_000
/**
 * The first factor of a member who needs one takes no password for so long after the sign-in
 * (D-1001).
 */
const NEW_MS = 10 * 60_000

/** A setup that was begun outside of a session is of any. */
const isBegunIn = (session_id: string | undefined) => sql<boolean>`
  coalesce(totp_begun_in is null or totp_begun_in = ${session_id ?? null}::uuid, false)`

/** The person's secret and last step, with the real time. */
export async function findTotp(
  { db, member }: Context,
  person_id: string,
): Promise<TotpRow | undefined> {
  const isRecent = sql<boolean>`coalesce(totp_begun > ${databaseNowPlus(-PROVEN_MS)}, false)`
  return db
    .selectFrom('people')
    .select(['email_shown', 'totp_secret', 'totp_last_step', databaseNow.as('real')])
    .select(sql<boolean>`${isRecent} and ${isBegunIn(member?.session_id)}`.as('is_begun'))
    .where('id', '=', person_id)
    .executeTakeFirst()
}

/** A secret that is not confirmed has no last step. False if a confirmed one is in use. */
export async function updateTotpSecret(
  { db, member }: Tx,
  person_id: string,
  totp_secret: Buffer,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('people')
    .set({
      totp_secret,
      modified: databaseNow,
      totp_begun: databaseNow,
      totp_begun_in: member?.session_id ?? null,
    })
    .where('id', '=', person_id)
    .where('totp_last_step', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

type Step = { step: bigint; totp_secret: Buffer; is_confirmed: boolean }

/**
 * Uses a step of the secret that was read. False if this or a later one was used, here or in
 * another process, or the secret is another one by now.
 */
export async function updateTotpStep(
  { db }: Tx,
  person_id: string,
  { step, totp_secret, is_confirmed }: Step,
): Promise<boolean> {
  const isUnused = is_confirmed ? sql<boolean>`totp_last_step < ${step}::bigint` : NOT_CONFIRMED
  const { numUpdatedRows } = await db
    .updateTable('people')
    .set({ totp_last_step: step, modified: databaseNow })
    .where('id', '=', person_id)
    .where('totp_secret', '=', totp_secret)
    .where(isUnused)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

const NOT_CONFIRMED = sql<boolean>`totp_last_step is null`

/** False if there was none. */
export async function deleteTotp({ db }: Tx, person_id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('people')
    .set({ totp_secret: null, totp_last_step: null, modified: databaseNow })
    .where('id', '=', person_id)
    .where('totp_last_step', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The codes of before are not valid any more. */
export async function replaceRecoveryCodes(
  { db }: Tx,
  person_id: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await db.deleteFrom('recovery_codes').where('person_id', '=', person_id).execute()
  if (hashes.length === 0) return
  await sql`
    insert into recovery_codes (person_id, code_hash)
    ${valuesOf(hashes.map((hash) => [person_id, hash]))}`.execute(db)
}

/** False if the person has no such code, or it was used. */
export async function updateRecoveryCodeUsed(
  { db }: Tx,
  person_id: string,
  code_hash: Buffer,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recovery_codes')
    .set({ used: databaseNow })
    .where('person_id', '=', person_id)
    .where('code_hash', '=', code_hash)
    .where('used', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

type Factors = { totp: boolean; passkeys: number; recovery_codes: number }

/** Undefined for a person that does not exist. */
export async function findFactors(
  { db }: Context,
  person_id: string,
): Promise<Factors | undefined> {
  const { rows } = await sql<Factors>`
    select totp_last_step is not null as totp,
      (select count(*)::int from passkeys k where k.person_id = p.id) as passkeys,
      (select count(*)::int from recovery_codes c
        where c.person_id = p.id and c.used is null) as recovery_codes
    from people p where p.id = ${person_id}`.execute(db)
  return rows[0]
}

type Credentials = Pick<PersonRow, 'email' | 'password_hash'>

export function findCredentials(
  { db }: Context,
  person_id: string,
): Promise<Credentials | undefined> {
  return db
    .selectFrom('people')
    .select(['email', 'password_hash'])
    .where('id', '=', person_id)
    .executeTakeFirst()
}

type Locked = Pick<PersonRow, 'password_hash'> & { has_second_factor: boolean }

/** The person stays locked, so that of two changes of the factors the second one finds the first. */
export async function lockCredentials({ db }: Tx, person_id: string): Promise<Locked | undefined> {
  const locked = await db
    .selectFrom('people')
    .select(['password_hash', sql<boolean>`totp_last_step is not null`.as('has_totp')])
    .where('id', '=', person_id)
    .forUpdate()
    .executeTakeFirst()
  if (!locked) return undefined
  const { rows } = await sql`
    select from passkeys where person_id = ${person_id} limit 1`.execute(db)
  const { password_hash, has_totp } = locked
  return { password_hash, has_second_factor: has_totp || rows.length > 0 }
}

type OwnSession = { with_factor: boolean; is_proven: boolean; is_new: boolean }

/** How the session began, and when; undefined if it has ended. */
export async function findOwnSession(
  { db }: Tx,
  session_id: string,
): Promise<OwnSession | undefined> {
  const { rows } = await sql<OwnSession>`
    select with_factor, with_factor and created > ${databaseNowPlus(-PROVEN_MS)} as is_proven,
      created > ${databaseNowPlus(-NEW_MS)} as is_new
    from portal_sessions where id = ${session_id}`.execute(db)
  return rows[0]
}

/** Sessions that began with a factor which is removed stand for no password any more. */
export async function updateSessionsUnproven(
  { db }: Tx,
  person_id: string,
  { but }: { but?: string | undefined },
): Promise<void> {
  await sql`
    update portal_sessions set with_factor = false
    where with_factor and id is distinct from ${but ?? null}::uuid
      and membership_id in (select id from memberships where person_id = ${person_id})`.execute(db)
}

/** A secret that no code has confirmed; not one that the session `but` has begun. */
export async function deleteUnconfirmedTotp(
  { db }: Tx,
  person_id: string,
  { but }: { but?: string | undefined } = {},
): Promise<void> {
  await db
    .updateTable('people')
    .set({ totp_secret: null, modified: databaseNow })
    .where('id', '=', person_id)
    .where('totp_secret', 'is not', null)
    .where('totp_last_step', 'is', null)
    .where(
      sql<boolean>`(${but ?? null}::uuid is null or totp_begun_in is distinct from ${but ?? null})`,
    )
    .execute()
}

/** Codes by time with their recovery codes, and passkeys. False if there was none of them. */
export async function deleteFactors({ db }: Tx, person_id: string): Promise<boolean> {
  const totp = await db
    .updateTable('people')
    .set({ totp_secret: null, totp_last_step: null, modified: databaseNow })
    .where('id', '=', person_id)
    .where('totp_last_step', 'is not', null)
    .executeTakeFirst()
  await db.deleteFrom('recovery_codes').where('person_id', '=', person_id).execute()
  const passkeys = await db
    .deleteFrom('passkeys')
    .where('person_id', '=', person_id)
    .executeTakeFirst()
  return totp.numUpdatedRows + passkeys.numDeletedRows > 0n
}
