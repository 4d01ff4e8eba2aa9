/** Public functions of orders: create one from a payment, get, capture and refund it. */

import { randomInt } from 'node:crypto'
import { emitAfter } from '#events/outbox.ts'
import type { Context, Tx } from '#kit/context.ts'
import type { Keep } from '#kit/http/route.ts'
import { newId } from '#lib/id.ts'
import { ApiError, unwrap } from '#lib/result.ts'
import {
  type IssuerLink,
  recordCompletion,
  recordRefund,
  sendingOf,
} from '#merchant/acquirer/acquirer.ts'
import type { PaidCheckout } from '#merchant/checkouts/schema.ts'
import type { MerchantRow } from '#merchant/merchants/merchants.ts'
import { orderAuthorized } from './events.ts'
import { perform } from './operations.ts'
import { presentCapture, presentOrder, presentRefund } from './present.ts'
import { deadlineOf, firstStage } from './rules/deadline.ts'
import {
  checkCapture,
  checkRefund,
  type RequestedAmount,
  type RequestedCapture,
} from './rules/operations.ts'
import type { CaptureResult, Order, RefundResult } from './schema.ts'
import { findOrder, insertOrder, type NamedOrder, type OrderRow } from './store.ts'

export { auditOrders } from './audit.ts'
export {
  type BookedDay,
  findPayable,
  listBookedDays,
  lockPayable,
  updateOperationsPaidOut,
} from './payable_store.ts'
export { dayBefore, payableFrom } from './rules/payable.ts'
export { capturedAndRefunded, endOperation, operationTakenBack } from './sending.ts'
export { findChargedBack, operationsDueOf, ordersDue, payoutsDue } from './store.ts'

const NUMBER_LENGTH = 12
const NUMBER_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/** The settings of a merchant that its order keeps. */
type Terms = Pick<MerchantRow, 'capture_window_days' | 'deadline_policy' | 'partial_captures'>

/** The order of an authorized payment, in the transaction that records the payment (D-84). */
export async function openOrder(tx: Tx, paid: PaidCheckout, terms: Terms): Promise<OrderRow> {
  const { capture_window_days, deadline_policy, partial_captures } = terms
  const { amount, customer, billing_address, shipping_address, lines, ...rest } = paid
  const capture_expiration = deadlineOf(tx.now, capture_window_days)
  const row: OrderRow = {
    ...rest,
    tenant_id: tx.tenant_id,
    id: newId(),
    order_number: newOrderNumber(),
    status: 'OPENED',
    details: { customer, billing_address, shipping_address, lines },
    authorized: amount,
    total_captured: 0n,
    total_refund: 0n,
    captured: 0n,
    refunded: 0n,
    released: false,
    capture_expiration,
    deadline_policy,
    partial_captures,
    ...firstStage(tx.now, capture_expiration),
    created: tx.now,
    modified: tx.now,
  }
  void tx.withCommit(insertOrder(tx, row))
  await emitAfter(tx, new Map(), [orderAuthorized(row)])
  return row
}

/** Undefined if the reference has no order. */
export async function orderIdOf(
  ctx: Context,
  merchant_id: string,
  reference: string,
): Promise<string | undefined> {
  return (await findOrder(ctx, merchant_id, reference))?.id
}

/** An order of the calling merchant. */
export async function getOrder(ctx: Context, reference: string): Promise<Order> {
  const { merchant_name, ...order } = await ownOrder(ctx, reference)
  return presentOrder(order, merchant_name)
}

/**
 * Captures the payment, all of it or less (D-85), or a part of several (D-780). A decline of the
 * issuer is FAILURE and leaves the order unchanged; for an unknown outcome see `perform` (D-131).
 */
export async function captureOrder(
  ctx: Context,
  link: IssuerLink,
  reference: string,
  requested: RequestedCapture,
  keep?: Keep,
): Promise<CaptureResult> {
  return perform(ctx, link, await ownOrder(ctx, reference), {
    type: 'CAPTURE',
    rule: (order, now) => unwrap(checkCapture(order, requested, now)),
    record: (tx, of, amount) => recordCompletion(tx, of, amount, sendingOf(link, of, 'now')),
    present: presentCapture,
    keep,
  })
}

/** Refunds all that was captured or a part of it (D-86), but what is charged back (D-1370). */
export async function refundOrder(
  ctx: Context,
  link: IssuerLink,
  reference: string,
  requested: RequestedAmount,
  keep?: Keep,
): Promise<RefundResult> {
  return perform(ctx, link, await ownOrder(ctx, reference), {
    type: 'REFUND',
    rule: (order, _now, taken) => unwrap(checkRefund(order, requested, taken)),
    record: (tx, of, amount) => recordRefund(tx, of, amount, sendingOf(link, of, 'now')),
    present: (order, done) => {
      if (!done) throw new Error('a refund always has an operation')
      return presentRefund(order, done)
    },
    keep,
  })
}

async function ownOrder(ctx: Context, reference: string): Promise<NamedOrder> {
  const order = await findOrder(ctx, ctx.actor.id, reference)
  if (!order) throw new ApiError('not_found')
  return order
}

function newOrderNumber(): string {
  const letter = () => NUMBER_ALPHABET.charAt(randomInt(NUMBER_ALPHABET.length))
  return Array.from({ length: NUMBER_LENGTH }, letter).join('')
}
