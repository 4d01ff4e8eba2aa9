/**
 * The rules of captures and refunds (D-85, D-86, D-781). Amounts that shops write are in
 * ten-thousandths of a major unit (`total…`); amounts that move on the card are in minor units.
 */

import { exponentOf } from '#lib/currency.ts'
import { divideHalfEven, formatDecimal, parseDecimal4 } from '#lib/money.ts'
import { type Fault, fail, ok, type Result } from '#lib/result.ts'
import type { OrderErrorCode } from '../errors.ts'

export type OrderState = {
  status: 'OPENED' | 'COMPLETED'
  currency: string
  total: bigint
  total_captured: bigint
  total_refund: bigint
  authorized: bigint
  captured: bigint
  refunded: bigint
  capture_expiration: Date
  deadline_policy: 'void' | 'capture'
  /** Whether a capture may leave the rest in force (D-780). */
  partial_captures: boolean
  released: boolean
}

/** The amount of the request, not parsed; absent means all of it. */
export type RequestedAmount = { total?: number | string | null; currency?: string | null }
/** `final`: nothing is captured after it. */
export type RequestedCapture = RequestedAmount & { final?: boolean | null }

/** `final`: the last capture of its order. */
export type Movement = { total: bigint; amount: bigint; final: boolean }

/** Null: the order can no longer be captured, which is answered as FAILURE (D-85). */
type CaptureDecision = Result<Movement | null, OrderErrorCode | 'validation_failed'>
type RefundDecision = Result<Movement, OrderErrorCode | 'validation_failed'>

export function checkCapture(
  order: OrderState,
  requested: RequestedCapture,
  now: Date,
): CaptureDecision {
  if (order.status === 'COMPLETED') {
    return fail('order_already_captured')
  }
  const read = readCapture(order, requested)
  const errors = [...('path' in read ? [read] : []), ...currencyFaults(order, requested)]
  if ('path' in read || errors.length > 0) return fail('validation_failed', { errors })
  return ok(isPastCapture(order, now) ? null : read)
}

/** Sums are rounded, not parts, so that all captures add up exactly to the authorized amount. */
function readCapture(
  order: OrderState,
  { total: text, final }: RequestedCapture,
): Movement | Fault {
  const { currency, total_captured, captured, partial_captures } = order
  const isLeftOut = text === undefined || text === null
  const read = isLeftOut ? undefined : parseDecimal4(text, currency)
  if (read && !read.ok) return { path: 'total', message: read.message }
  const left = order.total - total_captured
  const total = read?.ten_thousandths ?? left
  if (total > left) {
    const bound = captured > 0n ? 'what is left to capture' : 'the total of the order'
    return { path: 'total', message: `is more than ${bound}` }
  }
  const amount = inMinorUnits(total_captured + total, currency) - captured
  if (amount <= 0n) {
    return { path: 'total', message: `must be at least the smallest unit of ${currency}` }
  }
  const isAll = captured + amount === order.authorized
  if (final === false && !isAll && !partial_captures) {
    return { path: 'final', message: 'must be true: the order is captured once' }
  }
  return { total, amount, final: isAll || final === true || !partial_captures }
}

/** A requested currency must be the order's. */
function currencyFaults(order: OrderState, requested: RequestedAmount): Fault[] {
  const currency = requested.currency ?? ''
  if (currency === '' || currency === order.currency) return []
  return [{ path: 'currency', message: `must be ${order.currency}, as the order` }]
}

/** With policy `capture` the deadline captures, so until that has happened a capture still may. */
function isPastCapture(order: OrderState, now: Date): boolean {
  return order.released || (order.deadline_policy === 'void' && now >= order.capture_expiration)
}

/** `taken` is what chargebacks of the order have taken and not given back; minor units. */
export function checkRefund(
  order: OrderState,
  requested: RequestedAmount,
  taken = 0n,
): RefundDecision {
  const { currency } = order
  const required = (['total', 'currency'] as const).flatMap((path): Fault[] =>
    (requested[path] ?? '') === '' ? [{ path, message: 'is required' }] : [],
  )
  if (required.length > 0) return fail('validation_failed', { errors: required })
  if (order.status === 'OPENED') {
    return fail('order_still_open')
  }
  if (order.refunded === order.captured) {
    return fail('order_already_refunded')
  }
  if (order.refunded + taken >= order.captured) return fail('order_charged_back')
  const read = parseDecimal4(requested.total ?? '', currency)
  const faults = currencyFaults(order, requested)
  if (!read.ok || faults.length > 0) {
    const shape = read.ok ? [] : [{ path: 'total', message: read.message }]
    return fail('validation_failed', { errors: [...shape, ...faults] })
  }
  return movementOfRefund(order, read.ten_thousandths, taken)
}

/** Sums are rounded, not parts, so that all refunds add up exactly to the captured amount. */
function movementOfRefund(order: OrderState, total: bigint, taken: bigint): RefundDecision {
  const after = order.total_refund + total
  if (after > order.total_captured) return faulty('is more than what is left to refund')
  const amount = inMinorUnits(after, order.currency) - order.refunded
  if (amount <= 0n) {
    return faulty(`must be at least the smallest unit of ${order.currency}`)
  }
  const left = order.captured - order.refunded - taken
  if (amount > left) {
    const most = `${formatDecimal(left, order.currency)} ${order.currency}`
    const detail = `The card network took a part of the order back: ${most} is left to refund.`
    return fail('order_charged_back', { detail })
  }
  return ok({ total, amount, final: false })
}

export function inMinorUnits(total: bigint, currency: string): bigint {
  return divideHalfEven(total, 10n ** BigInt(4 - exponentOf(currency)))
}

const faulty = (message: string) =>
  fail('validation_failed', { errors: [{ path: 'total', message }] })
