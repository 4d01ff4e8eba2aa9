/** The people of a bank: signing up and in, sessions and keys. */

import { transact } from '#kit/context.ts'
import { createToken } from '#portal/one_time_tokens/one_time_tokens.ts'
import { hashNewPassword } from '#portal/people/people.ts'
import { Authenticator, localOrigin } from '#test/support/portal/authenticator.ts'
import { createChallenge, PASSWORD } from '#test/support/portal/browser.ts'
import { codeOf, mailedToken } from '#test/support/portal/members.ts'
import type { Story } from './story.ts'

/** The sign-up comes before the clock of the story moves: the times of the portal are real. */
export async function signUpAndIn(story: Story): Promise<void> {
  const { call, prepare, world } = story
  const credentials = { email: 'layla@palm.example', password: PASSWORD }
  const body = { ...credentials, organization: 'Palm Bank' }
  const { member } = await call('createRegistration', { body })
  await prepare('signIn', { body: credentials })
  await call('listSessions', { query: { limit: 1 } })
  const { data } = await prepare('listSessions')
  await call('endSession', { params: { id: data[0].id } })
  await call('signIn', { body: credentials })
  await call('getSession')
  const key = await call('createKey', { body: { name: 'Shop', permissions: ['read', 'write'] } })
  await call('listKeys', { query: { limit: 1 } })
  await call('revokeKey', { params: { id: key.id } })
  await buildTeam(story, credentials)
  await replacePassword(story, credentials)
  await setUpFactors(story)
  await call('resetFactorsAsOperator', { params: { id: member.id } })
  await call('signOut')
  const challenge = await createChallenge(world, { id: member.id, email: credentials.email })
  await call('verifySignIn', { body: challenge })
  const registration = { ...body, email: 'noor@oasis.example' }
  await call('confirmRegistration', { body: { token: await waiting(story, registration) } })
}

type Credentials = { email: string; password: string }

async function buildTeam({ call, prepare, world }: Story, owner: Credentials): Promise<void> {
  const body = { email: 'omar@palm.example', role: 'support' }
  const { id } = await call('createInvitation', { body })
  await call('listInvitations', { query: { limit: 1 } })
  await call('deleteInvitation', { params: { id } })
  await prepare('createInvitation', { body })
  const token = await mailedToken(world, body.email)
  const { member } = await call('acceptInvitation', { body: { token, password: PASSWORD } })
  await prepare('signIn', { body: owner })
  await call('listMembers', { query: { limit: 1 } })
  await call('inviteOperator', { body: { email: 'maryam@operator.example' } })
  const params = { id: member.id }
  await call('updateMember', { params, body: { role: 'viewer' } })
  await call('resetMemberFactors', { params, body: { password: PASSWORD } })
  await call('deleteMember', { params, body: { revoke_keys: true } })
}

async function replacePassword(story: Story, { email, password }: Credentials): Promise<void> {
  const { call, prepare, world } = story
  await call('requestPasswordReset', { body: { email } })
  const token = await mailedToken(world, email)
  await call('checkPasswordReset', { body: { token } })
  await call('confirmPasswordReset', { body: { token, password, remove_factors: true } })
  await prepare('signIn', { body: { email, password } })
}

async function setUpFactors({ call, world }: Story): Promise<void> {
  const { secret } = await call('createTotp', { body: { password: PASSWORD } })
  await call('confirmTotp', { body: { code: await codeOf(world, secret) } })
  await call('getSecondFactors')
  await call('deleteTotp', { body: { password: PASSWORD } })

  const authenticator = new Authenticator(localOrigin(world))
  const creation = await call('createPasskey', { body: { password: PASSWORD } })
  const made = { name: 'Laptop', credential: authenticator.register(creation.options) }
  const passkey = await call('confirmPasskey', { body: made })
  await call('listPasskeys')
  const request = await call('createPasskeyChallenge')
  const credential = authenticator.signIn(request.options)
  await call('signInWithPasskey', { body: { credential } })
  await call('deletePasskey', { params: { id: passkey.id }, body: { password: PASSWORD } })
}

/** The link of a registration that is to be confirmed, as live sends it. */
async function waiting(
  { world }: Story,
  { email, organization }: Credentials & { organization: string },
): Promise<string> {
  const password_hash = await hashNewPassword(PASSWORD, { email, organization })
  const data = { email, password_hash, organization }
  const kind = 'CONFIRM'
  return transact(await world.ctx(), (tx) => createToken(tx, { kind, data, valid_ms: 60_000 }))
}
