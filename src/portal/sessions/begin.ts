import { hashSessionToken, isSessionToken, makeSessionToken } from '#callers/cookies.ts'
import type { Tx } from '#kit/context.ts'
import { CALLERS } from '#kit/http/callers/caller_cache.ts'
import type { Visit } from '#kit/http/visit.ts'
import { newId } from '#lib/id.ts'
import { noteSignIn } from '#portal/attempts/attempts.ts'
import { deleteSessionOfToken, insertSession } from './store.ts'

/**
 * Begins a session with a new token and sends its cookie. The session whose cookie the request
 * came with ends: nobody else's token is ever taken over. `with_factor`: a second factor has signed
 * in, as a passkey always is (D-1001).
 */
export async function beginSession(
  tx: Tx,
  membership_id: string,
  visit: Visit,
  { with_factor = false }: { with_factor?: boolean } = {},
): Promise<void> {
  const { token, token_hash } = makeSessionToken()
  const { presented, user_agent, address } = visit
  if (presented !== undefined && isSessionToken(presented)) {
    await deleteSessionOfToken(tx, hashSessionToken(presented))
    tx.afterCommit(() => tx.notify(CALLERS))
  }
  const session = { id: newId(), token_hash, membership_id, user_agent, address, with_factor }
  await insertSession(tx, session)
  await noteSignIn(tx, address)
  visit.setSession(token)
}
