/** The error codes of this slice and their HTTP statuses. */
export const bulkErrors = {
  id_taken: 409,
  bulk_issuance_move_refused: 409,
} as const
export type BulkErrorCode = keyof typeof bulkErrors
