/** The events of orders for the tenant's subscriptions (D-60): flat, amounts as in the order. */

import { Type } from 'typebox'
import { defineEvent } from '#kit/event.ts'
import { Field, OneOf, Uuid } from '#kit/http/schema.ts'
import { formatTenThousandths } from '#lib/money.ts'
import { formatSixDigits } from '#lib/time.ts'
import type { OperationRow, OrderRow } from './store.ts'

const text = (description: string) => Type.String({ description })
const FOUR_DECIMALS = 'in major units, with four decimals'

const members = {
  order_id: Field('Id of the order.', Uuid),
  merchant_id: Field('Id of the merchant.', Uuid),
  reference: text('Reference of the merchant, from the checkout.'),
  order_number: text('Number of the order: twelve upper-case letters and digits.'),
  status: Field('Status of the order.', OneOf(['OPENED', 'COMPLETED'])),
  currency: text('ISO 4217 alphabetic code of the order.'),
  total: text(`Total of the order, ${FOUR_DECIMALS}.`),
  capture_expiration: text('Deadline of the capture, UTC with six decimals.'),
}

function membersOf(order: OrderRow) {
  const { id, merchant_id, reference, order_number, status, currency } = order
  return {
    order_id: id,
    merchant_id,
    reference,
    order_number,
    status,
    currency,
    total: formatTenThousandths(order.total),
    capture_expiration: formatSixDigits(order.capture_expiration, '+00:00'),
  }
}

const authorized = defineEvent({
  event: 'ORDER_AUTHORIZED',
  emitted: 'A checkout is paid and its order is open.',
  object: 'order',
  to_merchant: true,
  payload: members,
})
export const orderAuthorized = (order: OrderRow) => authorized.about(order.id, membersOf(order))

const captured = defineEvent({
  event: 'ORDER_CAPTURED',
  emitted: 'An order is captured, in whole or in part.',
  object: 'order',
  to_merchant: true,
  payload: {
    ...members,
    transaction_id: Field('Id of the capture.', Uuid),
    amount: text(`Amount of this capture ${FOUR_DECIMALS}.`),
    total_captured: text(`Sum of the captures ${FOUR_DECIMALS}.`),
    final: Type.Boolean({ description: 'Whether it is the last capture of the order.' }),
  },
})
export const orderCaptured = (order: OrderRow, { id, total, final }: OperationRow) =>
  captured.about(order.id, {
    ...membersOf(order),
    transaction_id: id,
    amount: formatTenThousandths(total),
    total_captured: formatTenThousandths(order.total_captured),
    final,
  })

const refunded = defineEvent({
  event: 'ORDER_REFUNDED',
  emitted: 'An order is refunded, in whole or in part.',
  object: 'order',
  to_merchant: true,
  payload: {
    ...members,
    transaction_id: Field('Id of the refund.', Uuid),
    amount: text(`Amount of this refund ${FOUR_DECIMALS}.`),
    total_refund: text(`Sum of the refunds ${FOUR_DECIMALS}.`),
  },
})
export const orderRefunded = (order: OrderRow, { id, total }: OperationRow) =>
  refunded.about(order.id, {
    ...membersOf(order),
    transaction_id: id,
    amount: formatTenThousandths(total),
    total_refund: formatTenThousandths(order.total_refund),
  })

const captureExpiring = defineEvent({
  event: 'ORDER_CAPTURE_EXPIRING',
  emitted: '24 hours and 2 hours before the capture window of an open order ends.',
  object: 'order',
  to_merchant: true,
  payload: {
    ...members,
    hours_left: Type.Integer({
      description: 'Hours until the deadline of the capture: 24 or 2.',
    }),
  },
})
export const orderCaptureExpiring = (order: OrderRow, hours_left: number) =>
  captureExpiring.about(order.id, { ...membersOf(order), hours_left })

const expired = defineEvent({
  event: 'ORDER_EXPIRED',
  emitted: 'The capture window of an open order ended, and what was not captured is released.',
  object: 'order',
  to_merchant: true,
  payload: {
    ...members,
    total_captured: text(`Sum of the captures ${FOUR_DECIMALS}; zero if there was none.`),
  },
})
export const orderExpired = (order: OrderRow) =>
  expired.about(order.id, {
    ...membersOf(order),
    total_captured: formatTenThousandths(order.total_captured),
  })

export const orderEvents = [authorized, captured, refunded, captureExpiring, expired] as const

declare module '#kit/event.ts' {
  interface EmittedKinds {
    orders: typeof orderEvents
  }
}
