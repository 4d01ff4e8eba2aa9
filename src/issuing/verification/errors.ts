/** Every way this slice says no, and the HTTP status that carries it. */
export const verificationErrors = {
  /** No report can be received: no check is open, or the user's status has gone on. */
  verification_not_awaited: 409,
  kyc_not_awaited: 409,
  kyc_in_progress: 409,
  kyc_decided: 409,
  parent_kyc_missing: 409,
} as const
export type VerificationErrorCode = keyof typeof verificationErrors
