/** Sessions by their rows; their times are the database's (D-350). */

import { type Selectable, sql } from 'kysely'
import { SESSION_SECONDS } from '#callers/cookies.ts'
import { isLiveSession } from '#callers/sessions.ts'
import { databaseNow, databaseNowPlus } from '#kit/clock.ts'
import type { Context, Tx } from '#kit/context.ts'
import type { Db } from '#kit/db/database.ts'
import type { Database } from '#kit/db/tables.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'

export type SessionRow = Selectable<Database['portal_sessions']>

type NewSession = Omit<SessionRow, 'created' | 'last_used' | 'expires'>

export async function insertSession({ db }: Tx, session: NewSession): Promise<void> {
  const expires = databaseNowPlus(SESSION_SECONDS * 1000)
  await db
    .insertInto('portal_sessions')
    .values({ ...session, created: databaseNow, last_used: databaseNow, expires })
    .execute()
}

/** Sessions of a member that have not ended, newest first. */
export function listSessionRows(
  { db }: Context,
  membership_id: string,
  range: PageRange,
): Promise<SessionRow[]> {
  const live = db
    .selectFrom('portal_sessions as s')
    .selectAll()
    .where('membership_id', '=', membership_id)
    .where(isLiveSession)
  return selectRange(live, range).execute()
}

/** False if the member has no such session. */
export async function deleteSession(
  { db }: Tx,
  membership_id: string,
  id: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('portal_sessions')
    .where('membership_id', '=', membership_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function deleteSessionOfToken({ db }: Tx, token_hash: Buffer): Promise<void> {
  await db.deleteFrom('portal_sessions').where('token_hash', '=', token_hash).execute()
}

export async function deleteSessionsOf({ db }: Tx, person_id: string): Promise<void> {
  await sql`
    delete from portal_sessions where membership_id in (
      select id from memberships where person_id = ${person_id})`.execute(db)
}

/** Sessions and one-time tokens that have ended. */
export async function deleteEnded(db: Db): Promise<void> {
  await sql`delete from portal_sessions s where not (${isLiveSession})`.execute(db)
  await db.deleteFrom('portal_tokens').where('expires', '<=', databaseNow).execute()
}
