/** The people of a bank: signing up and in, sessions and keys. */

import { createChallenge, PASSWORD } from '#test/support/portal/browser.ts'
import type { Story } from './story.ts'

/** Before the clock of the story moves: the times of the portal are real. */
export async function signUpAndIn({ call, prepare, world }: Story): Promise<void> {
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
  await call('signOut')
  const challenge = await createChallenge(world, { id: member.id, email: credentials.email })
  await call('verifySignIn', { body: challenge })
}
