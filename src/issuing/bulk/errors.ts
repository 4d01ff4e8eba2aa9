/** Every way this slice says no, and the HTTP status that carries it. */
export const bulkErrors = {
  id_taken: 409,
  bulk_issuance_move_refused: 409,
} as const
export type BulkErrorCode = keyof typeof bulkErrors
