import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const cardErrors = {
  pci_compliance_required: {
    status: 403,
    detail: 'The tenant is not PCI compliant and may not read or send card data.',
  },
  card_terminated: { status: 409, detail: 'The card is terminated and cannot change.' },
  card_status_move_refused: {
    status: 409,
    detail: 'The card cannot change from its present status to this one.',
  },
  card_migrating: {
    status: 409,
    detail: 'The virtual card is becoming a physical one; its settings cannot change until it has.',
  },
  card_migration_refused: {
    status: 409,
    detail: 'Only an ACTIVE virtual card can become a physical one.',
  },
  fulfillment_move_refused: {
    status: 409,
    detail: 'The fulfillment cannot change from its present status to this one.',
  },
  card_not_terminated: { status: 409, detail: 'Only a terminated card can be replaced.' },
  card_already_replaced: { status: 409, detail: 'The card has already been replaced.' },
  card_already_linked: { status: 409, detail: 'The card is already linked.' },
  cards_per_user_reached: {
    status: 409,
    detail: 'The user has as many cards as the card product allows.',
  },
  account_not_fitting: {
    status: 409,
    detail: 'The account does not fit the card: its user or its currency differs.',
  },
} as const satisfies ErrorCatalogue
export type CardErrorCode = keyof typeof cardErrors

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof cardErrors> {}
}
