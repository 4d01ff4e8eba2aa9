/** The error codes of the ledger with their HTTP status. */
export const ledgerErrors = {
  insufficient_funds: 409,
  balance_too_large: 409,
} as const
export type LedgerErrorCode = keyof typeof ledgerErrors
