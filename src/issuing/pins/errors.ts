/** The error codes of this slice and their HTTP statuses. */
export const pinErrors = {
  pci_compliance_required: 403,
  pin_refused: 400,
  pin_block_refused: 400,
  card_not_active: 409,
} as const
export type PinErrorCode = keyof typeof pinErrors
