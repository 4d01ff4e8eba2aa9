import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const chargebackErrors = {
  chargeback_move_refused: {
    status: 409,
    detail: 'The dispute cannot move from its present status by this step.',
  },
} as const satisfies ErrorCatalogue

export const chargebackOperatorErrors = {
  chargeback_exceeds_order: {
    status: 409,
    detail: 'The amount is above what was captured and neither refunded nor charged back.',
  },
} as const satisfies ErrorCatalogue
export type ChargebackErrorCode =
  | keyof typeof chargebackErrors
  | keyof typeof chargebackOperatorErrors

declare module '#lib/result.ts' {
  interface KnownErrors
    extends CodesOf<typeof chargebackErrors>,
      CodesOf<typeof chargebackOperatorErrors> {}
}
