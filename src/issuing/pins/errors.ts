import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const pinErrors = {
  pin_refused: { status: 400, detail: 'The PIN does not fit the rules of the card product.' },
  pin_block_refused: { status: 400, detail: 'The PIN block cannot be read.' },
  card_not_active: { status: 409, detail: 'The card is not active.' },
} as const satisfies ErrorCatalogue
export type PinErrorCode = keyof typeof pinErrors

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof pinErrors> {}
}
