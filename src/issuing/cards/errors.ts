/** The error codes of this slice and their HTTP statuses. */
export const cardErrors = {
  pci_compliance_required: 403,
  id_taken: 409,
  card_terminated: 409,
  card_status_move_refused: 409,
  card_migrating: 409,
  card_migration_refused: 409,
  fulfillment_move_refused: 409,
  card_not_terminated: 409,
  card_already_replaced: 409,
  card_already_linked: 409,
  cards_per_user_reached: 409,
  account_not_active: 409,
  account_not_fitting: 409,
} as const
export type CardErrorCode = keyof typeof cardErrors
