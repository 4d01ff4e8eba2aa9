import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const ledgerErrors = {
  insufficient_funds: { status: 409, detail: 'The account does not have enough available funds.' },
  balance_too_large: {
    status: 409,
    detail: 'The balance would exceed the largest amount that an account can hold.',
  },
} as const satisfies ErrorCatalogue
export type LedgerErrorCode = keyof typeof ledgerErrors

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof ledgerErrors> {}
}
