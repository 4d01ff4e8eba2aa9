import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const bulkErrors = {
  bulk_issuance_move_refused: {
    status: 409,
    detail: 'The bulk issuance has been submitted and cannot change.',
  },
} as const satisfies ErrorCatalogue
export type BulkErrorCode = keyof typeof bulkErrors

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof bulkErrors> {}
}
