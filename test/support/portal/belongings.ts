/** Objects for the operations of members: invitations, links, factors and passkeys. */

import assert from 'node:assert/strict'
import { transact } from '#kit/context.ts'
import { createToken } from '#portal/one_time_tokens/one_time_tokens.ts'
import { confirmPasskey, startPasskey, startSignIn } from '#portal/passkeys/passkeys.ts'
import { hashPassword } from '#portal/people/passwords.ts'
import { startTotp } from '#portal/second_factors/second_factors.ts'
import type { World } from '../world.ts'
import { Authenticator, localOrigin } from './authenticator.ts'
import { giveSecondFactor, memberWith, openBrowser, PASSWORD, someEmail } from './browser.ts'
import { codeOf, mailedToken } from './members.ts'

/**
 * Credentials of two people: one who begins to set up codes by time, one who has them and a
 * passkey.
 */
export type Access = Awaited<ReturnType<typeof createAccess>>

export async function createAccess(
  world: World,
  { cookie }: { cookie: string },
  tenant_id: string,
) {
  const { email } = await createInvitation(world, cookie)
  const [starter, guarded] = [
    await memberWith(world, 'viewer', tenant_id),
    await memberWith(world, 'viewer', tenant_id),
  ]
  await giveSecondFactor(world, guarded.id)
  await openBrowser(world).ask('POST', '/portal/v1/passwords:reset', { email: starter.email })
  const { secret } = await startTotp(await world.ctx(), starter.id, 'Bank')
  return {
    invited: await mailedToken(world, email),
    reset: await mailedToken(world, starter.email),
    confirmation: await createConfirmation(world),
    code: await codeOf(world, secret),
    starter_cookie: starter.browser.cookie,
    guarded_cookie: guarded.browser.cookie,
    ...(await createPasskeys(world, guarded.id)),
  }
}

/** An invitation that is open, by the owner whose cookie it is. */
export async function createInvitation(world: World, cookie: string) {
  const browser = Object.assign(openBrowser(world), { cookie })
  const body = { email: someEmail(), role: 'viewer' }
  const answer = await browser.ask('POST', '/portal/v1/invitations', body)
  assert.equal(answer.status, 201, answer.text)
  return { id: String(answer.body.id), email: body.email }
}

/** The link of a registration that waits, as live sends it. */
async function createConfirmation(world: World): Promise<string> {
  const password_hash = await hashPassword(PASSWORD)
  const data = { email: someEmail(), password_hash, organization: 'Palm Bank' }
  const kind = 'CONFIRM'
  return transact(await world.ctx(), (tx) => createToken(tx, { kind, data, valid_ms: 600_000 }))
}

/** A passkey, an answer that signs in with it, and an answer that registers another. */
async function createPasskeys(world: World, person_id: string) {
  const ctx = await world.ctx()
  const site = { public_url: world.origin(), operator_name: 'Bank' }
  const authenticator = new Authenticator(localOrigin(world))
  const credential = authenticator.register(await startPasskey(ctx, person_id, site))
  const { id: passkey } = await confirmPasskey(ctx, person_id, { name: 'A', credential }, site)
  const assertion = authenticator.signIn(await startSignIn(ctx, site))
  const another = new Authenticator(localOrigin(world))
  const attestation = another.register(await startPasskey(ctx, person_id, site))
  return { passkey, assertion, attestation }
}
