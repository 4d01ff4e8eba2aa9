import type { Selectable } from 'kysely'
import type { BatchTerms } from '#issuing/cards/cards.ts'
import type { Context, Tx } from '#kit/context.ts'
import type { Database } from '#kit/db/tables.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import { dueBy, dueKind } from '#kit/jobs/due_work.ts'
import type { BulkError } from './schema.ts'

type Columns = Selectable<Database['bulk_issuances']>
type Written = { error: BulkError | null; terms: BatchTerms | null }
export type BulkRow = Omit<Columns, keyof Written> & Written

/** Types the columns that the database has only as JSON. */
const asWritten = (row: Columns): BulkRow => row as BulkRow

/** The members of a request that the client sets; `amount` in minor units. */
export type BulkRequest = Pick<
  BulkRow,
  'card_product_id' | 'number_of_cards' | 'amount' | 'currency' | 'name_on_card'
> & { status: 'DRAFT' | 'SUBMITTED' }

/** A submitted request is due at once. */
const dueOf = ({ status }: BulkRequest, now: Date) => (status === 'SUBMITTED' ? now : null)

/** Requests that are to be carried out. */
export const bulkDue = dueKind({ name: 'bulk issuance', table: 'bulk_issuances' })

/** Undefined when the id is taken. */
export async function insertBulk(
  tx: Tx,
  id: string,
  request: BulkRequest,
): Promise<BulkRow | undefined> {
  const { db, tenant_id, now } = tx
  if (dueOf(request, now)) await dueBy(tx, bulkDue, now)
  const row = await db
    .insertInto('bulk_issuances')
    .values({ ...request, tenant_id, id, due: dueOf(request, now), created: now, modified: now })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doNothing())
    .returningAll()
    .executeTakeFirst()
  return row && asWritten(row)
}

export async function updateBulk(tx: Tx, id: string, request: BulkRequest): Promise<BulkRow> {
  const { db, tenant_id, now } = tx
  if (dueOf(request, now)) await dueBy(tx, bulkDue, now)
  const row = await db
    .updateTable('bulk_issuances')
    .set({ ...request, due: dueOf(request, now), modified: now })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return asWritten(row)
}

const bulkById = ({ db, tenant_id }: Context, id: string) =>
  db
    .selectFrom('bulk_issuances')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)

export async function findBulk(ctx: Context, id: string): Promise<BulkRow | undefined> {
  const row = await bulkById(ctx, id).executeTakeFirst()
  return row && asWritten(row)
}

export async function lockBulk(tx: Tx, id: string): Promise<BulkRow | undefined> {
  const row = await bulkById(tx, id).forUpdate().executeTakeFirst()
  return row && asWritten(row)
}

export async function listBulks({ db, tenant_id }: Context, range: PageRange): Promise<BulkRow[]> {
  const all = db.selectFrom('bulk_issuances').selectAll().where('tenant_id', '=', tenant_id)
  const rows = await selectRange(all, range).execute()
  return rows.map(asWritten)
}

/** The request that is due longest, locked; skips those that another process has locked. */
export async function lockDueBulk({ db, tenant_id, now }: Tx): Promise<BulkRow | undefined> {
  const row = await db
    .selectFrom('bulk_issuances')
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

export type Begun = { first_number: bigint; terms: BatchTerms }

export async function updateBulkBegun(
  { db, tenant_id, now }: Tx,
  id: string,
  { first_number, terms }: Begun,
): Promise<void> {
  await db
    .updateTable('bulk_issuances')
    .set({ status: 'PROCESSING', first_number, terms: JSON.stringify(terms), modified: now })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute()
}

/** When the request is worked on next. */
export async function updateBulkDue(tx: Tx, id: string, due: Date): Promise<void> {
  await dueBy(tx, bulkDue, due)
  await tx.db
    .updateTable('bulk_issuances')
    .set({ due })
    .where('tenant_id', '=', tx.tenant_id)
    .where('id', '=', id)
    .where('due', 'is not', null)
    .execute()
}

export async function updateBulkFailed(
  { db, tenant_id, now }: Tx,
  { id, number_of_cards }: BulkRow,
  error: BulkError,
): Promise<void> {
  await db
    .updateTable('bulk_issuances')
    .set({
      status: 'FAILED',
      failed_cards: number_of_cards,
      error: JSON.stringify(error),
      due: null,
      modified: now,
    })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute()
}

/** Counts further cards; the last one completes the request. Throws when the count has changed. */
export async function updateBulkIssued(
  { db, tenant_id, now }: Tx,
  { id, issued_cards, number_of_cards }: BulkRow,
  count: number,
): Promise<void> {
  const issued = issued_cards + count
  const over = issued === number_of_cards
  await db
    .updateTable('bulk_issuances')
    .set({
      issued_cards: issued,
      modified: now,
      ...(over && { status: 'COMPLETED' as const, due: null }),
    })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('issued_cards', '=', issued_cards)
    .returning('id')
    .executeTakeFirstOrThrow()
}
