import { type Selectable, sql } from 'kysely'
import { ofTenant, type Scope } from '#kit/audit.ts'
import type { Context, Tx } from '#kit/context.ts'
import type { Database } from '#kit/db/tables.ts'
import { Write } from '#kit/db/write.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import type { Backlog } from '#kit/jobs/backlogs.ts'
import { dueBy, dueKind, dueWrite } from '#kit/jobs/due_work.ts'
import type { Layout } from './file/layout.ts'
import type { Frozen } from './file/records.ts'
import type { OrderQuery, OrderState } from './schema.ts'

type Columns = Selectable<Database['card_orders']>
export type OrderRow = Omit<Columns, 'layout' | 'state'> & {
  layout: Layout | null
  state: OrderState
}

/** Types the columns that the database has only as text and JSON. */
const asWritten = (row: Columns): OrderRow => row as OrderRow

/** Batches to be handed over, or whose cards are to become ORDERED. */
export const ordersDue = dueKind({ name: 'card orders', table: 'card_orders' })

/** With those that the bureau has while some of their cards are not ORDERED yet. */
export const ordersBacklog: Backlog = {
  queue: 'card_orders',
  rows: (reached) => sql`
    select created as since from card_orders
    where due is not null ${reached('and', 'tenant_id')}
    order by tenant_id, due`,
}

export type NewOrder = Pick<
  OrderRow,
  'id' | 'card_product_id' | 'bureau' | 'file_name' | 'layout' | 'count'
>
export type NewRecord = { id: string; card_id: string; frozen: Frozen }

/** A batch that is due at once, with its records in their order. */
export async function insertOrder(
  tx: Tx,
  order: NewOrder,
  records: readonly NewRecord[],
): Promise<void> {
  const { db, tenant_id, now } = tx
  const layout = order.layout === null ? null : JSON.stringify(order.layout)
  const given = records.map((record, position) => ({ ...record, position }))
  const written = Write.of(
    db,
    db.insertInto('card_orders').values({
      ...order,
      layout,
      tenant_id,
      state: 'PREPARING',
      due: now,
      created: now,
      modified: now,
    }),
    sql`
      insert into card_order_records (tenant_id, card_order_id, id, card_id, position, frozen)
      select anchor.tenant_id, ${order.id}::uuid, given.id, given.card_id, given.position,
        given.frozen
      from tenant_anchors anchor cross join (
        select id, card_id, position, frozen
        from jsonb_populate_recordset(null::card_order_records, ${JSON.stringify(given)}::jsonb)
      ) as given
      where anchor.tenant_id = ${tenant_id}`,
  )
  await Write.all(db, dueWrite(tx, ordersDue, now), written).start()
}

const orderById = ({ db, tenant_id }: Context, id: string) =>
  db.selectFrom('card_orders').selectAll().where('tenant_id', '=', tenant_id).where('id', '=', id)

export async function findOrderRow(ctx: Context, id: string): Promise<OrderRow | undefined> {
  const row = await orderById(ctx, id).executeTakeFirst()
  return row && asWritten(row)
}

export async function lockOrderRow(tx: Tx, id: string): Promise<OrderRow | undefined> {
  const row = await orderById(tx, id).forNoKeyUpdate().executeTakeFirst()
  return row && asWritten(row)
}

export async function listOrderRows(
  { db, tenant_id }: Context,
  { state, card_product_id }: OrderQuery,
  range: PageRange,
): Promise<OrderRow[]> {
  let query = db.selectFrom('card_orders').selectAll().where('tenant_id', '=', tenant_id)
  if (state !== undefined) query = query.where('state', '=', state)
  if (card_product_id !== undefined) query = query.where('card_product_id', '=', card_product_id)
  const rows = await selectRange(query, range).execute()
  return rows.map(asWritten)
}

/**
 * The batch that is due longest, with one attempt more, left to this process until then; skips
 * those that another process has locked. With an id, that batch alone.
 */
export async function claimOrder(
  { db, tenant_id, now }: Context,
  until: Date,
  id?: string,
): Promise<OrderRow | undefined> {
  const one = id === undefined ? sql`` : sql`and id = ${id}`
  const { rows } = await sql<Columns>`
    update card_orders set attempts = attempts + 1, due = ${until}
    where tenant_id = ${tenant_id} and id = (
      select id from card_orders
      where tenant_id = ${tenant_id} and due <= ${now} ${one}
      order by due, id limit 1 for no key update skip locked)
    returning *`.execute(db)
  const [row] = rows
  return row && asWritten(row)
}

export type OrderChange = Partial<
  Pick<OrderRow, 'state' | 'digest' | 'uploaded' | 'due' | 'fault' | 'sent' | 'answered'>
>

/**
 * Changes a batch that is PREPARING, if the attempt is still the last one; false if another process
 * has begun one since.
 */
export async function updateAttempt(
  ctx: Context,
  { id, attempts }: Pick<OrderRow, 'id' | 'attempts'>,
  change: OrderChange,
  state: 'PREPARING' | 'SENT' = 'PREPARING',
): Promise<boolean> {
  const { db, tenant_id, now } = ctx
  const { numUpdatedRows } = await db
    .updateTable('card_orders')
    .set({ ...change, modified: now })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', state)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** The caller has locked the batch, or nothing else changes it. */
export async function updateOrder(ctx: Context, id: string, change: OrderChange): Promise<void> {
  const { db, tenant_id, now } = ctx
  await db
    .updateTable('card_orders')
    .set({ ...change, modified: now })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute()
}

/** Cards that wait are due now; returns how many batches are. */
export async function updateOrdersDue(
  tx: Tx,
  card_product_id: string | undefined,
): Promise<number> {
  const { db, tenant_id, now } = tx
  await dueBy(tx, ordersDue, now)
  let query = db
    .updateTable('card_orders')
    .set({ due: now })
    .where('tenant_id', '=', tenant_id)
    .where('state', '=', 'PREPARING')
  if (card_product_id !== undefined) query = query.where('card_product_id', '=', card_product_id)
  const { numUpdatedRows } = await query.executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** The digest of the records as the batch froze them, together with that of its file. */
export const sealOf = (order: string, of: Scope) => sql<string>`(
  select encode(sha256(convert_to(${sql.ref(`${order}.digest`)} || string_agg(
    s.id::text || s.card_id::text || s.frozen::text, '' order by s.position), 'UTF8')), 'hex')
  from card_order_records s
  where ${of('s')} and s.tenant_id = ${sql.ref(`${order}.tenant_id`)}
    and s.card_order_id = ${sql.ref(`${order}.id`)})`

export async function updateSeal({ db, tenant_id }: Context, id: string): Promise<void> {
  await sql`
    update card_orders o set seal = ${sealOf('o', ofTenant(tenant_id))}
    where o.tenant_id = ${tenant_id} and o.id = ${id}`.execute(db)
}

export type RecordRow = Selectable<Database['card_order_records']>

/** The records from one position to before another. */
export function listRecordRows(
  { db, tenant_id }: Context,
  card_order_id: string,
  from: number,
  to: number,
): Promise<Pick<RecordRow, 'id' | 'card_id' | 'frozen'>[]> {
  return db
    .selectFrom('card_order_records')
    .select(['id', 'card_id', 'frozen'])
    .where('tenant_id', '=', tenant_id)
    .where('card_order_id', '=', card_order_id)
    .where('position', '>=', from)
    .where('position', '<', to)
    .orderBy('position')
    .execute()
}

/** The cards of a batch whose file the bureau has and that are still CREATED; at most so many. */
export async function listCardsToOrder(
  { db, tenant_id }: Tx,
  card_order_id: string,
  most: number,
): Promise<string[]> {
  const { rows } = await sql<{ card_id: string }>`
    select r.card_id from card_order_records r
    join cards c on c.tenant_id = r.tenant_id and c.id = r.card_id
    where r.tenant_id = ${tenant_id} and r.card_order_id = ${card_order_id}
      and c.card_order_id = r.card_order_id
      and c.fulfillment_status = 'CREATED' and c.status <> 'TERMINATED'
    order by r.position limit ${most}`.execute(db)
  return rows.map(({ card_id }) => card_id)
}

export function lockRecord(tx: Tx, id: string): Promise<RecordRow | undefined> {
  return tx.db
    .selectFrom('card_order_records')
    .selectAll()
    .where('tenant_id', '=', tx.tenant_id)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** The record of a card in its present batch. */
export function findRecordOfCard(
  { db, tenant_id }: Context,
  card_id: string,
  card_order_id: string,
): Promise<RecordRow | undefined> {
  return db
    .selectFrom('card_order_records')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('card_id', '=', card_id)
    .where('card_order_id', '=', card_order_id)
    .executeTakeFirst()
}

export async function updateRecord(
  { db, tenant_id }: Tx,
  id: string,
  answer: Pick<RecordRow, 'status' | 'reason' | 'answer_digest' | 'answer_line' | 'answered'>,
): Promise<void> {
  await db
    .updateTable('card_order_records')
    .set(answer)
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute()
}

export type Counts = { records: number; answered: number; rejected: number }

/** How many records batches have, by their ids, and how many of them are answered and rejected. */
export async function countRecords(
  { db, tenant_id }: Context,
  ids: readonly string[],
): Promise<Map<string, Counts>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string } & Counts>`
    select card_order_id as id, count(*)::int as records, count(status)::int as answered,
      (count(*) filter (where status = 'REJECTED'))::int as rejected
    from card_order_records
    where tenant_id = ${tenant_id} and card_order_id = any (${[...ids]}::uuid[])
    group by card_order_id`.execute(db)
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

/** The cards of a batch whose records have a mailer. */
export async function listCardsToMail(
  { db, tenant_id }: Context,
  card_order_id: string,
): Promise<string[]> {
  const { rows } = await sql<{ card_id: string }>`
    select card_id from card_order_records
    where tenant_id = ${tenant_id} and card_order_id = ${card_order_id}
      and (frozen ->> 'mailer')::boolean
    order by card_id`.execute(db)
  return rows.map(({ card_id }) => card_id)
}
