import { recordChange } from '#kit/audit_log/records.ts'
import { transact } from '#kit/context.ts'
import { kept } from '#kit/http/idempotency.ts'
import { type Route, route } from '#kit/http/route.ts'
import { Nothing } from '#kit/http/schema.ts'
import type { Outbox } from '#portal/mails/mails.ts'
import { memberOf } from '#portal/people/people.ts'
import { PasswordAgain, RecoveryCodes, SecondFactors, TotpCode, TotpSecret } from './schema.ts'
import {
  assertProven,
  checkPassword,
  confirmTotp,
  getSecondFactors,
  guessing,
  mailFactors,
  removeTotp,
  startTotp,
} from './second_factors.ts'

/** `issuer` is the name that an authenticator app shows. */
export type FactorParts = { issuer: string; outbox: Outbox }

export const secondFactorRoutes = ({ issuer, outbox }: FactorParts): readonly Route[] => [
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
      'it. Fails with `totp_active` if codes are set up. Takes the password, unless a second ' +
      'factor has signed in within the last five minutes, or the team requires one that the ' +
      'member lacks and the sign-in was within the last ten minutes. After ten wrong passwords ' +
      'of the session within 15 minutes a further one is 429.',
    method: 'POST',
    path: '/totp',
    permission: 'member',
    summary: 'Begin to set up codes by time',
    // A wrong password stays counted, under an idempotency key too.
    keepsOwnAnswer: true,
    body: PasswordAgain,
    bodyOptional: true,
    answer: TotpSecret,
    answersSecret: true,
    errors: ['totp_active', 'credentials_wrong', 'rate_limited', 'unavailable'],
    async run(ctx, { body, keep }) {
      const proof = await checkPassword(ctx, body)
      return transact(ctx, async (tx) => {
        await assertProven(tx, proof, { mayBeFirst: true })
        const { id } = memberOf(tx)
        const started = await startTotp(tx, id, issuer)
        recordChange(tx, [id])
        return kept(tx, keep, started)
      })
    },
  }),
  route({
    id: 'confirmTotp',
    tag: 'Second factors',
    description:
      'Takes the first code of the app; from now on a sign-in needs one. Returns ten recovery ' +
      'codes, each valid once in place of a code. The member gets a mail. Fails with ' +
      '`totp_missing` in another session than that of `POST /totp`, and five minutes after it. ' +
      'After ten wrong codes or passwords of the session within 15 minutes a further one is 429.',
    method: 'POST',
    path: '/totp:confirm',
    permission: 'member',
    summary: 'Confirm codes by time',
    keepsOwnAnswer: true,
    body: TotpCode,
    answer: RecoveryCodes,
    answersSecret: true,
    errors: ['code_wrong', 'totp_active', 'totp_missing', 'rate_limited'],
    run: (ctx, { body, keep }) =>
      guessing(ctx, () =>
        transact(ctx, async (tx) => {
          const { id } = memberOf(tx)
          const confirmed = await confirmTotp(tx, id, body.code)
          await mailFactors(tx, outbox, id, 'TOTP_ADDED')
          recordChange(tx, [id])
          return kept(tx, keep, confirmed)
        }),
      ),
  }),
  route({
    id: 'deleteTotp',
    tag: 'Second factors',
    description:
      'Removes the secret and the recovery codes. Takes the password, unless a second factor has ' +
      'signed in within the last five minutes; after ten wrong ones of the session within 15 ' +
      'minutes a further one is 429. The member gets a mail.',
    method: 'DELETE',
    path: '/totp',
    permission: 'member',
    summary: 'Remove codes by time',
    commitsItself: true,
    body: PasswordAgain,
    bodyOptional: true,
    answer: Nothing,
    status: 204,
    errors: ['credentials_wrong', 'rate_limited', 'totp_missing', 'unavailable'],
    async run(ctx, { body }) {
      const proof = await checkPassword(ctx, body)
      await transact(ctx, async (tx) => {
        await assertProven(tx, proof)
        const { id } = memberOf(tx)
        await removeTotp(tx, id)
        await mailFactors(tx, outbox, id, 'TOTP_REMOVED')
        recordChange(tx, [id])
      })
    },
  }),
]
