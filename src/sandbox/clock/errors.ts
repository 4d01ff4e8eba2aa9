import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const clockErrors = {
  clock_backwards: { status: 409, detail: 'The clock cannot be moved backwards.' },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof clockErrors> {}
}
