import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const reconciliationErrors = {
  reconciliations_running: {
    status: 409,
    detail: 'As many reconciliations are running as may run at one time; try again.',
    retry_after_seconds: 5,
  },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof reconciliationErrors> {}
}
