import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const challengeErrors = {
  challenge_not_offered: {
    status: 409,
    detail: 'The card takes no part in 3-D Secure: it is not ACTIVE, or its product not `otp_3ds`.',
  },
  challenge_unreachable: {
    status: 409,
    detail:
      'The code cannot go out: the cardholder has no e-mail address, or no mails are sent here.',
  },
  challenge_over: {
    status: 409,
    detail: 'The challenge has ended: it was answered before, or its five minutes are over.',
  },
  challenge_code_wrong: { status: 409, detail: 'The code is not the one that was sent.' },
  challenge_other_payment: {
    status: 409,
    detail: 'The challenge is of another amount, currency or merchant than the payment.',
  },
  challenge_without_code: {
    status: 409,
    detail: 'No code was made for the challenge: the cardholder approves or declines it.',
  },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof challengeErrors> {}
}
