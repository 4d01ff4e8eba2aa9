import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const endpointErrors = {
  webhook_disabled: { status: 409, detail: 'The endpoint is disabled.' },
  webhook_limit_reached: {
    status: 409,
    detail: 'The merchant has as many endpoints as are allowed.',
  },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof endpointErrors> {}
}
