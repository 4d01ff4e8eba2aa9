import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const userErrors = {
  field_locked: { status: 409, detail: 'This field cannot change after verification.' },
  parent_not_eligible: { status: 409, detail: 'This user cannot be the parent of another user.' },
  parent_cycle: { status: 409, detail: 'A user cannot be its own ancestor.' },
  user_already_linked: { status: 409, detail: 'The user already has another parent.' },
  user_not_active: { status: 409, detail: 'The user is not active.' },
  user_status_move_refused: {
    status: 409,
    detail: 'The user cannot change from its present status to this one.',
  },
  /** B0 and B0E without a document (D-116): refused by verification, which reacts to the move. */
  identity_documents_missing: { status: 409, detail: 'The user has no identity document yet.' },
} as const satisfies ErrorCatalogue
export type UserErrorCode = keyof typeof userErrors

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof userErrors> {}
}
