import { recordChange } from '#kit/audit_log/records.ts'
import { transact } from '#kit/context.ts'
import { type Route, route } from '#kit/http/route.ts'
import { Nothing } from '#kit/http/schema.ts'
import { visitIn } from '#kit/http/visit.ts'
import { memberOf } from '#portal/people/people.ts'
import { PasswordAgain, RecoveryCodes, SecondFactors, TotpCode, TotpSecret } from './schema.ts'
import {
  assertPassword,
  confirmTotp,
  getSecondFactors,
  removeTotp,
  startTotp,
} from './second_factors.ts'

/** `issuer` is the name that an authenticator app shows. */
export const secondFactorRoutes = (issuer: string): readonly Route[] => [
  route({
    id: 'getSecondFactors',
    tag: 'Second factors',
    description: 'Returns which second factors the member has.',
    method: 'GET',
    path: '/second_factors',
    permission: 'member',
    summary: 'Get the second factors',
    answer: SecondFactors,
    run: (ctx) => getSecondFactors(ctx, memberOf(ctx).id),
  }),
  route({
    id: 'createTotp',
    tag: 'Second factors',
    description:
      'Returns a new secret for an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds). ' +
      'It is used once `POST /totp:confirm` has its first code; until then another call replaces ' +
      'it. Fails with `totp_active` where codes are set up.',
    method: 'POST',
    path: '/totp',
    permission: 'member',
    summary: 'Begin to set up codes by time',
    answer: TotpSecret,
    answersSecret: true,
    errors: ['totp_active'],
    run: (ctx) => startTotp(ctx, memberOf(ctx).id, issuer),
  }),
  route({
    id: 'confirmTotp',
    tag: 'Second factors',
    description:
      'Takes the first code of the app; from now on a sign-in needs one. Returns ten recovery ' +
      'codes, each valid once in place of a code.',
    method: 'POST',
    path: '/totp:confirm',
    permission: 'member',
    summary: 'Confirm codes by time',
    body: TotpCode,
    answer: RecoveryCodes,
    answersSecret: true,
    errors: ['code_wrong', 'totp_active', 'totp_missing'],
    run: (ctx, { body }) => confirmTotp(ctx, memberOf(ctx).id, body.code),
  }),
  route({
    id: 'deleteTotp',
    tag: 'Second factors',
    description:
      'Removes the secret and the recovery codes. Takes the password; failures count like those ' +
      'of a sign-in.',
    method: 'DELETE',
    path: '/totp',
    permission: 'member',
    summary: 'Remove codes by time',
    visits: true,
    commitsItself: true,
    body: PasswordAgain,
    answer: Nothing,
    status: 204,
    errors: ['credentials_wrong', 'rate_limited', 'totp_missing', 'unavailable'],
    async run(ctx, input) {
      const { id } = memberOf(ctx)
      await assertPassword(ctx, id, { ...input.body, visit: visitIn(input) })
      await transact(ctx, async (tx) => {
        await removeTotp(tx, id)
        recordChange(tx, [id])
      })
    },
  }),
]
