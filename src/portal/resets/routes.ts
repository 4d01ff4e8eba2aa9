import { type Route, route } from '#kit/http/route.ts'
import { Nothing } from '#kit/http/schema.ts'
import { visitIn } from '#kit/http/visit.ts'
import type { Mailing } from '#portal/mails/mails.ts'
import { confirmReset, requestReset } from './resets.ts'
import { Accepted, NewPasswordOf, ResetRequest } from './schema.ts'

export const resetRoutes = (mailing: Mailing): readonly Route[] => [
  route({
    id: 'requestPasswordReset',
    tag: 'Passwords',
    description:
      'Sends a mail with a link for a new password, where the address has a member. The answer ' +
      'is the same where it has none, and where the caller has asked for too many within 15 ' +
      'minutes. The link is valid once, for 30 minutes; its token is for ' +
      '`POST /passwords:confirm`.',
    method: 'POST',
    path: '/passwords:reset',
    permission: 'open',
    summary: 'Ask for a new password',
    visits: true,
    commitsItself: true,
    body: ResetRequest,
    answer: Accepted,
    status: 202,
    async run(ctx, input) {
      await requestReset(ctx, input.body, { ...mailing, visit: visitIn(input) })
      return {}
    },
  }),
  route({
    id: 'confirmPasswordReset',
    tag: 'Passwords',
    description:
      'Sets a new password with the token of a link, and ends every session of the member. A ' +
      'password that is not accepted leaves the link valid. A second factor stays as it is.',
    method: 'POST',
    path: '/passwords:confirm',
    permission: 'open',
    summary: 'Set a new password',
    visits: true,
    commitsItself: true,
    body: NewPasswordOf,
    answer: Nothing,
    status: 204,
    errors: ['token_invalid', 'unavailable'],
    run: (ctx, input) =>
      confirmReset(ctx, input.body, { outbox: mailing.outbox, visit: visitIn(input) }),
  }),
]
