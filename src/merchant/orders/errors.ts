import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const orderErrors = {
  order_already_captured: { status: 406, detail: 'The order is captured already.' },
  order_still_open: { status: 406, detail: 'The order is still open.' },
  order_already_refunded: { status: 406, detail: 'The order is refunded already.' },
  order_charged_back: {
    status: 406,
    detail: 'The card network took the amount back for a dispute: it is not refunded as well.',
  },
  order_operation_in_progress: {
    status: 409,
    detail: 'Another operation of this order is under way. Wait for its outcome.',
  },
} as const satisfies ErrorCatalogue
export type OrderErrorCode = keyof typeof orderErrors

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof orderErrors> {}
}
