import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const passkeyErrors = {
  passkey_invalid: {
    status: 400,
    detail:
      'The passkey cannot be registered: its response is not to an unused challenge of the last ' +
      'five minutes, it exists already, or there are 20.',
  },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof passkeyErrors> {}
}
