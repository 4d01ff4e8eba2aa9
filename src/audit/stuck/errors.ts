import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const stuckErrors = {
  payment_not_stuck: {
    status: 409,
    detail: 'The payment comes to its outcome by itself: its messages are still sent.',
  },
  payment_already_ended: {
    status: 409,
    detail: 'The payment has its outcome already.',
  },
  payment_outcome_contradicted: {
    status: 409,
    detail: 'The issuer is this program, and its transactions say otherwise.',
  },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof stuckErrors> {}
}
