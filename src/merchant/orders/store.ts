/** Orders and their operations. A change of either requires the lock of the order's row. */

import { type Selectable, sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import type { Database } from '#kit/db/tables.ts'
import { Write } from '#kit/db/write.ts'
import type { Backlog } from '#kit/jobs/backlogs.ts'
import { dueBy, dueKind, dueWrite } from '#kit/jobs/due_work.ts'
import { dueKindOfIssuer, type IssuerName, isOfIssuer } from '#merchant/acquirer/acquirer.ts'

export type OrderRow = Selectable<Database['orders']>
export type OperationRow = Selectable<Database['order_operations']>

/** Reminders and deadlines of orders. */
export const ordersDue = dueKind({ name: 'order deadlines', table: 'orders' })
/** Operations that were left, or whose outcome is not known. */
export const operationsDueOf = dueKindOfIssuer('order operations', 'order_operations')
export const operationBacklog: Backlog = {
  queue: 'order_operations',
  rows: (reached) => sql`
    select created as since from order_operations
    where due is not null${reached('and', 'tenant_id')} order by tenant_id, due`,
}
/** Operations that are to be paid out (merchant/payouts). */
export const payoutsDue = dueKind({
  name: 'payouts',
  table: 'order_operations',
  due: 'payable',
})

export function insertOrder(tx: Tx, row: OrderRow): Write {
  const inserted = tx.db
    .insertInto('orders')
    .values({ ...row, details: JSON.stringify(row.details) })
  return Write.all(tx.db, dueWrite(tx, ordersDue, row.due), Write.of(tx.db, inserted))
}

/** An order with the name of its merchant that customers see. */
export type NamedOrder = OrderRow & { merchant_name: string }

export function findOrder(
  { db, tenant_id }: Context,
  merchant_id: string,
  reference: string,
): Promise<NamedOrder | undefined> {
  return namedOrders({ db })
    .where('tenant_id', '=', tenant_id)
    .where('merchant_id', '=', merchant_id)
    .where('reference', '=', reference)
    .executeTakeFirst()
}

export const namedOrders = ({ db }: Pick<Context, 'db'>) =>
  db
    .selectFrom('orders')
    .selectAll()
    .select(
      sql<string>`(select display_name from merchants m where m.id = merchant_id)`.as(
        'merchant_name',
      ),
    )

export function lockOrder(tx: Tx, id: string): Promise<OrderRow | undefined> {
  return tx.db
    .selectFrom('orders')
    .selectAll()
    .where('tenant_id', '=', tx.tenant_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

type OrderChanges = Partial<
  Pick<
    OrderRow,
    | 'status'
    | 'captured'
    | 'total_captured'
    | 'refunded'
    | 'total_refund'
    | 'released'
    | 'reminders'
    | 'due'
  >
>

const SHOWN = ['status', 'total_captured', 'total_refund', 'released'] as const

/** `modified` changes with the columns that the shop can see. */
export function updateOrder(tx: Tx, id: string, changes: OrderChanges): Write {
  const isVisible = SHOWN.some((name) => name in changes)
  const updated = tx.db
    .updateTable('orders')
    .set({ ...changes, ...(isVisible && { modified: tx.now }) })
    .where('tenant_id', '=', tx.tenant_id)
    .where('id', '=', id)
  return Write.all(tx.db, dueWrite(tx, ordersDue, changes.due), Write.of(tx.db, updated))
}

/** Orders whose reminder or deadline is due, locked. */
export function lockDueOrders(tx: Tx, limit: number): Promise<OrderRow[]> {
  return tx.db
    .selectFrom('orders')
    .selectAll()
    .where('tenant_id', '=', tx.tenant_id)
    .where('due', '<=', tx.now)
    .orderBy('due')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
}

export function insertOperation(tx: Tx, row: OperationRow): Write {
  const due = dueWrite(tx, operationsDueOf(row.issuer), row.due)
  return Write.all(tx.db, due, Write.of(tx.db, tx.db.insertInto('order_operations').values(row)))
}

export function findOperation(ctx: Context, id: string): Promise<OperationRow | undefined> {
  return ctx.db
    .selectFrom('order_operations')
    .selectAll()
    .where('tenant_id', '=', ctx.tenant_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The operation that is under way on an order; there is one at most. */
export function findPendingOperation(
  ctx: Context,
  order_id: string,
): Promise<OperationRow | undefined> {
  return ctx.db
    .selectFrom('order_operations')
    .selectAll()
    .where('tenant_id', '=', ctx.tenant_id)
    .where('order_id', '=', order_id)
    .where('status', '=', 'PENDING')
    .executeTakeFirst()
}

/** The amount that chargebacks of an order have taken and not given back; minor units. */
export async function findChargedBack({ db, tenant_id }: Tx, order_id: string): Promise<bigint> {
  const { rows } = await sql<{ taken: bigint }>`
    select coalesce(sum(case when status in ('WON', 'WITHDRAWN') then kept else amount end),
      0)::bigint as taken
    from chargebacks where tenant_id = ${tenant_id} and order_id = ${order_id}`.execute(db)
  return rows[0]?.taken ?? 0n
}

/** The newest operation with an idempotency key. */
export function findOperationByKey(ctx: Context, key: string): Promise<OperationRow | undefined> {
  return ctx.db
    .selectFrom('order_operations')
    .selectAll()
    .where('tenant_id', '=', ctx.tenant_id)
    .where('idempotency_key', '=', key)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** One that succeeded is booked, and is payable from `payable`. */
export function updateOperationFinished(
  tx: Tx,
  id: string,
  finished: { status: 'FAILURE' } | { status: 'SUCCESS'; payable: Date },
): Write {
  const booked = 'payable' in finished && { booked: tx.now }
  const updated = tx.db
    .updateTable('order_operations')
    .set({ ...finished, ...booked, in_doubt: false, due: null, modified: tx.now })
    .where('tenant_id', '=', tx.tenant_id)
    .where('id', '=', id)
  const payable = 'payable' in finished ? finished.payable : null
  return Write.all(tx.db, dueWrite(tx, payoutsDue, payable), Write.of(tx.db, updated))
}

/** It was sent and its outcome is not known. `due` null: the reversal of its message decides. */
export async function updateOperationInDoubt(
  tx: Tx,
  { id, issuer }: Pick<OperationRow, 'id' | 'issuer'>,
  due: Date | null,
): Promise<void> {
  if (due) await dueBy(tx, operationsDueOf(issuer), due)
  await tx.db
    .updateTable('order_operations')
    .set({ in_doubt: true, due, modified: tx.now })
    .where('tenant_id', '=', tx.tenant_id)
    .where('id', '=', id)
    .where('status', '=', 'PENDING')
    .execute()
}

/** The operation under way that has this message. */
export function findOperationByMessage(
  ctx: Context,
  message_id: string,
): Promise<OperationRow | undefined> {
  return ctx.db
    .selectFrom('order_operations')
    .selectAll()
    .where('tenant_id', '=', ctx.tenant_id)
    .where('message_id', '=', message_id)
    .where('status', '=', 'PENDING')
    .executeTakeFirst()
}

/** Claims one that is due at `now`; until `held_until` no other worker claims it. */
export async function claimOperation(
  { db, tenant_id }: Context,
  id: string,
  now: Date,
  held_until: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('order_operations')
    .set({ due: held_until })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('status', '=', 'PENDING')
    .where('due', '<=', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Renews the lease of an operation. A finished operation is left unchanged. Citus sets no sum of a
 * column and an interval that could depend on the session's time zone.
 */
export async function updateOperationLease(
  { db, tenant_id }: Context,
  id: string,
  by_ms: number,
): Promise<void> {
  await db
    .updateTable('order_operations')
    .set({
      due: sql`(due at time zone 'UTC' + make_interval(secs => ${by_ms / 1_000}))
        at time zone 'UTC'`,
    })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('status', '=', 'PENDING')
    .execute()
}

/** Claims due operations; until `held_until` no other worker claims them. */
export async function claimDueOperations(
  { db, tenant_id, now }: Tx,
  issuer: IssuerName,
  held_until: Date,
  limit: number,
): Promise<OperationRow[]> {
  const { rows } = await sql<OperationRow>`
    update order_operations set due = ${held_until}
    where tenant_id = ${tenant_id} and id in (
      select id from order_operations
      where tenant_id = ${tenant_id} and due <= ${now} and ${isOfIssuer('issuer', issuer)}
      order by due, id limit ${limit} for update skip locked)
    returning *`.execute(db)
  return rows
}
