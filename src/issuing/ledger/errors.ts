/** Every way the ledger says no, and the HTTP status that carries it. */
export const ledgerErrors = {
  insufficient_funds: 409,
  balance_too_large: 409,
} as const
export type LedgerErrorCode = keyof typeof ledgerErrors
