/** For routes whose requests join what an earlier one under the same key has begun (D-131). */

import { readClock } from '#kit/clock.ts'
import type { Tx } from '#kit/context.ts'
import { timeOfId } from '#lib/id.ts'
import { ApiError } from '#lib/result.ts'
import { KEY_LIFETIME_MS } from './idempotency.ts'
import type { Keep } from './route.ts'

type Begun = { id: string; fingerprint: Buffer | null }

/**
 * The row that an earlier request with the same key has begun, by `find`; a retry joins it. Not
 * past the lifetime of keys, which is in real time (D-115), as that of ids. Fails with
 * `idempotency_key_reused` if the row is of another request.
 */
export async function findOfSameRequest<Row extends Begun>(
  tx: Tx,
  keep: Keep | undefined,
  find: (tx: Tx, key: string) => Promise<Row | undefined>,
): Promise<Row | undefined> {
  const before = keep && (await find(tx, keep.key.key))
  if (!before) return undefined
  const real = await readClock(tx.db)
  if (timeOfId(before.id) < real.getTime() - KEY_LIFETIME_MS) return undefined
  if (!before.fingerprint?.equals(keep.key.fingerprint)) {
    throw new ApiError('idempotency_key_reused')
  }
  return before
}

/** Another request with the same key has stored the same answer already. */
export function unlessStored(error: unknown): void {
  const isStored = error instanceof ApiError && error.code === 'idempotency_key_in_use'
  if (!isStored) throw error
}
