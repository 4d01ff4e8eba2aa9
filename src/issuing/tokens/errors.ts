import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const tokenErrors = {
  pci_compliance_required: {
    status: 403,
    detail: 'The tenant is not PCI compliant and may not read or send card data.',
  },
  card_data_mismatch: { status: 409, detail: 'The card data does not match a card.' },
  provisioning_blocked: {
    status: 409,
    detail: 'Provisioning of this card is blocked after too many wrong attempts.',
  },
  card_not_active: { status: 409, detail: 'The card is not active.' },
  tokens_per_card_reached: {
    status: 409,
    detail: 'The card has as many wallet tokens as are allowed.',
  },
  token_status_move_refused: {
    status: 409,
    detail: 'The wallet token cannot change from its present status to this one.',
  },
} as const satisfies ErrorCatalogue
export type TokenErrorCode = keyof typeof tokenErrors

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof tokenErrors> {}
}
