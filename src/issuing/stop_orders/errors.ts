import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const stopOrderErrors = {
  stop_order_exists: {
    status: 409,
    detail:
      'The card, or one that it replaces or is replaced by, has a stop order for the merchant.',
  },
  stop_orders_reached: {
    status: 409,
    detail: 'The card has as many stop orders as are allowed.',
  },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof stopOrderErrors> {}
}
