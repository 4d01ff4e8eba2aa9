import type { ErrorCatalogue } from '#kit/errors.ts'

export const checkoutErrors = {
  payment_in_progress: { status: 409, detail: 'A payment of this checkout is in progress.' },
} as const satisfies ErrorCatalogue
