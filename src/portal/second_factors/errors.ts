import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const secondFactorErrors = {
  code_wrong: { status: 400, detail: 'The code is wrong, was used before, or has ended.' },
  totp_active: { status: 409, detail: 'Codes by time are set up already; remove them first.' },
  totp_missing: { status: 409, detail: 'No codes by time are set up.' },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof secondFactorErrors> {}
}
