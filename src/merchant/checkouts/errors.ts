/** How a checkout says no, and the HTTP status that carries it. */
export const checkoutErrors = {
  payment_in_progress: 409,
} as const
