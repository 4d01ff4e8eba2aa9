/** The events of orders for the tenant's subscriptions (D-60): flat, amounts as in the order. */

import type { Event } from '#kit/event.ts'
import { formatTenThousandths } from '#lib/money.ts'
import { formatSixDigits } from '#lib/time.ts'
import type { OperationRow, OrderRow } from './store.ts'

export const orderAuthorized = (order: OrderRow) => eventOf('ORDER_AUTHORIZED', order, {})

export const orderCaptured = (order: OrderRow, { id, total }: OperationRow) =>
  eventOf('ORDER_CAPTURED', order, { transaction_id: id, amount: formatTenThousandths(total) })

export const orderRefunded = (order: OrderRow, { id, total }: OperationRow) =>
  eventOf('ORDER_REFUNDED', order, {
    transaction_id: id,
    amount: formatTenThousandths(total),
    total_refund: formatTenThousandths(order.total_refund),
  })

export const orderCaptureExpiring = (order: OrderRow, hours_left: number) =>
  eventOf('ORDER_CAPTURE_EXPIRING', order, { hours_left })

export const orderExpired = (order: OrderRow) => eventOf('ORDER_EXPIRED', order, {})

function eventOf(event: string, order: OrderRow, more: Record<string, unknown>): Event {
  const { id, merchant_id, reference, order_number, status, currency } = order
  const base = { order_id: id, merchant_id, reference, order_number, status, currency }
  const total = formatTenThousandths(order.total)
  const capture_expiration = formatSixDigits(order.capture_expiration, '+00:00')
  return { event, object_id: id, payload: { ...base, total, capture_expiration, ...more } }
}
