/** The SQL of identity checks: every statement within one tenant, but the provider's own word. */

import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { tenantNow } from '#kit/clock.ts'
import type { Context, Tx } from '#kit/context.ts'
import type { Db } from '#kit/database.ts'
import type { Database } from '#kit/tables.ts'

export type CheckRow = Selectable<Database['identity_checks']>
type NewCheck = Omit<Insertable<Database['identity_checks']>, 'tenant_id' | 'created' | 'modified'>

/** Statuses of a try that has ended. */
const ENDED = ['COMPLETED', 'SUPERSEDED'] as const

export function insertCheck({ db, tenant_id, now }: Tx, check: NewCheck): Promise<CheckRow> {
  return db
    .insertInto('identity_checks')
    .values({ ...check, tenant_id, created: now, modified: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function saveCheck(
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

/** The try of a user that has not ended. The caller has locked the user. */
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

export async function supersedeOpen({ db, tenant_id, now }: Tx, user_id: string): Promise<void> {
  await db
    .updateTable('identity_checks')
    .set({ status: 'SUPERSEDED', due: null, modified: now })
    .where('tenant_id', '=', tenant_id)
    .where('user_id', '=', user_id)
    .where('status', 'not in', ENDED)
    .execute()
}

/** The applicant that the provider knows the user by, from his last try. */
export async function lastApplicant(
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

/** Takes what is due for a while; nobody else takes it until then. */
export async function claimDue(
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

/** When to try again; a try that has gone on meanwhile is left as it is. */
export async function saveDue(
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
 * A provider knows nothing of tenants, so its check is looked up in all of them. What runs is made
 * due at once by its tenant's clock; answers whether there was such a check.
 */
export async function makeDue(db: Db, provider: string, check_id: string): Promise<boolean> {
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
