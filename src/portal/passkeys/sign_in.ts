/** Signing in with a passkey, without a password (D-582). */

import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Context } from '#kit/context.ts'
import type { Visit } from '#kit/http/visit.ts'
import { ApiError } from '#lib/result.ts'
import { countAttempt, uncountAttempt } from '#portal/attempts/attempts.ts'
import { overAllTenants } from '#portal/over_all_tenants.ts'
import { findCandidateById, lockCandidate, readMember } from '#portal/people/people.ts'
import { recordedStep } from '#portal/recorded_step.ts'
import type { SignedIn } from '#portal/sessions/schema.ts'
import { beginSession } from '#portal/sessions/sessions.ts'
import { ownerOfPasskey, personOfPasskey, type Site } from './passkeys.ts'

/**
 * Begins a session. Throws `credentials_wrong` for an unknown passkey and for a response that is
 * not right alike, and `rate_limited` as a sign-in with a password does.
 */
export async function signInWithPasskey(
  given: Context,
  credential: AuthenticationResponseJSON,
  site: Site,
  visit: Visit,
): Promise<SignedIn> {
  const ctx = overAllTenants(given)
  const attempt = { email: `passkey ${credential.id}`, address: visit.address }
  const counted = await countAttempt(ctx, attempt)
  const owner = await ownerOfPasskey(ctx, credential.id)
  const candidate = owner === undefined ? undefined : await findCandidateById(ctx, owner)
  const step = { operation: 'signInWithPasskey', email: attempt.email, visit } as const
  const signedIn =
    candidate &&
    (await recordedStep(ctx, candidate, { ...step, status: 201 }, async (tx) => {
      // A request that takes the passkey or ends the sessions waits, and then finds this one.
      if (!(await lockCandidate(tx, candidate))) return undefined
      if ((await personOfPasskey(tx, credential, site)) === undefined) return undefined
      await uncountAttempt(tx, counted)
      await beginSession(tx, candidate.membership_id, visit, { with_factor: true })
      return { member: await readMember(tx, candidate.person_id) }
    }))
  if (signedIn) return signedIn
  await recordedStep(ctx, candidate, { ...step, status: 401 }, async () => true)
  throw new ApiError('credentials_wrong')
}
