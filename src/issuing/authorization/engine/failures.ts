/** The handling of the messages of a batch that committed nothing. */

import { isConflict } from '#kit/db/conflict.ts'
import { DatabaseUnavailable } from '#kit/db/database.ts'
import { isLocked } from '#kit/db/locks.ts'
import type { Batch } from './chain.ts'
import { isTaken } from './errors.ts'
import type { Lane } from './lane.ts'
import type { Pending } from './pending.ts'
import type { Products } from './store/products.ts'

/** A message whose account has changed so often in a row is decided under locks. */
const CONFLICTS_MAX = 2

/**
 * Messages whose rows were changed or locked by others are tried again, in the end under locks.
 * After a fault each message is decided alone and under locks, once: the fault may be that of one
 * message, or of a reading while others changed rows, so that an account and its transactions do
 * not fit together.
 */
export function sortFailed(lane: Lane, products: Products, { taken, decided, ended }: Batch): void {
  const error = ended?.error
  if (decided && isConflict(error)) products.forget(lane, decided)
  if (isConflict(error) || isTaken(error)) {
    for (const pending of taken) {
      pending.conflicts += 1
      if (pending.conflicts >= CONFLICTS_MAX) pending.queue.needs_locks = true
    }
  } else if (isLocked(error)) {
    for (const { queue } of taken) queue.needs_locks = true
  } else if (error instanceof DatabaseUnavailable) {
    for (const pending of taken) lane.reject(pending, error)
  } else {
    for (const pending of taken) pending.alone = true
  }
}

/** The same of a batch under locks. Answers whether those that stay open must pause. */
export function sortFailedUnderLocks(
  lane: Lane,
  taken: readonly Pending[],
  error: unknown,
): boolean {
  if (error instanceof DatabaseUnavailable && !isLocked(error)) {
    for (const pending of taken) lane.reject(pending, error)
  } else if (taken.length > 1) {
    for (const pending of taken) pending.alone = true
    return false
  } else if (!isLocked(error)) {
    for (const pending of taken) lane.reject(pending, error)
  }
  return true
}
