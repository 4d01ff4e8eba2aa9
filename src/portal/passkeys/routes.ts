import { recordChange } from '#kit/audit_log/records.ts'
import { transact } from '#kit/context.ts'
import { kept } from '#kit/http/idempotency.ts'
import { type Route, route } from '#kit/http/route.ts'
import { Nothing } from '#kit/http/schema.ts'
import { visitIn } from '#kit/http/visit.ts'
import type { Outbox } from '#portal/mails/mails.ts'
import { memberOf } from '#portal/people/people.ts'
import { PasswordAgain } from '#portal/second_factors/schema.ts'
import { assertProven, checkPassword, mailFactors } from '#portal/second_factors/second_factors.ts'
import { SignedIn } from '#portal/sessions/schema.ts'
import {
  confirmPasskey,
  listPasskeys,
  removePasskey,
  type Site,
  startPasskey,
  startSignIn,
} from './passkeys.ts'
import {
  CreationOptions,
  NewPasskey,
  Passkey,
  PasskeyList,
  PasskeyPath,
  PasskeySignIn,
  RequestOptions,
} from './schema.ts'
import { signInWithPasskey } from './sign_in.ts'

const signInRoutes = (site: () => Site): Route[] => [
  route({
    id: 'createPasskeyChallenge',
    tag: 'Passkeys',
    description:
      'Returns what the browser needs to sign in with a passkey. The challenge in it is valid ' +
      'once, for five minutes. It names no account. Fails with `not_configured` if the host ' +
      'of `PUBLIC_URL` is an address other than loopback, since passkeys belong to a name.',
    method: 'POST',
    path: '/passkeys:options',
    permission: 'open',
    summary: 'Begin a sign-in with a passkey',
    answer: RequestOptions,
    errors: ['not_configured'],
    run: async (ctx) => ({ options: await startSignIn(ctx, site()) }),
  }),
  route({
    id: 'signInWithPasskey',
    tag: 'Passkeys',
    description:
      'Begins a session with a passkey, which is both factors: it was verified by its device. ' +
      'Failures count like those of a sign-in.',
    method: 'POST',
    path: '/sessions:passkey',
    permission: 'open',
    summary: 'Sign in with a passkey',
    visits: true,
    commitsItself: true,
    body: PasskeySignIn,
    answer: SignedIn,
    status: 201,
    errors: ['credentials_wrong', 'rate_limited', 'not_configured'],
    run: (ctx, input) => signInWithPasskey(ctx, input.body.credential, site(), visitIn(input)),
  }),
]

const ownRoutes = (site: () => Site, outbox: Outbox): Route[] => [
  route({
    id: 'createPasskey',
    tag: 'Passkeys',
    description:
      'Returns what the browser needs to make a passkey. The challenge in it is valid once, for ' +
      'five minutes, and for this member. Takes the password, unless a second factor has signed ' +
      'in within the last five minutes, or the team requires one that the member lacks and the ' +
      'sign-in was within the last ten minutes. After ten wrong passwords of the session within ' +
      '15 minutes a further one is 429.',
    method: 'POST',
    path: '/passkeys',
    permission: 'member',
    summary: 'Begin to register a passkey',
    // A wrong password stays counted, under an idempotency key too.
    keepsOwnAnswer: true,
    body: PasswordAgain,
    bodyOptional: true,
    answer: CreationOptions,
    errors: ['not_configured', 'credentials_wrong', 'rate_limited', 'unavailable'],
    async run(ctx, { body, keep }) {
      const proof = await checkPassword(ctx, body)
      return transact(ctx, async (tx) => {
        const basis = await assertProven(tx, proof, { mayBeFirst: true })
        const { id } = memberOf(tx)
        recordChange(tx, [id])
        return kept(tx, keep, { options: await startPasskey(tx, id, site(), { basis }) })
      })
    },
  }),
  route({
    id: 'confirmPasskey',
    tag: 'Passkeys',
    description:
      'Registers the passkey that the browser has made, in the session that has begun it. A ' +
      'member has at most 20. The member gets a mail.',
    method: 'POST',
    path: '/passkeys:confirm',
    permission: 'member',
    summary: 'Register a passkey',
    body: NewPasskey,
    answer: Passkey,
    status: 201,
    errors: ['passkey_invalid', 'not_configured'],
    run: (ctx, { body }) =>
      transact(ctx, async (tx) => {
        const { id } = memberOf(tx)
        const passkey = await confirmPasskey(tx, id, body, site())
        await mailFactors(tx, outbox, id, 'PASSKEY_ADDED')
        return passkey
      }),
  }),
  route({
    id: 'listPasskeys',
    tag: 'Passkeys',
    description: 'Lists the passkeys of the member, oldest first.',
    method: 'GET',
    path: '/passkeys',
    permission: 'member',
    summary: 'List passkeys',
    answer: PasskeyList,
    run: async (ctx) => ({ data: await listPasskeys(ctx, memberOf(ctx).id), has_more: false }),
  }),
  route({
    id: 'deletePasskey',
    tag: 'Passkeys',
    description:
      'Removes a passkey. Takes the password, unless a second factor has signed in within the ' +
      'last five minutes; after ten wrong ones of the session within 15 minutes a further one is ' +
      '429. The member gets a mail.',
    method: 'DELETE',
    path: '/passkeys/{id}',
    permission: 'member',
    summary: 'Remove a passkey',
    commitsItself: true,
    params: PasskeyPath,
    body: PasswordAgain,
    bodyOptional: true,
    answer: Nothing,
    status: 204,
    errors: ['credentials_wrong', 'rate_limited', 'unavailable'],
    async run(ctx, { params, body }) {
      const proof = await checkPassword(ctx, body)
      await transact(ctx, async (tx) => {
        await assertProven(tx, proof)
        const { id } = memberOf(tx)
        await removePasskey(tx, id, params.id)
        await mailFactors(tx, outbox, id, 'PASSKEY_REMOVED')
        recordChange(tx, [id])
      })
    },
  }),
]

/** `site` is called when it is needed: the port may be known only once the program listens. */
export const passkeyRoutes = (site: () => Site, outbox: Outbox): readonly Route[] => [
  ...signInRoutes(site),
  ...ownRoutes(site, outbox),
]
