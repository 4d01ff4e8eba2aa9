/** The SQL of rounds: every statement within one tenant, except that of the due tenants. */

import { type Selectable, sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import type { Database } from '#kit/db/tables.ts'
import { tenantsWith } from '#kit/jobs/due_tenants.ts'
import { dueBy, dueKind } from '#kit/jobs/due_work.ts'

export type RoundRow = Selectable<Database['screening_rounds']>

export const roundsDue = dueKind({ name: 'screening rounds', table: 'screening_rounds' })

export const tenantsWithoutRound = tenantsWith(
  sql`not exists (select from screening_rounds r where r.tenant_id = t.tenant_id)`,
)

export async function insertRound(tx: Tx): Promise<void> {
  const { db, tenant_id, now } = tx
  await dueBy(tx, roundsDue, now)
  await db
    .insertInto('screening_rounds')
    .values({ tenant_id, started: now, due: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Claims the round if it is due; no other process claims it before `until`. */
export function claimDueRound(
  { db, tenant_id, now }: Context,
  until: Date,
): Promise<RoundRow | undefined> {
  return db
    .updateTable('screening_rounds')
    .set({ due: until, attempts: sql`attempts + 1` })
    .where('tenant_id', '=', tenant_id)
    .where('due', '<=', now)
    .returningAll()
    .executeTakeFirst()
}

/** The ids of the next users of a round, in their order. */
export async function listActiveAfter(
  { db, tenant_id }: Context,
  last: string | null,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from users
    where tenant_id = ${tenant_id} and status = 'ACTIVE'
      and id > coalesce(${last}::uuid, '00000000-0000-0000-0000-000000000000')
    order by id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export type RoundChanges = Omit<RoundRow, 'tenant_id'>

export async function updateRound(tx: Tx, changes: RoundChanges): Promise<void> {
  await dueBy(tx, roundsDue, changes.due)
  await tx.db
    .updateTable('screening_rounds')
    .set(changes)
    .where('tenant_id', '=', tx.tenant_id)
    .execute()
}

export async function deleteRound({ db, tenant_id }: Context): Promise<void> {
  await db.deleteFrom('screening_rounds').where('tenant_id', '=', tenant_id).execute()
}
