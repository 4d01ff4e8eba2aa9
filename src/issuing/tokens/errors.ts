import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const tokenErrors = {
  card_data_mismatch: { status: 409, detail: 'The card data does not match a card.' },
  provisioning_blocked: {
    status: 409,
    detail: 'Provisioning of this card is blocked after too many wrong attempts.',
  },
  tokens_per_card_reached: {
    status: 409,
    detail: 'The card has as many wallet tokens as are allowed.',
  },
  token_status_move_refused: {
    status: 409,
    detail: 'The wallet token cannot change from its present status to this one.',
  },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof tokenErrors> {}
}
