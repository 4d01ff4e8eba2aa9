/** Paid orders: retrieve, capture and refund. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type {
  CaptureOrderBody,
  CaptureResult,
  GetOrderQuery,
  ListCapturesQuery,
  ListOrdersQuery,
  ListRefundsQuery,
  Order,
  OrderOperation,
  OrderTotals,
  RefundOrderBody,
  RefundOrderQuery,
  RefundResult,
  TotalOrdersQuery,
} from '../types.ts'

/** Paid orders: retrieve, capture and refund. */
export class OrdersGroup extends Group {
  /**
   * List orders.
   *
   * Lists the orders of the merchant, newest first: all, or those that every filter of the query
   * finds.
   *
   * `GET /orders`
   */
  list(query?: ListOrdersQuery, options?: RequestOptions): List<Order> {
    return this.transport.list('GET', '/orders', { query }, options)
  }

  /**
   * Get the totals of orders.
   *
   * Returns the number of the orders that the filters find, and the sums of what is authorized,
   * captured and refunded of them, for each currency. The filters are those of the list of orders.
   *
   * `GET /orders:totals`
   */
  total(query?: TotalOrdersQuery, options?: RequestOptions): Promise<OrderTotals> {
    return this.transport.send('GET', '/orders:totals', { query }, options)
  }

  /**
   * List captures.
   *
   * Lists the captures of all orders of the merchant, newest first, those that failed and those
   * whose outcome is not known yet among them.
   *
   * `GET /captures`
   */
  listCaptures(query?: ListCapturesQuery, options?: RequestOptions): List<OrderOperation> {
    return this.transport.list('GET', '/captures', { query }, options)
  }

  /**
   * List refunds.
   *
   * Lists the refunds of all orders of the merchant, newest first, those that failed and those whose
   * outcome is not known yet among them.
   *
   * `GET /refunds`
   */
  listRefunds(query?: ListRefundsQuery, options?: RequestOptions): List<OrderOperation> {
    return this.transport.list('GET', '/refunds', { query }, options)
  }

  /**
   * Get an order.
   *
   * Returns the order of the merchant with this reference. An order exists from the authorization of
   * its payment.
   *
   * `GET /orders/{reference}`
   */
  get(reference: string, query?: GetOrderQuery, options?: RequestOptions): Promise<Order> {
    return this.transport.send('GET', path`/orders/${reference}`, { query }, options)
  }

  /**
   * Capture an order.
   *
   * Captures the payment of an order with status `OPENED`, in full or in the amount of `total`; the
   * rest of the authorized amount is released. A success sets the status to `COMPLETED` and sends
   * `ORDER_CAPTURED`. If the merchant has `partial_captures`, a capture of less than what is left
   * leaves the rest of the hold in force and the order `OPENED`, unless `final` is true. A capture
   * that the issuer declines, or one after the capture deadline, returns the status `FAILURE`. Fails
   * with `outcome_unknown` when the outcome is not known within 30 seconds: repeat the request with
   * the same `Idempotency-Key`, or get the order. `total`, `currency` and `final` are accepted in
   * the body only. More than what is left, or another currency than that of the order, is a
   * validation error.
   *
   * Errors of its own: `order_already_captured`, `order_operation_in_progress`, `outcome_unknown`.
   *
   * `POST /orders/{reference}/capture`
   */
  capture(
    reference: string,
    body?: CaptureOrderBody,
    options?: RequestOptions,
  ): Promise<CaptureResult> {
    return this.transport.send(
      'POST',
      path`/orders/${reference}/capture`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Refund an order.
   *
   * Refunds a captured order, in full or in part. `total` and `currency` are required, in the body
   * or in the query, and the refunds of an order add up to at most its captured total: more, or
   * another currency, is a validation error. What a dispute has taken of it is refused with
   * `order_charged_back`, unless the dispute is won. A success sends `ORDER_REFUNDED`; a refund that
   * the issuer declines returns the status `FAILURE`. Fails with `outcome_unknown` when the outcome
   * is not known within 30 seconds: repeat the request with the same `Idempotency-Key`, or get the
   * order.
   *
   * Errors of its own: `order_still_open`, `order_already_refunded`, `order_charged_back`,
   * `order_operation_in_progress`, `outcome_unknown`.
   *
   * `POST /orders/{reference}/refund`
   */
  refund(
    reference: string,
    body?: RefundOrderBody,
    query?: RefundOrderQuery,
    options?: RequestOptions,
  ): Promise<RefundResult> {
    return this.transport.send(
      'POST',
      path`/orders/${reference}/refund`,
      { body, query, keyed: true },
      options,
    )
  }
}
