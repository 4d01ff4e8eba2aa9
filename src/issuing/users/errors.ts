/** Error codes of users with their HTTP statuses. */
export const userErrors = {
  id_taken: 409,
  field_locked: 409,
  parent_not_eligible: 409,
  parent_cycle: 409,
  user_already_linked: 409,
  user_not_active: 409,
  user_status_move_refused: 409,
  /** B0 and B0E without a document (D-116): an error of verification, which reacts to the move. */
  identity_documents_missing: 409,
} as const
export type UserErrorCode = keyof typeof userErrors
