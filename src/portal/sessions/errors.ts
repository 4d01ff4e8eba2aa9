import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const sessionErrors = {
  credentials_wrong: {
    status: 401,
    detail: 'The e-mail, the password, the code or the challenge is wrong.',
  },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof sessionErrors> {}
}
