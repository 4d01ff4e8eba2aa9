/** The SQL of screenings: every statement within one tenant, except those that find the tenant. */

import { type Selectable, sql } from 'kysely'
import { tenantNow } from '#kit/clock.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import type { Db } from '#kit/db/database.ts'
import { upsertDueTimes } from '#kit/db/due_times.ts'
import type { Database } from '#kit/db/tables.ts'
import { tenantsWith } from '#kit/jobs/due_tenants.ts'
import { dueBy, dueKind } from '#kit/jobs/due_work.ts'
import { isId } from '#lib/id.ts'

export type ScreeningRow = Selectable<Database['screenings']>
type NewScreening = Pick<ScreeningRow, 'id' | 'user_id' | 'purpose'> & {
  due: Date
  attempts?: number
  failure?: string
  provider_case?: string
}

/** Checks that a provider has not answered. */
export const screeningsDue = dueKind({ name: 'screening', table: 'screenings' })

/** Does nothing while an earlier check of the user waits. */
export async function insertScreening(tx: Tx, screening: NewScreening): Promise<void> {
  const { db, tenant_id, now } = tx
  await dueBy(tx, screeningsDue, screening.due)
  await db
    .insertInto('screenings')
    .values({ ...screening, tenant_id, status: 'WAITING', created: now, modified: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** When the provider is asked again, and why it has not answered; null if it answered PENDING. */
export type Postponed = { due: Date; attempts: number; failure: string | null }

export function updateScreeningDue(ctx: Context, id: string, next: Postponed): Promise<void> {
  return transact(ctx, async (tx) => {
    await dueBy(tx, screeningsDue, next.due)
    await tx.db
      .updateTable('screenings')
      .set({ ...next, modified: tx.now })
      .where('tenant_id', '=', tx.tenant_id)
      .where('id', '=', id)
      .where('status', '=', 'WAITING')
      .execute()
  })
}

/** Whether a check of the user waits for an answer. */
export async function hasWaiting({ db, tenant_id }: Context, user_id: string): Promise<boolean> {
  const row = await db
    .selectFrom('screenings')
    .select('id')
    .where('tenant_id', '=', tenant_id)
    .where('user_id', '=', user_id)
    .where('status', '=', 'WAITING')
    .executeTakeFirst()
  return row !== undefined
}

/** The provider's own id of the case. */
export function updateScreeningCase(
  ctx: Context,
  id: string,
  provider_case: string,
): Promise<void> {
  return transact(ctx, async ({ db, tenant_id }) => {
    await db
      .updateTable('screenings')
      .set({ provider_case })
      .where('tenant_id', '=', tenant_id)
      .where('id', '=', id)
      .execute()
  })
}

/** False when it has ended already. */
export async function updateScreeningDone(
  { db, tenant_id, now }: Tx,
  id: string,
): Promise<boolean> {
  const rows = await db
    .updateTable('screenings')
    .set({ status: 'DONE', due: null, failure: null, modified: now })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('status', '=', 'WAITING')
    .returning('id')
    .execute()
  return rows.length > 0
}

/** The last check of each of these users. */
export function listLastScreenings(
  { db, tenant_id }: Context,
  user_ids: readonly string[],
): Promise<ScreeningRow[]> {
  if (user_ids.length === 0) return Promise.resolve([])
  return db
    .selectFrom('screenings')
    .selectAll()
    .distinctOn('user_id')
    .where('tenant_id', '=', tenant_id)
    .where('user_id', 'in', user_ids)
    .orderBy('user_id')
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/**
 * A business that awaits its review, and was not checked since it or one of its people changed. Its
 * row is `u`; `tenant_id` is that of the rows.
 */
const unchecked = (tenant_id: ReturnType<typeof sql>) => sql`
  u.tenant_id = ${tenant_id} and u.status = 'PENDINGKYB' and u.user_type = 'BUSINESS'
  and not exists (select from screenings s
    where s.tenant_id = ${tenant_id} and s.user_id = u.id
      and (s.status = 'WAITING' or (s.created >= u.modified and not exists (
        select from users m where m.tenant_id = ${tenant_id} and m.parent_user_id = u.id
          and m.list_place is not null and m.modified > s.created))))`

export const tenantsWithUnchecked = tenantsWith(
  sql`exists (select from users u where ${unchecked(sql`t.tenant_id`)})`,
)

export async function listUnchecked({ db, tenant_id }: Context, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select u.id from users u where ${unchecked(sql`${tenant_id}::uuid`)}
    order by u.created, u.id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * A provider does not know tenants, so what it names is searched in all of them. Waiting checks
 * with this reference become due at once on the clocks of their tenants, which are returned.
 */
export async function updateDueByReference(db: Db, reference: string): Promise<string[]> {
  if (!isId(reference)) return []
  const { rows } = await sql<{ tenant_id: string; kind: string; due: Date }>`
    select s.tenant_id, ${screeningsDue.name}::text as kind, ${tenantNow} as due
    from screenings s join tenants t on t.id = s.tenant_id
    where s.id = ${reference} and s.status = 'WAITING'
    union all
    select k.tenant_id, 'kyc provider', ${tenantNow} as due
    from kyc_requests k join tenants t on t.id = k.tenant_id
    where k.id = ${reference} and k.status = 'SUBMITTED' and k.due is not null`.execute(
    db.overAllTenants(),
  )
  for (const { tenant_id, kind, due } of rows) {
    const table = kind === screeningsDue.name ? 'screenings' : 'kyc_requests'
    await db.forTenant(tenant_id).runTransaction(async (own) => {
      await upsertDueTimes(own, { tenant_id, times: new Map([[kind, due]]) }).start()
      await own
        .updateTable(table)
        .set({ due })
        .where('tenant_id', '=', tenant_id)
        .where('id', '=', reference)
        .where('due', 'is not', null)
        .execute()
    })
  }
  return rows.map(({ tenant_id }) => tenant_id)
}
