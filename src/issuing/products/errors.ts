import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const productErrors = {
  bin_taken: { status: 409, detail: 'Another card product uses this BIN.' },
  pan_range_taken: {
    status: 409,
    detail: 'Another card product uses a part of this number range.',
  },
  card_product_in_use: {
    status: 409,
    detail: 'Cards exist for this card product, so this member cannot change.',
  },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof productErrors> {}
}
