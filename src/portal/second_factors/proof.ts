/**
 * A change of the factors takes the password again, or a sign-in with a factor in the last five
 * minutes: a session alone must not be enough (D-140, D-1001).
 */

import type { Context, Tx } from '#kit/context.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { ApiError } from '#lib/result.ts'
import { countConfirmation, uncountAttempt } from '#portal/attempts/attempts.ts'
import { overAllTenants } from '#portal/over_all_tenants.ts'
import { isPassword, memberOf } from '#portal/people/people.ts'
import { findCredentials, findOwnSession, lockCredentials } from './store.ts'

/** The hash of the password that was given, which is right; without one nothing was given. */
export type Proof = { password_hash?: string | null }

/** A change of the factors rests on one of these: FIRST is neither, while there is no factor. */
export type Basis = 'PASSWORD' | 'FACTOR' | 'FIRST'

/**
 * Throws `credentials_wrong` if it is not the member's password, and `rate_limited` after ten such
 * of the session within 15 minutes. To be called outside a transaction, so that a failure stays
 * counted.
 */
export async function checkPassword(
  given: Context,
  { password }: { password?: string },
): Promise<Proof> {
  if (password === undefined) return {}
  return guessing(given, async (ctx) => {
    const { id } = memberOf(ctx)
    const { password_hash = null } = (await findCredentials(ctx, id)) ?? {}
    const isRight = await isPassword(password, password_hash, 'KNOWN', id)
    if (!isRight) throw new ApiError('credentials_wrong')
    return { password_hash }
  })
}

const WRONG = new Set<string>(['credentials_wrong', 'code_wrong'])

/**
 * Does `work`, whose wrong guess counts by the session, and no other failure of it. Throws
 * `rate_limited` as `checkPassword` does, and is called outside a transaction, too.
 */
export async function guessing<Result>(
  given: Context,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  const ctx = overAllTenants(given)
  const counted = await countConfirmation(ctx, memberOf(ctx).session_id)
  // One that stays counted does no harm, and the effect of `work` stays.
  const uncount = () => uncountAttempt(ctx, counted).catch(() => {})
  try {
    const result = await work(ctx)
    await uncount()
    return result
  } catch (error) {
    if (!(error instanceof ApiError && WRONG.has(error.code))) await uncount()
    throw error
  }
}

/**
 * Locks the member's person until the transaction ends. Throws `credentials_wrong` if the password
 * was replaced meanwhile, `validation_failed` on `password` if it is needed and none was given, and
 * `unauthenticated` if the session has ended. With `mayBeFirst` none is needed for ten minutes
 * after the sign-in of a member who needs a factor and has none.
 */
export async function assertProven(
  tx: Tx,
  { password_hash }: Proof,
  { mayBeFirst = false }: { mayBeFirst?: boolean } = {},
): Promise<Basis> {
  const { id, session_id, lacks_second_factor } = memberOf(tx)
  const person = await lockCredentials(tx, id)
  // Read after the lock: a new password has then ended it.
  const session = await findOwnSession(tx, session_id)
  if (!person || !session) throw new ApiError('unauthenticated')
  if (password_hash !== undefined) {
    if (person.password_hash !== password_hash) throw new ApiError('credentials_wrong')
    return 'PASSWORD'
  }
  if (session.is_proven) return 'FACTOR'
  const needsFirst = lacks_second_factor && !person.has_second_factor && session.is_new
  if (mayBeFirst && needsFirst) return 'FIRST'
  throw invalid('password', NEEDED)
}

const NEEDED = 'is required: no second factor has signed in within the last five minutes'
