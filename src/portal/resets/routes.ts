import { type Route, route } from '#kit/http/route.ts'
import { visitIn } from '#kit/http/visit.ts'
import type { Mailing } from '#portal/mails/mails.ts'
import { SecondFactors } from '#portal/second_factors/schema.ts'
import { checkReset, confirmReset, requestReset } from './resets.ts'
import { Accepted, NewPasswordOf, ResetLink, ResetRequest } from './schema.ts'

export const resetRoutes = (mailing: Mailing): readonly Route[] => [
  route({
    id: 'requestPasswordReset',
    tag: 'Passwords',
    description:
      'Sends a mail with a link for a new password, where the address has a member. The answer ' +
      'is the same where it has none, and where the caller has asked for too many within 15 ' +
      'minutes: 20 from one address of the network, in sandbox 1,000, or five for one member. ' +
      'The link is valid once, for 30 minutes, and ends with the password that it replaces; its ' +
      'token is for `POST /passwords:confirm`.',
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
    id: 'checkPasswordReset',
    tag: 'Passwords',
    description:
      'Returns the second factors of the member for whom a link is, so that the member can ' +
      'choose to remove them. The link stays valid.',
    method: 'POST',
    path: '/passwords:check',
    permission: 'open',
    summary: 'Get the factors behind a link',
    body: ResetLink,
    answer: SecondFactors,
    errors: ['token_invalid'],
    run: (ctx, { body }) => checkReset(ctx, body),
  }),
  route({
    id: 'confirmPasswordReset',
    tag: 'Passwords',
    description:
      'Sets a new password with the token of a link, and ends every session of the member. A ' +
      'password that is not accepted leaves the link valid. Second factors stay as they are, ' +
      'unless `remove_factors` is true; those that the member has then are the answer.',
    method: 'POST',
    path: '/passwords:confirm',
    permission: 'open',
    summary: 'Set a new password',
    visits: true,
    commitsItself: true,
    body: NewPasswordOf,
    answer: SecondFactors,
    errors: ['token_invalid', 'unavailable'],
    run: (ctx, input) =>
      confirmReset(ctx, input.body, { outbox: mailing.outbox, visit: visitIn(input) }),
  }),
]
