import { type Route, route } from '#kit/route.ts'
import { ApiError } from '#lib/result.ts'
import type { IssuerLink } from '#merchant/acquirer/acquirer.ts'
import { captureOrder, getOrder, refundOrder } from './orders.ts'
import type { Wanted } from './rules/operations.ts'
import * as schema from './schema.ts'

export const orderRoutes = (link: IssuerLink): readonly Route[] => [
  route({
    id: 'getOrdersReference',
    tag: 'Orders',
    description: '',
    method: 'GET',
    path: '/orders/{reference}',
    permission: 'merchant',
    summary: 'Get an order by the merchant’s reference',
    params: schema.OrderPath,
    query: schema.OperationQuery,
    answer: schema.Order,
    run: (ctx, { params }) => getOrder(ctx, params.reference),
  }),
  route({
    id: 'postOrdersReferenceCapture',
    tag: 'Orders',
    description: '',
    method: 'POST',
    path: '/orders/{reference}/capture',
    permission: 'merchant',
    summary: 'Capture the payment of an order',
    params: schema.OrderPath,
    query: schema.CaptureQuery,
    body: schema.OperationBody,
    answer: schema.CaptureResult,
    errors: ['order_already_captured', 'order_operation_in_progress', 'outcome_unknown'],
    keepsOwnAnswer: true,
    joins: true,
    run: (ctx, { params, query, body, keep }) =>
      captureOrder(ctx, link, params.reference, wantedOfCapture(body, query), keep),
  }),
  route({
    id: 'postOrdersReferenceRefund',
    tag: 'Orders',
    description: '',
    method: 'POST',
    path: '/orders/{reference}/refund',
    permission: 'merchant',
    summary: 'Refund an order, all of it or a part',
    params: schema.OrderPath,
    query: schema.OperationQuery,
    body: schema.OperationBody,
    answer: schema.RefundResult,
    errors: [
      'order_still_open',
      'order_already_refunded',
      'order_operation_in_progress',
      'outcome_unknown',
    ],
    keepsOwnAnswer: true,
    joins: true,
    run: (ctx, { params, query, body, keep }) =>
      refundOrder(ctx, link, params.reference, wantedBy(body, query), keep),
  }),
]

/** Money is named in the body only: a parameter that is overlooked would capture all (D-127). */
function wantedOfCapture(body: schema.OperationBody, query: schema.CaptureQuery): Wanted {
  const errors = (['total', 'currency'] as const)
    .filter((path) => query[path] !== undefined)
    .map((path) => ({ path, message: 'belongs in the body, not in the query' }))
  if (errors.length > 0) throw new ApiError('validation_failed', { errors })
  return Array.isArray(body) || !body ? {} : body
}

/** A member of the body stands before the same one of the query (D-86). */
function wantedBy(body: schema.OperationBody, query: schema.OperationQuery): Wanted {
  if (Array.isArray(body) || !body) return query
  const { total = null, currency = null } = query
  return { total: body.total ?? total, currency: body.currency ?? currency }
}
