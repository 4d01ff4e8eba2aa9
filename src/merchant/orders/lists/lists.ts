/** The lists of the calling merchant: its orders and their sums, its captures, its refunds. */

import type { Context } from '#kit/context.ts'
import { listPage } from '#kit/http/lists.ts'
import { formatFixed, formatTenThousandths, parseTenThousandths } from '#lib/money.ts'
import type { Page } from '#lib/paging.ts'
import { withoutSurround } from '#lib/surround.ts'
import { formatSixDigits } from '#lib/time.ts'
import { presentOrder } from '../present.ts'
import type { Order } from '../schema.ts'
import type { OperationRow } from '../store.ts'
import type {
  Operation,
  OperationsQuery,
  OrdersQuery,
  OrderTotals,
  OrderTotalsQuery,
} from './lists_schema.ts'
import {
  type ListedOperation,
  listOperationRows,
  listOrderRows,
  listOrderTotals,
  type OrderFilter,
} from './lists_store.ts'

/** Newest first (D-642, D-730). */
export async function listOrders(
  ctx: Context,
  { limit, after, ...filter }: OrdersQuery,
): Promise<Page<Order>> {
  const page = await listPage('orders', { limit, after }, (range) =>
    listOrderRows(ctx, filterOf(ctx, filter), range),
  )
  const data = page.data.map(({ merchant_name, ...order }) => presentOrder(order, merchant_name))
  return { ...page, data }
}

/** The sums of all orders that the filters find, for each currency (D-731). */
export async function totalOrders(ctx: Context, filter: OrderTotalsQuery): Promise<OrderTotals> {
  const sums = await listOrderTotals(ctx, filterOf(ctx, filter))
  const data = sums.map(({ currency, count, authorized, captured, refunded }) => ({
    currency,
    count: Number(count),
    authorized: formatTenThousandths(authorized),
    captured: formatTenThousandths(captured),
    refunded: formatTenThousandths(refunded),
  }))
  return { data }
}

/** Captures or refunds of all orders, newest first (D-732). */
export async function listOperations(
  ctx: Context,
  type: OperationRow['type'],
  { limit, after, ...filter }: OperationsQuery,
): Promise<Page<Operation>> {
  const found = { ...filter, ...periodOf(filter), type, merchant_id: ctx.actor.id }
  const page = await listPage(`${type}_operations`, { limit, after }, (range) =>
    listOperationRows(ctx, found, range),
  )
  return { ...page, data: page.data.map(presentOperation) }
}

function filterOf(ctx: Context, filter: OrderTotalsQuery): OrderFilter {
  return {
    ...filter,
    ...periodOf(filter),
    email: filter.email && withoutSurround(filter.email),
    merchant_id: ctx.actor.id,
    min_total: totalOf(filter.min_total),
    max_total: totalOf(filter.max_total),
  }
}

const periodOf = ({ from, to }: { from?: string; to?: string }) => ({
  from: from === undefined ? undefined : new Date(from),
  to: to === undefined ? undefined : new Date(to),
})

/** The schema has let through only decimals that can be read. */
function totalOf(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined
  const read = parseTenThousandths(text)
  if (!read.ok) throw new TypeError(`a total ${read.message}`)
  return read.units
}

const presentOperation = (row: ListedOperation): Operation => ({
  transaction_id: row.id,
  type: row.type,
  status: row.status,
  order_id: row.order_id,
  reference: row.reference,
  order_number: row.order_number,
  amount: formatTenThousandths(row.total),
  currency: row.currency,
  ...(row.type === 'CAPTURE' && row.partial_captures && { final: row.final }),
  fee: formatFixed(row.fee, row.currency, 4),
  ...(row.payout_id !== null && { payout_id: row.payout_id }),
  created_at: formatSixDigits(row.created),
  updated_at: formatSixDigits(row.modified),
})
