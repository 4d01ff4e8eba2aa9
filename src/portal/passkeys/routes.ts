import { recordChange } from '#kit/audit_log/records.ts'
import { transact } from '#kit/context.ts'
import { type Route, route } from '#kit/http/route.ts'
import { Nothing } from '#kit/http/schema.ts'
import { visitIn } from '#kit/http/visit.ts'
import { memberOf } from '#portal/people/people.ts'
import { assertPassword } from '#portal/second_factors/second_factors.ts'
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
  PasswordAgain,
  RequestOptions,
} from './schema.ts'
import { signInWithPasskey } from './sign_in.ts'

const signInRoutes = (site: () => Site): Route[] => [
  route({
    id: 'createPasskeyChallenge',
    tag: 'Passkeys',
    description:
      'Returns what the browser needs to sign in with a passkey. The challenge in it is valid ' +
      'once, for five minutes. It names no account.',
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

const ownRoutes = (site: () => Site): Route[] => [
  route({
    id: 'createPasskey',
    tag: 'Passkeys',
    description:
      'Returns what the browser needs to make a passkey. The challenge in it is valid once, for ' +
      'five minutes, and for this member.',
    method: 'POST',
    path: '/passkeys',
    permission: 'member',
    summary: 'Begin to register a passkey',
    answer: CreationOptions,
    errors: ['not_configured'],
    run: async (ctx) => ({ options: await startPasskey(ctx, memberOf(ctx).id, site()) }),
  }),
  route({
    id: 'confirmPasskey',
    tag: 'Passkeys',
    description: 'Registers the passkey that the browser has made. A member has at most 20.',
    method: 'POST',
    path: '/passkeys:confirm',
    permission: 'member',
    summary: 'Register a passkey',
    body: NewPasskey,
    answer: Passkey,
    status: 201,
    errors: ['passkey_invalid', 'not_configured'],
    run: (ctx, { body }) => confirmPasskey(ctx, memberOf(ctx).id, body, site()),
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
    description: 'Removes a passkey. Takes the password; failures count like those of a sign-in.',
    method: 'DELETE',
    path: '/passkeys/{id}',
    permission: 'member',
    summary: 'Remove a passkey',
    visits: true,
    commitsItself: true,
    params: PasskeyPath,
    body: PasswordAgain,
    answer: Nothing,
    status: 204,
    errors: ['credentials_wrong', 'rate_limited', 'unavailable'],
    async run(ctx, input) {
      const { id } = memberOf(ctx)
      await assertPassword(ctx, id, { ...input.body, visit: visitIn(input) })
      await transact(ctx, async (tx) => {
        await removePasskey(tx, id, input.params.id)
        recordChange(tx, [id])
      })
    },
  }),
]

/** `site` is called when it is needed: the port may be known only once the program listens. */
export const passkeyRoutes = (site: () => Site): readonly Route[] => [
  ...signInRoutes(site),
  ...ownRoutes(site),
]
