import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const webhookErrors = {
  polls_exceeded: {
    status: 429,
    detail: 'The tenant has as many waiting requests as are allowed.',
    retry_after_seconds: 1,
  },
  webhook_disabled: { status: 409, detail: 'The subscription is disabled.' },
  webhook_limit_reached: {
    status: 409,
    detail: 'The tenant has as many subscriptions as are allowed.',
  },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof webhookErrors> {}
}
