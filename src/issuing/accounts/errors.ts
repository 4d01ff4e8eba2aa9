/** The error codes of this slice with their HTTP status. */
export const accountErrors = {
  account_not_active: 409,
  account_status_move_refused: 409,
  incoming_transfers_not_allowed: 409,
  outgoing_transfers_not_allowed: 409,
} as const
export type AccountErrorCode = keyof typeof accountErrors
