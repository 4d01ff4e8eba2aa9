/** Failed sign-ins of the last minutes: a row for each account and each address (D-574). */

import { sql } from 'kysely'
import { databaseNow, databaseNowPlus } from '#kit/clock.ts'
import type { Context, Tx } from '#kit/context.ts'
import { bytesArray, instantArray } from '#kit/db/arrays.ts'
import type { Db } from '#kit/db/database.ts'
import { valuesOf } from '#kit/db/portions.ts'
import { WINDOW_MS } from './rules.ts'

export type FailureRow = { subject: Buffer; failed: Date[]; now: Date }

/** Rows are made before they are locked, in one order, so that two attempts never wait in a ring. */
export async function lockFailures({ db }: Tx, subjects: readonly Buffer[]): Promise<FailureRow[]> {
  const sorted = subjects.toSorted(Buffer.compare)
  const [, { rows }] = await Promise.all([
    sql`
      insert into sign_in_failures (subject, failed, expires)
      ${valuesOf(sorted.map((subject) => [subject, '{}', databaseNowPlus(WINDOW_MS)]))}
      on conflict (subject) do nothing`.execute(db),
    sql<FailureRow>`
      select subject, failed, ${databaseNow} as now from sign_in_failures
      where subject = any (${bytesArray(subjects)}::bytea[]) order by subject for update`.execute(
      db,
    ),
  ])
  return rows
}

export async function updateFailures(
  { db }: Tx,
  subject: Buffer,
  failed: readonly Date[],
): Promise<void> {
  await sql`
    update sign_in_failures
    set failed = ${instantArray(failed)}::timestamptz[], expires = ${databaseNowPlus(WINDOW_MS)}
    where subject = ${subject}`.execute(db)
}

/** Takes one failure of that instant out again. */
export async function deleteFailure(
  { db }: Context,
  subjects: readonly Buffer[],
  at: Date,
): Promise<void> {
  await sql`
    update sign_in_failures f
    set failed = f.failed[:place - 1] || f.failed[place + 1:]
    from (
      select subject, array_position(failed, ${at}::timestamptz) as place from sign_in_failures
      where subject = any (${bytesArray(subjects)}::bytea[]) order by subject for update
    ) held
    where f.subject = held.subject and place is not null`.execute(db)
}

export async function deleteOldFailures(db: Db): Promise<void> {
  await db.deleteFrom('sign_in_failures').where('expires', '<=', databaseNow).execute()
}
