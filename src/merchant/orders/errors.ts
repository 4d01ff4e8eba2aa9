/** Every way in which an order says no, and the HTTP status that carries it. */
export const orderErrors = {
  order_already_captured: 406,
  order_still_open: 406,
  order_already_refunded: 406,
  order_operation_in_progress: 409,
  outcome_unknown: 503,
} as const
export type OrderErrorCode = keyof typeof orderErrors
