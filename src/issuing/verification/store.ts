/**
 * The SQL of identity checks: every statement within one tenant, except those by the provider's id.
 */

import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { tenantNow } from '#kit/clock.ts'
import type { Context, Tx } from '#kit/context.ts'
import type { Db } from '#kit/db/database.ts'
import type { Database } from '#kit/db/tables.ts'

export type CheckRow = Selectable<Database['identity_checks']>
type NewCheck = Omit<Insertable<Database['identity_checks']>, 'tenant_id' | 'created' | 'modified'>

/** Statuses of a check that has ended. */
const ENDED = ['COMPLETED', 'SUPERSEDED'] as const

export function insertCheck({ db, tenant_id, now }: Tx, check: NewCheck): Promise<CheckRow> {
  return db
    .insertInto('identity_checks')
    .values({ ...check, tenant_id, created: now, modified: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function updateCheck(
  { db, tenant_id, now }: Tx,
  id: string,
  changes: Updateable<Database['identity_checks']>,
): Promise<CheckRow> {
  return db
    .updateTable('identity_checks')
    .set({ ...changes, modified: now })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The check of a user that has not ended. The caller has locked the user. */
export function lockOpenCheck(
  { db, tenant_id }: Tx,
  user_id: string,
): Promise<CheckRow | undefined> {
  return db
    .selectFrom('identity_checks')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('user_id', '=', user_id)
    .where('status', 'not in', ENDED)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function updateCheckSuperseded(
  { db, tenant_id, now }: Tx,
  user_id: string,
): Promise<void> {
  await db
    .updateTable('identity_checks')
    .set({ status: 'SUPERSEDED', due: null, modified: now })
    .where('tenant_id', '=', tenant_id)
    .where('user_id', '=', user_id)
    .where('status', 'not in', ENDED)
    .execute()
}

/** The provider's applicant of the user, from the last check. */
export async function findLastApplicant(
  { db, tenant_id }: Context,
  user_id: string,
  provider: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('identity_checks')
    .select('applicant_id')
    .where('tenant_id', '=', tenant_id)
    .where('user_id', '=', user_id)
    .where('provider', '=', provider)
    .where('applicant_id', 'is not', null)
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.applicant_id ?? null
}

/** Claims checks that are due; no other process claims them before `until`. */
export async function claimDueChecks(
  { db, tenant_id, now }: Context,
  until: Date,
  limit: number,
): Promise<CheckRow[]> {
  return db
    .updateTable('identity_checks')
    .set({ due: until, attempts: sql`attempts + 1` })
    .where('tenant_id', '=', tenant_id)
    .where('id', 'in', (query) =>
      query
        .selectFrom('identity_checks')
        .select('id')
        .where('tenant_id', '=', tenant_id)
        .where('due', '<=', now)
        .orderBy('due')
        .limit(limit)
        .forNoKeyUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute()
}

/** Sets the next call, unless the status has changed meanwhile. */
export async function updateCheckDue(
  { db, tenant_id }: Context,
  { id, status }: CheckRow,
  due: Date,
): Promise<void> {
  await db
    .updateTable('identity_checks')
    .set({ due })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('status', '=', status)
    .execute()
}

/**
 * A provider does not know tenants, so its check is searched in all of them. A running check
 * becomes due at once on its tenant's clock; returns whether there was one.
 */
export async function updateDueByProvider(
  db: Db,
  provider: string,
  check_id: string,
): Promise<boolean> {
  const { rows } = await sql<{ tenant_id: string; id: string; due: Date }>`
    select c.tenant_id, c.id, ${tenantNow} as due
    from identity_checks c join tenants t on t.id = c.tenant_id
    where c.provider = ${provider} and c.check_id = ${check_id} and c.status = 'RUNNING'
    limit 1`.execute(db)
  const [found] = rows
  if (!found) return false
  await db
    .updateTable('identity_checks')
    .set({ due: found.due })
    .where('tenant_id', '=', found.tenant_id)
    .where('id', '=', found.id)
    .where('status', '=', 'RUNNING')
    .execute()
  return true
}
