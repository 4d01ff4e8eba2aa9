import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const teamErrors = {
  last_owner: {
    status: 409,
    detail: 'The last owner can neither be removed nor get another role.',
  },
  not_sole_owner: {
    status: 409,
    detail: 'The operator resets the factors of a sole owner only: an owner of the team can do it.',
  },
  too_many_invitations: {
    status: 409,
    detail: 'There are 100 invitations that are open; delete some of them first.',
  },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof teamErrors> {}
}
