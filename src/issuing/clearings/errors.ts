import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const clearingErrors = {
  clearing_file_differs: {
    status: 409,
    detail: 'A clearing file with this id (PDS 0105) and other bytes was accepted before.',
  },
  nothing_to_export: {
    status: 409,
    detail: 'No message of the tenant has to leave for the card network.',
  },
  record_not_suspended: {
    status: 409,
    detail: 'The record is not in suspense, or was resolved before.',
  },
  record_not_postable: {
    status: 409,
    detail:
      'The record cannot be posted to this card. It stays in suspense; `status_code` is that of ' +
      'the engine, if it was asked.',
  },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof clearingErrors> {}
}
