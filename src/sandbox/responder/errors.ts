import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const responderErrors = {
  question_answered: {
    status: 409,
    detail: 'The question was answered before; the first answer is the one that is used.',
  },
  question_overdue: {
    status: 409,
    detail: 'The time to answer the question is over; the default action was used.',
  },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof responderErrors> {}
}
