/**
 * Failed sign-ins of the last minutes: a row for each account and each address (D-574), one each
 * for the registrations (D-886) and the requests for a new password (D-922) of an address, and one
 * each for the invitations of a team and of an address (D-939); and one for each address from which
 * somebody has signed in (D-977). All are of the id that stands for
 * no tenant, so that a cluster has them at one node: to a table of which each node has a copy it
 * lets one transaction write at a time (D-696). Transactions of a member's tenant see them over all
 * tenants.
 */

import { sql } from 'kysely'
import { databaseNow, databaseNowPlus } from '#kit/clock.ts'
import type { Context, Tx } from '#kit/context.ts'
import { bytesArray, instantArray } from '#kit/db/arrays.ts'
import type { Db } from '#kit/db/database.ts'
import { valuesOf } from '#kit/db/portions.ts'
import { NO_TENANT } from '#kit/http/callers/callers.ts'
import { WINDOW_MS } from './rules.ts'

const DAY_MS = 24 * 60 * 60_000
const KNOWN_MS = 30 * DAY_MS

export type FailureRow = { subject: Buffer; failed: Date[]; now: Date }

/** Rows are made before they are locked, in one order, so that two attempts never wait in a ring. */
export async function lockFailures({ db }: Tx, subjects: readonly Buffer[]): Promise<FailureRow[]> {
  const sorted = subjects.toSorted(Buffer.compare)
  const [, { rows }] = await Promise.all([
    sql`
      insert into sign_in_failures (tenant_id, subject, failed, expires)
      ${valuesOf(sorted.map((one) => [NO_TENANT, one, '{}', databaseNowPlus(WINDOW_MS)]))}
      on conflict (tenant_id, subject) do nothing`.execute(db),
    sql<FailureRow>`
      select subject, failed, ${databaseNow} as now from sign_in_failures
      where tenant_id = ${NO_TENANT} and subject = any (${bytesArray(subjects)}::bytea[])
      order by subject for update`.execute(db),
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
    where tenant_id = ${NO_TENANT} and subject = ${subject}`.execute(db)
}

/** Takes one failure of that instant out again. */
export async function deleteFailure(
  { db }: Tx,
  subjects: readonly Buffer[],
  at: Date,
): Promise<void> {
  await sql`
    update sign_in_failures f
    set failed = f.failed[:place - 1] || f.failed[place + 1:]
    from (
      select subject, array_position(failed, ${at}::timestamptz) as place from sign_in_failures
      where tenant_id = ${NO_TENANT} and subject = any (${bytesArray(subjects)}::bytea[])
      order by subject for update
    ) held
    where f.tenant_id = ${NO_TENANT} and f.subject = held.subject and place is not null`.execute(db)
}

/** Written anew only when a day has passed: many may sign in from one address at one time. */
export async function upsertSignedIn({ db }: Tx, subject: Buffer): Promise<void> {
  await Promise.all([
    db
      .deleteFrom('sign_in_failures')
      .where('tenant_id', '=', NO_TENANT)
      .where('subject', '=', subject)
      .where('expires', '<', databaseNowPlus(KNOWN_MS - DAY_MS))
      .execute(),
    sql`
      insert into sign_in_failures (tenant_id, subject, failed, expires)
      values (${NO_TENANT}, ${subject}, '{}', ${databaseNowPlus(KNOWN_MS)})
      on conflict (tenant_id, subject) do nothing`.execute(db),
  ])
}

export async function findFailure({ db }: Context, subject: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('sign_in_failures')
    .select('subject')
    .where('tenant_id', '=', NO_TENANT)
    .where('subject', '=', subject)
    .where('expires', '>', databaseNow)
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteOldFailures(db: Db): Promise<void> {
  await db
    .deleteFrom('sign_in_failures')
    .where('tenant_id', '=', NO_TENANT)
    .where('expires', '<=', databaseNow)
    .execute()
}
