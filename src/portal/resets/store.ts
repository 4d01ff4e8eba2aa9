/** Passwords that are to be replaced. Their times are the database's (D-350). */

import { sql } from 'kysely'
import { databaseNow, databaseNowPlus } from '#kit/clock.ts'
import type { Context, Tx } from '#kit/context.ts'

type NewReset = { token_hash: Buffer; data: object; valid_ms: number; is_needed: boolean }

/** The same statement if it is not needed, without a row (D-141). */
export async function insertReset({ db }: Tx, reset: NewReset): Promise<void> {
  const { token_hash, data, valid_ms, is_needed } = reset
  await sql`
    insert into portal_tokens (token_hash, kind, data, created, expires)
    select ${token_hash}::bytea, 'RESET', ${JSON.stringify(data)}::jsonb, ${databaseNow},
      ${databaseNowPlus(valid_ms)}
    where ${is_needed}::boolean`.execute(db)
}

/** The data of a link that is valid; it is not used by this. */
export async function findReset({ db }: Context, token_hash: Buffer): Promise<unknown> {
  const row = await db
    .selectFrom('portal_tokens')
    .select('data')
    .where('token_hash', '=', token_hash)
    .where('kind', '=', 'RESET')
    .where('used', 'is', null)
    .where('expires', '>', databaseNow)
    .executeTakeFirst()
  return row?.data
}

/** False if it was used before, in any process, or has ended. */
export async function updateResetUsed({ db }: Tx, token_hash: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('portal_tokens')
    .set({ used: databaseNow })
    .where('token_hash', '=', token_hash)
    .where('kind', '=', 'RESET')
    .where('used', 'is', null)
    .where('expires', '>', databaseNow)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export type Person = {
  id: string
  email: string
  password_hash: string | null
  tenant_id: string | null
  /** Name of the tenant; null for the operator's team. */
  organization: string | null
}

export async function findPersonOf(
  { db }: Context,
  by: { email: string } | { id: string },
): Promise<Person | undefined> {
  const isPerson = 'id' in by ? sql`p.id = ${by.id}::uuid` : sql`p.email = ${by.email}`
  const { rows } = await sql<Person>`
    select p.id, p.email, p.password_hash, m.tenant_id, t.name as organization
    from people p join memberships m on m.person_id = p.id
    left join tenants t on t.id = m.tenant_id
    where ${isPerson}`.execute(db)
  return rows[0]
}

/** False if the password is not the one that was read any more. */
export async function updatePassword(
  { db }: Tx,
  id: string,
  { before, password_hash }: { before: string | null; password_hash: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('people')
    .set({ password_hash, modified: databaseNow })
    .where('id', '=', id)
    .where('password_hash', 'is not distinct from', before)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
