/** For routes whose requests join what an earlier one under the same key has begun (D-131). */

import { readClock } from '#kit/clock.ts'
import type { Context } from '#kit/context.ts'
import { timeOfId } from '#lib/id.ts'
import { ApiError } from '#lib/result.ts'
import { type IdempotencyKey, KEY_LIFETIME_MS } from './idempotency.ts'

/**
 * Whether what an earlier request with this key has begun is of this request. Not past the lifetime
 * of keys, which is in real time (D-115), as that of ids. Fails with `idempotency_key_reused` where
 * it is of another request.
 */
export async function isSameRequest(
  { db }: Context,
  { fingerprint }: IdempotencyKey,
  before: { id: string; fingerprint: Buffer | null },
): Promise<boolean> {
  const real = await readClock(db)
  if (timeOfId(before.id) < real.getTime() - KEY_LIFETIME_MS) return false
  if (!before.fingerprint?.equals(fingerprint)) throw new ApiError('idempotency_key_reused')
  return true
}

/** Another request with the same key has stored the same answer already. */
export function unlessStored(error: unknown): void {
  const isStored = error instanceof ApiError && error.code === 'idempotency_key_in_use'
  if (!isStored) throw error
}
