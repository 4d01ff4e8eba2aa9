import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const checkoutErrors = {
  payment_in_progress: {
    status: 409,
    detail: 'A payment of this reference is being checked. Try again when it is known.',
  },
  kept_cards_off: { status: 409, detail: 'The merchant may not use kept cards.' },
  outcome_unknown: { status: 503, detail: 'The outcome is not known yet.' },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof checkoutErrors> {}
}
