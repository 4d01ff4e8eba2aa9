/** The error codes of this slice and their HTTP statuses. */
export const tokenErrors = {
  pci_compliance_required: 403,
  card_data_mismatch: 409,
  provisioning_blocked: 409,
  card_not_active: 409,
  tokens_per_card_reached: 409,
  token_status_move_refused: 409,
} as const
export type TokenErrorCode = keyof typeof tokenErrors
