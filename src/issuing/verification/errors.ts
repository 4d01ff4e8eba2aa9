/** Error codes of verification with their HTTP statuses. */
export const verificationErrors = {
  /** No report can be received: no check is open, or the user's status has changed. */
  verification_not_awaited: 409,
  kyc_not_awaited: 409,
  kyc_in_progress: 409,
  kyc_decided: 409,
  parent_kyc_missing: 409,
} as const
export type VerificationErrorCode = keyof typeof verificationErrors
