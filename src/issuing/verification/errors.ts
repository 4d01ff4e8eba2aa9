import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const verificationErrors = {
  /** No report can be received: no check is open, or the user's status has gone on. */
  verification_not_awaited: {
    status: 409,
    detail: 'No identity check of this user is waiting for a report.',
  },
  kyc_not_awaited: { status: 409, detail: 'The user is not waiting for a KYC request.' },
  kyc_in_progress: { status: 409, detail: 'A KYC request of this user is already in progress.' },
  kyc_decided: { status: 409, detail: 'This KYC request has already been decided.' },
  match_decided: { status: 409, detail: 'This match has already been judged.' },
  matches_open: { status: 409, detail: 'Matches of the user have not been judged.' },
  review_outdated: { status: 409, detail: 'The reviewed data has changed since then.' },
  parent_kyc_missing: { status: 409, detail: 'The parent user has not passed KYC yet.' },
} as const satisfies ErrorCatalogue
export type VerificationErrorCode = keyof typeof verificationErrors

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof verificationErrors> {}
}
