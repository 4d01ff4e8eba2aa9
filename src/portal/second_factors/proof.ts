/** Removing a factor takes the password again: a session left open must not be enough (D-140). */

import type { Context } from '#kit/context.ts'
import type { Visit } from '#kit/http/visit.ts'
import { ApiError } from '#lib/result.ts'
import { countAttempt, uncountAttempt } from '#portal/attempts/attempts.ts'
import { overAllTenants } from '#portal/over_all_tenants.ts'
import { isPassword } from '#portal/people/people.ts'
import { findCredentials } from './store.ts'

/**
 * Throws `credentials_wrong` where it is not the person's password, and `rate_limited` as a sign-in
 * does: both count together. To be called outside a transaction, so that a failure stays counted.
 */
export async function assertPassword(
  given: Context,
  person_id: string,
  { password, visit }: { password: string; visit: Visit },
): Promise<void> {
  const ctx = overAllTenants(given)
  const { email = '', password_hash = null } = (await findCredentials(ctx, person_id)) ?? {}
  const counted = await countAttempt(ctx, { email, address: visit.address })
  if (!(await isPassword(password, password_hash))) throw new ApiError('credentials_wrong')
  await uncountAttempt(ctx, counted)
}
