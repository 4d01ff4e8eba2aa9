import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const accountErrors = {
  account_not_active: { status: 409, detail: 'The account is not active.' },
  account_status_move_refused: {
    status: 409,
    detail: 'The account cannot change from its present status to this one.',
  },
  incoming_transfers_not_allowed: {
    status: 409,
    detail: 'The receiving account does not accept transfers.',
  },
  outgoing_transfers_not_allowed: {
    status: 409,
    detail: 'The sending account does not allow transfers.',
  },
} as const satisfies ErrorCatalogue
export type AccountErrorCode = keyof typeof accountErrors

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof accountErrors> {}
}
