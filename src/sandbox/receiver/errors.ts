import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const receiverErrors = {
  receiver_limit_reached: {
    status: 409,
    detail: 'The tenant has the most receivers that it may have; delete one.',
  },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof receiverErrors> {}
}
