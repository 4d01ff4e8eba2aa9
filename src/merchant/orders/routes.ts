import { type Route, route } from '#kit/http/route.ts'
import { ApiError } from '#lib/result.ts'
import type { IssuerLink } from '#merchant/acquirer/acquirer.ts'
import { listRoutes } from './lists/lists_routes.ts'
import { captureOrder, getOrder, refundOrder } from './orders.ts'
import type { RequestedAmount, RequestedCapture } from './rules/operations.ts'
import * as schema from './schema.ts'

export const orderRoutes = (link: IssuerLink): readonly Route[] => [
  ...listRoutes,
  route({
    id: 'getOrder',
    tag: 'Orders',
    description:
      'Returns the order of the merchant with this reference. An order exists from the ' +
      'authorization of its payment.',
    method: 'GET',
    path: '/orders/{reference}',
    permission: 'merchant',
    summary: 'Get an order',
    params: schema.OrderPath,
    query: schema.OperationQuery,
    answer: schema.Order,
    run: (ctx, { params }) => getOrder(ctx, params.reference),
  }),
  route({
    id: 'captureOrder',
    tag: 'Orders',
    description:
      'Captures the payment of an order with status `OPENED`, in full or in the amount of ' +
      '`total`; the rest of the authorized amount is released. A success sets the status to ' +
      '`COMPLETED` and sends `ORDER_CAPTURED`. If the merchant has `partial_captures`, a ' +
      'capture of less than what is left leaves the rest of the hold in force and the order ' +
      '`OPENED`, unless `final` is true. A capture that the issuer declines, or one ' +
      'after the capture deadline, returns the status `FAILURE`. Fails with `outcome_unknown` ' +
      'when the outcome is not known within 30 seconds: repeat the request with the same ' +
      '`Idempotency-Key`, or get the order. `total`, `currency` and `final` are accepted in the ' +
      'body only. More than what is left, or another currency than that of the order, is a ' +
      'validation error.',
    method: 'POST',
    path: '/orders/{reference}/capture',
    permission: 'merchant',
    summary: 'Capture an order',
    params: schema.OrderPath,
    query: schema.CaptureQuery,
    body: schema.CaptureBody,
    answer: schema.CaptureResult,
    errors: ['order_already_captured', 'order_operation_in_progress', 'outcome_unknown'],
    keepsOwnAnswer: true,
    joins: true,
    run: (ctx, { params, query, body, keep }) =>
      captureOrder(ctx, link, params.reference, captureAmountOf(body, query), keep),
  }),
  route({
    id: 'refundOrder',
    tag: 'Orders',
    description:
      'Refunds a captured order, in full or in part. `total` and `currency` are required, in ' +
      'the body or in the query, and the refunds of an order add up to at most its captured ' +
      'total: more, or another currency, is a validation error. What a dispute has taken of it ' +
      'is refused with `order_charged_back`, unless the dispute is won. A success sends ' +
      '`ORDER_REFUNDED`; a refund that the issuer declines returns the ' +
      'status `FAILURE`. Fails with `outcome_unknown` when the outcome is not known within 30 ' +
      'seconds: repeat the request with the same `Idempotency-Key`, or get the order.',
    method: 'POST',
    path: '/orders/{reference}/refund',
    permission: 'merchant',
    summary: 'Refund an order',
    params: schema.OrderPath,
    query: schema.OperationQuery,
    body: schema.RefundBody,
    answer: schema.RefundResult,
    errors: [
      'order_still_open',
      'order_already_refunded',
      'order_charged_back',
      'order_operation_in_progress',
      'outcome_unknown',
    ],
    keepsOwnAnswer: true,
    joins: true,
    run: (ctx, { params, query, body, keep }) =>
      refundOrder(ctx, link, params.reference, refundAmountOf(body, query), keep),
  }),
]

/** The body alone is read: an overlooked parameter would capture all (D-127). */
function captureAmountOf(body: schema.CaptureBody, query: schema.CaptureQuery): RequestedCapture {
  const errors = (['total', 'currency', 'final'] as const)
    .filter((path) => query[path] !== undefined)
    .map((path) => ({ path, message: 'must be in the body, not in the query' }))
  if (errors.length > 0) throw new ApiError('validation_failed', { errors })
  return Array.isArray(body) || !body ? {} : body
}

/** A member of the body takes precedence over the same one of the query (D-86). */
function refundAmountOf(body: schema.RefundBody, query: schema.OperationQuery): RequestedAmount {
  if (Array.isArray(body) || !body) return query
  const { total = null, currency = null } = query
  return { total: body.total ?? total, currency: body.currency ?? currency }
}
