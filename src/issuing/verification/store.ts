/**
 * The SQL of identity checks: every statement within one tenant, except those by the provider's id.
 */

import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { tenantNow } from '#kit/clock.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import type { Db } from '#kit/db/database.ts'
import { upsertDueTimes } from '#kit/db/due_times.ts'
import type { Database } from '#kit/db/tables.ts'
import { dueBy, dueKind } from '#kit/jobs/due_work.ts'

export type CheckRow = Selectable<Database['identity_checks']>
type NewCheck = Omit<Insertable<Database['identity_checks']>, 'tenant_id' | 'created' | 'modified'>

/** Statuses of a check that has ended. */
const ENDED = ['COMPLETED', 'SUPERSEDED'] as const

/** The calls of the provider that are to be made. */
export const checksDue = dueKind({ name: 'identity provider', table: 'identity_checks' })

export async function insertCheck(tx: Tx, check: NewCheck): Promise<CheckRow> {
  const { db, tenant_id, now } = tx
  if (check.due) await dueBy(tx, checksDue, new Date(check.due))
  return db
    .insertInto('identity_checks')
    .values({ ...check, tenant_id, created: now, modified: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function updateCheck(
  tx: Tx,
  id: string,
  changes: Updateable<Database['identity_checks']>,
): Promise<CheckRow> {
  const { db, tenant_id, now } = tx
  if (changes.due) await dueBy(tx, checksDue, new Date(changes.due))
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

/**
 * Sets the next call, unless the status has changed meanwhile. `attempts` are those since the
 * provider last answered.
 */
export function updateCheckDue(
  ctx: Context,
  { id, status, attempts }: Pick<CheckRow, 'id' | 'status' | 'attempts'>,
  due: Date,
): Promise<void> {
  return transact(ctx, async (tx) => {
    await dueBy(tx, checksDue, due)
    await tx.db
      .updateTable('identity_checks')
      .set({ due, attempts })
      .where('tenant_id', '=', tx.tenant_id)
      .where('id', '=', id)
      .where('status', '=', status)
      .execute()
  })
}

/**
 * A provider does not know tenants, so its check is searched in all of them. A running check
 * becomes due at once on its tenant's clock; returns the tenant if there was one.
 */
export async function updateDueByProvider(
  db: Db,
  provider: string,
  check_id: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ tenant_id: string; id: string; due: Date }>`
    select c.tenant_id, c.id, ${tenantNow} as due
    from identity_checks c join tenants t on t.id = c.tenant_id
    where c.provider = ${provider} and c.check_id = ${check_id} and c.status = 'RUNNING'
    limit 1`.execute(db.overAllTenants())
  const [found] = rows
  if (!found) return undefined
  const { tenant_id, id, due } = found
  await db.forTenant(tenant_id).runTransaction(async (own) => {
    await upsertDueTimes(own, { tenant_id, times: new Map([[checksDue.name, due]]) }).start()
    await own
      .updateTable('identity_checks')
      .set({ due })
      .where('tenant_id', '=', tenant_id)
      .where('id', '=', id)
      .where('status', '=', 'RUNNING')
      .execute()
  })
  return tenant_id
}
