/** Passkeys of people, who belong to no tenant. Their time is the database's (D-350). */

import { type Selectable, sql } from 'kysely'
import { databaseNow, databaseNowPlus } from '#kit/clock.ts'
import type { Context, Tx } from '#kit/context.ts'
import type { Database } from '#kit/db/tables.ts'
import { CHALLENGE_MS } from './challenges.ts'

export type PasskeyRow = Selectable<Database['passkeys']>
type NewPasskeyRow = Omit<PasskeyRow, 'created' | 'last_used'>

/** More than a person has devices. */
const PASSKEYS_MAX = 20

export function findPerson(
  { db }: Context,
  id: string,
): Promise<{ id: string; email: string } | undefined> {
  return db
    .selectFrom('people')
    .select(['id', 'email_shown as email'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Oldest first. There are at most PASSKEYS_MAX. */
export function listPasskeyRows({ db }: Context, person_id: string): Promise<PasskeyRow[]> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('person_id', '=', person_id)
    .orderBy('created')
    .orderBy('id')
    .execute()
}

export function findPasskeyRow({ db }: Context, id: string): Promise<PasskeyRow | undefined> {
  return db.selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Undefined if the id exists, or the person has as many as there may be. */
export async function insertPasskey(
  { db }: Tx,
  { id, person_id, public_key, counter, transports, name }: NewPasskeyRow,
): Promise<PasskeyRow | undefined> {
  const { rows } = await sql<PasskeyRow>`
    insert into passkeys (id, person_id, public_key, counter, transports, name, created)
    select ${id}, ${person_id}::uuid, ${public_key}::bytea, ${counter}::bigint,
      ${transports}::text[], ${name}, ${databaseNow}
    where (select count(*) from passkeys where person_id = ${person_id}) < ${PASSKEYS_MAX}
    on conflict (id) do nothing
    returning *`.execute(db)
  return rows[0]
}

/** False if the counter that was read is not the stored one any more. */
export async function updatePasskeyUsed(
  { db }: Tx,
  { id, counter }: Pick<PasskeyRow, 'id' | 'counter'>,
  next: bigint,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ counter: next, last_used: databaseNow })
    .where('id', '=', id)
    .where('counter', '=', counter)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** False if the person has no such passkey. */
export async function deletePasskey({ db }: Tx, person_id: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkeys')
    .where('person_id', '=', person_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/**
 * Uses a challenge up: its row says that it was used, for as long as it would be valid. False if it
 * was used before, in any process.
 */
export async function insertUsedChallenge({ db }: Tx, token_hash: Buffer): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('portal_tokens')
    .values({
      token_hash,
      kind: 'CHALLENGE',
      data: '{}',
      created: databaseNow,
      used: databaseNow,
      expires: databaseNowPlus(CHALLENGE_MS),
    })
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}
