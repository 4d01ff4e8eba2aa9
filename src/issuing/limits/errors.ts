import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

/** The last four have the names of the status codes 1875 to 1878 (D-35, D-41). */
export const limitErrors = {
  limits_reached: { status: 409, detail: 'The object has as many limits as it may have.' },
  limit_not_linked: { status: 409, detail: 'The limit does not apply to this card.' },
  maximum_account_balance_limit_reached: {
    status: 409,
    detail: 'The account would have more than a balance limit permits.',
  },
  minimum_account_balance_limit_reached: {
    status: 409,
    detail: 'The account would have less available than a balance limit permits.',
  },
  maximum_user_balance_limit_reached: {
    status: 409,
    detail: 'The accounts of the user would have more than a balance limit permits.',
  },
  minimum_user_balance_limit_reached: {
    status: 409,
    detail: 'The accounts of the user would have less available than a balance limit permits.',
  },
} as const satisfies ErrorCatalogue
export type LimitErrorCode = keyof typeof limitErrors

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof limitErrors> {}
}
