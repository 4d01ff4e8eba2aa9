import { type Selectable, sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import type { Database } from '#kit/db/tables.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import { dueBy, dueKind } from '#kit/jobs/due_work.ts'
import type { Owner, StoredPlan, Sums } from './rules.ts'
import type { BacktestStatus, Proposal } from './schema.ts'

type Columns = Selectable<Database['backtests']>
type Written = {
  status: BacktestStatus
  owner: Owner | null
  proposal: Proposal
  plan: StoredPlan
  result: Sums
}
export type BacktestRow = Omit<Columns, keyof Written> & Written

/** Types the columns that the database has only as text or JSON. */
const asWritten = (row: Columns) => row as BacktestRow

export type NewRow = Pick<
  BacktestRow,
  'starts' | 'ends' | 'counts_from' | 'owner' | 'owner_id' | 'after_id' | 'expires'
> &
  Pick<Written, 'proposal' | 'plan' | 'result'>

/** The backtests that run, and those that are to be deleted. */
export const backtestsDue = dueKind({ name: 'backtests', table: 'backtests' })

/** Undefined if the id is taken, or the place by another that runs. */
export async function insertBacktest(
  tx: Tx,
  id: string,
  place: number,
  { proposal, plan, result, ...fields }: NewRow,
): Promise<BacktestRow | undefined> {
  const { db, tenant_id, now } = tx
  await dueBy(tx, backtestsDue, now)
  const row = await db
    .insertInto('backtests')
    .values({
      tenant_id,
      id,
      place,
      status: 'RUNNING',
      reached: fields.counts_from,
      due: now,
      ...fields,
      proposal: JSON.stringify(proposal),
      plan: JSON.stringify(plan),
      result: JSON.stringify(result),
      created: now,
      modified: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  return row && asWritten(row)
}

const byId = ({ db, tenant_id }: Context, id: string) =>
  db.selectFrom('backtests').selectAll().where('tenant_id', '=', tenant_id).where('id', '=', id)

export async function findBacktestRow(ctx: Context, id: string): Promise<BacktestRow | undefined> {
  const row = await byId(ctx, id).executeTakeFirst()
  return row && asWritten(row)
}

export async function lockBacktest(tx: Tx, id: string): Promise<BacktestRow | undefined> {
  const row = await byId(tx, id).forUpdate().executeTakeFirst()
  return row && asWritten(row)
}

export async function listBacktestRows(
  { db, tenant_id }: Context,
  range: PageRange,
): Promise<BacktestRow[]> {
  const all = db.selectFrom('backtests').selectAll().where('tenant_id', '=', tenant_id)
  return (await selectRange(all, range).execute()).map(asWritten)
}

/** The one that is due longest, locked; skips those that another process has locked. */
export async function lockDueBacktest({
  db,
  tenant_id,
  now,
}: Tx): Promise<BacktestRow | undefined> {
  const row = await db
    .selectFrom('backtests')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('due', '<=', now)
    .orderBy('due')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row && asWritten(row)
}

export type Changes = Partial<
  Pick<
    BacktestRow,
    | 'status'
    | 'place'
    | 'after_id'
    | 'read'
    | 'reached'
    | 'failures'
    | 'error'
    | 'due'
    | 'completed'
  >
> & { result?: Sums }

export async function updateBacktest(
  tx: Tx,
  id: string,
  { result, ...changes }: Changes,
): Promise<BacktestRow> {
  const { db, tenant_id, now } = tx
  if (changes.due) await dueBy(tx, backtestsDue, changes.due)
  const row = await db
    .updateTable('backtests')
    .set({ ...changes, modified: now })
    .$if(result !== undefined, (query) => query.set({ result: JSON.stringify(result) }))
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return asWritten(row)
}

export async function deleteBacktest({ db, tenant_id }: Tx, id: string): Promise<void> {
  await db.deleteFrom('backtests').where('tenant_id', '=', tenant_id).where('id', '=', id).execute()
}

const tables = {
  cardproducts: { table: 'card_products', only: sql`` },
  cards: { table: 'cards', only: sql`` },
  accounts: { table: 'accounts', only: sql`and kind = 'CARD'` },
  users: { table: 'users', only: sql`` },
} as const

/** Whether the tenant has it. */
export async function hasOwner(
  { db, tenant_id }: Context,
  owner: Owner,
  id: string,
): Promise<boolean> {
  const { table, only } = tables[owner]
  const { rows } = await sql`
    select 1 from ${sql.table(table)}
    where tenant_id = ${tenant_id} and id = ${id} ${only}`.execute(db)
  return rows.length > 0
}

/** The currency and the settings of the product or the card; undefined if there is none. */
export async function findSettings(
  { db, tenant_id }: Context,
  owner: Owner | null,
  id: string | null,
): Promise<{ currency: string } | undefined> {
  if (owner !== 'cardproducts' && owner !== 'cards') return undefined
  const { rows } = await sql<{ currency: string }>`
    select p.currency from card_products p
    where p.tenant_id = ${tenant_id} and ${
      owner === 'cardproducts'
        ? sql`p.id = ${id}`
        : sql`p.id = (select card_product_id from cards
            where tenant_id = ${tenant_id} and id = ${id})`
    }`.execute(db)
  return rows[0]
}

/** The milliseconds by which the tenant's clock is ahead of real time. */
export async function findClockOffset({ db, tenant_id }: Context): Promise<number> {
  const row = await db
    .selectFrom('tenants')
    .select('clock_offset_ms')
    .where('id', '=', tenant_id)
    .executeTakeFirstOrThrow()
  return Number(row.clock_offset_ms)
}
