/** Orders and results as the API returns them (D-84). */

import { formatTenThousandths } from '#lib/money.ts'
import { formatSixDigits } from '#lib/time.ts'
import type { CaptureResult, Order, RefundResult } from './schema.ts'
import type { OperationRow, OrderRow } from './store.ts'

export function presentOrder(row: OrderRow, employee_name: string): Order {
  const { customer, billing_address, shipping_address, lines } = row.details
  return {
    order_id: row.id,
    reference: row.reference,
    display_reference: row.display_reference,
    description: row.description,
    total: formatTenThousandths(row.total),
    currency: row.currency,
    tax_amount: maybe(row.tax_amount),
    shipping_amount: maybe(row.shipping_amount),
    discount: maybe(row.discount),
    customer: {
      first_name: customer.first_name ?? null,
      last_name: customer.last_name ?? null,
      email: customer.email ?? '',
      phone: customer.phone ?? null,
    },
    billing_address,
    shipping_address,
    lines,
    created_at: formatSixDigits(row.created),
    updated_at: formatSixDigits(row.modified),
    order_number: row.order_number,
    status: row.status,
    ...(row.partial_captures && { total_captured: sumOf(row.total_captured) }),
    total_refund: sumOf(row.total_refund),
    capture_expiration: formatSixDigits(row.capture_expiration, '+00:00'),
    employee_name,
  }
}

const sumOf = (units: bigint) => (units === 0n ? '0' : formatTenThousandths(units))

type Done = Pick<OperationRow, 'id' | 'status' | 'total' | 'final'>

export function presentCapture(order: OrderRow, done: Done | null): CaptureResult {
  const { id, currency, partial_captures } = order
  if (done?.status !== 'SUCCESS') return { status: 'FAILURE', order_id: id }
  const amount = formatTenThousandths(done.total)
  const { final } = done
  const result = { order_id: id, amount, currency, type: 'CAPTURE' }
  return { status: 'SUCCESS', ...result, ...(partial_captures && { final }) }
}

export function presentRefund({ id, currency }: OrderRow, done: Done): RefundResult {
  return {
    status: done.status === 'SUCCESS' ? 'SUCCESS' : 'FAILURE',
    order_id: id,
    amount: formatTenThousandths(done.total),
    currency,
    type: 'REFUND',
    transaction_id: done.id,
  }
}

const maybe = (units: bigint | null) => (units === null ? null : formatTenThousandths(units))
