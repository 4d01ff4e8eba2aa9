import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const vaultErrors = {
  pan_range_exhausted: { status: 409, detail: 'The card product has no free card numbers left.' },
  key_block_protection_key_missing: {
    status: 409,
    detail: 'The card product has no key block protection key.',
  },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof vaultErrors> {}
}
