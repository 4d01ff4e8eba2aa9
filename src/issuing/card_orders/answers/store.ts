/** Files of answers, which belong to no tenant. */

import { type Selectable, sql } from 'kysely'
import { databaseNow } from '#kit/clock.ts'
import type { Context } from '#kit/context.ts'
import { plainArray } from '#kit/db/arrays.ts'
import type { Database } from '#kit/db/tables.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import type { LineFault } from './lines.ts'

type Columns = Selectable<Database['bureau_answers']>
export type AnswerRow = Omit<Columns, 'faults'> & { faults: LineFault[] }

export async function hasAnswer({ db }: Context, digest: string): Promise<boolean> {
  const row = await db
    .selectFrom('bureau_answers')
    .select('id')
    .where('digest', '=', digest)
    .executeTakeFirst()
  return row !== undefined
}

/** Another process may have applied the same file: its row stays. */
export async function insertAnswer(
  { db }: Context,
  { faults, ...row }: Omit<AnswerRow, 'created'>,
): Promise<void> {
  await db
    .insertInto('bureau_answers')
    .values({ ...row, faults: JSON.stringify(faults), created: databaseNow })
    .onConflict((conflict) => conflict.column('digest').doNothing())
    .execute()
}

export async function listAnswerRows({ db }: Context, range: PageRange): Promise<AnswerRow[]> {
  const rows = await selectRange(db.selectFrom('bureau_answers').selectAll(), range).execute()
  // The column has what `insertAnswer` wrote.
  return rows as AnswerRow[]
}

/** The tenants of orders, by the ids that the bureau has of them. */
export async function listTenantsOfRecords(
  { db }: Context,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; tenant_id: string }>`
    select id, tenant_id from card_order_records
    where id = any (${plainArray(ids)}::uuid[])`.execute(db.overAllTenants())
  return new Map(rows.map(({ id, tenant_id }) => [id, tenant_id]))
}
