import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const vaultErrors = {
  pan_range_exhausted: { status: 409, detail: 'The card product has no free card numbers left.' },
  pin_by_block_only: {
    status: 409,
    detail: 'A PIN reaches the security module as a PIN block only.',
  },
  pin_length_in_module: {
    status: 409,
    detail:
      'A PVV of the security module has four digits; pin.verification OFFSET takes longer PINs.',
  },
  key_by_module_only: {
    status: 409,
    detail: 'The keys of cards are in a security module: this program has none in the clear.',
  },
  key_block_protection_key_missing: {
    status: 409,
    detail: 'The card product has no key block protection key.',
  },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof vaultErrors> {}
}
