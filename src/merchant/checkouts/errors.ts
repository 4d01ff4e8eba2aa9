import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const checkoutErrors = {
  payment_in_progress: { status: 409, detail: 'A payment of this checkout is in progress.' },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof checkoutErrors> {}
}
