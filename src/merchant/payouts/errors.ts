import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const payoutErrors = {
  payout_status_refused: {
    status: 409,
    detail: 'The payout has a status that does not lead to this one.',
  },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof payoutErrors> {}
}
