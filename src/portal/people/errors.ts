import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const peopleErrors = {
  email_taken: { status: 409, detail: 'Another member has this e-mail address.' },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof peopleErrors> {}
}
