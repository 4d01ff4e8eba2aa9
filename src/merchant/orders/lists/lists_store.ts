/** The statements of the merchant's lists; each filter that finds few has an index. */

import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Context } from '#kit/context.ts'
import type { Database } from '#kit/db/tables.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import { type NamedOrder, namedOrders, type OperationRow, type OrderRow } from '../store.ts'

export type OrderFilter = {
  merchant_id: string
  status?: OrderRow['status'] | undefined
  reference?: string | undefined
  currency?: string | undefined
  /** Amounts in ten-thousandths of a major unit. */
  min_total?: bigint | undefined
  max_total?: bigint | undefined
  refund?: keyof typeof REFUNDED | undefined
  email?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

const REFUNDED = {
  none: sql<boolean>`refunded = 0`,
  partial: sql<boolean>`(refunded > 0 and refunded < captured)`,
  full: sql<boolean>`(refunded > 0 and refunded = captured)`,
}

export function listOrderRows(
  ctx: Context,
  filter: OrderFilter,
  range: PageRange,
): Promise<NamedOrder[]> {
  return selectRange(filtered(namedOrders(ctx), ctx, filter), range).execute()
}

/** Sums of one currency, in ten-thousandths of a major unit. */
export type TotalsRow = {
  currency: string
  count: bigint
  authorized: bigint
  captured: bigint
  refunded: bigint
}

export function listOrderTotals(ctx: Context, filter: OrderFilter): Promise<TotalsRow[]> {
  const sums = ctx.db
    .selectFrom('orders')
    .select([
      'currency',
      sql<bigint>`count(*)`.as('count'),
      sql<bigint>`sum(total)::bigint`.as('authorized'),
      sql<bigint>`sum(total_captured)::bigint`.as('captured'),
      sql<bigint>`sum(total_refund)::bigint`.as('refunded'),
    ])
  return filtered(sums, ctx, filter).groupBy('currency').orderBy('currency').execute()
}

/** Status and refund are text of the statement: only so can partial indexes serve them. */
function filtered<Row>(
  query: SelectQueryBuilder<Database, 'orders', Row>,
  { tenant_id }: Context,
  { merchant_id, ...filter }: OrderFilter,
): SelectQueryBuilder<Database, 'orders', Row> {
  const { status, reference, currency, min_total, max_total, refund, email, from, to } = filter
  const conditions: (RawBuilder<boolean> | undefined)[] = [
    status && sql`status = ${sql.lit(status)}`,
    reference === undefined ? undefined : sql`reference = ${reference}`,
    currency === undefined ? undefined : sql`currency = ${currency}`,
    min_total === undefined ? undefined : sql`total >= ${min_total}`,
    max_total === undefined ? undefined : sql`total <= ${max_total}`,
    refund && REFUNDED[refund],
    email === undefined ? undefined : sql`lower(details #>> '{customer,email}') = lower(${email})`,
    from && sql`created >= ${from}`,
    to && sql`created < ${to}`,
  ]
  const own = query.where('tenant_id', '=', tenant_id).where('merchant_id', '=', merchant_id)
  return conditions.reduce((all, one) => (one ? all.where(one) : all), own)
}

export type OperationFilter = {
  merchant_id: string
  type: OperationRow['type']
  payout_id?: string | undefined
  status?: OperationRow['status'] | undefined
  reference?: string | undefined
  currency?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

/** An operation with the members of its order that a list shows. */
export type ListedOperation = OperationRow &
  Pick<OrderRow, 'reference' | 'order_number' | 'partial_captures'>

export function listOperationRows(
  { db, tenant_id }: Context,
  { merchant_id, type, payout_id, ...filter }: OperationFilter,
  range: PageRange,
): Promise<ListedOperation[]> {
  const { status, reference, currency, from, to } = filter
  const found = db
    .selectFrom('order_operations as p')
    .innerJoin('orders as o', (join) =>
      join.onRef('o.tenant_id', '=', 'p.tenant_id').onRef('o.id', '=', 'p.order_id'),
    )
    .selectAll('p')
    .select(['o.reference', 'o.order_number', 'o.partial_captures'])
    .where('o.tenant_id', '=', tenant_id)
    .where('p.tenant_id', '=', tenant_id)
    .where('p.merchant_id', '=', merchant_id)
    .where('p.type', '=', type)
    .$if(status !== undefined, (query) => query.where(hasStatus(status ?? 'SUCCESS')))
    .$if(reference !== undefined, (query) =>
      query.where('o.merchant_id', '=', merchant_id).where('o.reference', '=', reference ?? ''),
    )
    .$if(payout_id !== undefined, (query) => query.where('p.payout_id', '=', payout_id ?? null))
    .$if(currency !== undefined, (query) => query.where('p.currency', '=', currency ?? ''))
    .$if(from !== undefined, (query) => query.where(sql<boolean>`p.created >= ${from}`))
    .$if(to !== undefined, (query) => query.where(sql<boolean>`p.created < ${to}`))
  return selectRange(found, range, { by: 'p.created', id: 'p.id' }).execute()
}

/** The condition also excludes SUCCESS, so that the partial index serves it. */
const hasStatus = (status: OperationRow['status']) =>
  status === 'SUCCESS'
    ? sql<boolean>`p.status = 'SUCCESS'`
    : sql<boolean>`(p.status <> 'SUCCESS' and p.status = ${sql.lit(status)})`
