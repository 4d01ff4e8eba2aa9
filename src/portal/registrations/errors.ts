import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const registrationErrors = {
  sign_up_closed: { status: 403, detail: 'Members are invited here; nobody signs up alone.' },
  token_invalid: {
    status: 400,
    detail: 'The link is not valid: it was used, has ended, or is not complete.',
  },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof registrationErrors> {}
}
