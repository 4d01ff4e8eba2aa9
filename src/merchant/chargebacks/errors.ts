import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const chargebackErrors = {
  chargeback_move_refused: {
    status: 409,
    detail: 'The dispute cannot move from its present status by this step.',
  },
} as const satisfies ErrorCatalogue

/** The files of evidence have the codes that other files have. */
export const chargebackFileErrors = {
  file_limit_reached: {
    status: 409,
    detail: 'The dispute has as many files as are allowed.',
  },
  file_held: { status: 409, detail: 'The file has not been scanned for viruses yet.' },
  file_infected: { status: 409, detail: 'The virus scanner found malware in the file.' },
  /** D-1005. */
  storage_full: {
    status: 409,
    detail: 'The files of the tenant may not have so many bytes together.',
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
      CodesOf<typeof chargebackFileErrors>,
      CodesOf<typeof chargebackOperatorErrors> {}
}
