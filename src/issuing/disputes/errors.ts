import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const disputeErrors = {
  dispute_move_refused: {
    status: 409,
    detail: 'The dispute cannot move from its present status by this step.',
  },
  dispute_not_draft: { status: 409, detail: 'Only a dispute that is a DRAFT can change.' },
  dispute_too_late: {
    status: 409,
    detail: 'The days within which the transaction can be disputed for this reason are over.',
  },
  nothing_to_dispute: {
    status: 409,
    detail: 'Nothing of the transaction is settled and neither refunded nor disputed.',
  },
  dispute_exceeds_amount: {
    status: 409,
    detail: 'The amount is above what is settled and neither refunded nor disputed.',
  },
} as const satisfies ErrorCatalogue
export type DisputeErrorCode = keyof typeof disputeErrors

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof disputeErrors> {}
}
