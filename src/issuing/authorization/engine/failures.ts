/** The handling of the messages of a batch that committed nothing. */

import { isConflict } from '#kit/db/conflict.ts'
import { DatabaseUnavailable } from '#kit/db/database.ts'
import { isLocked } from '#kit/db/locks.ts'
import type { Batch } from './chain.ts'
import { isTaken } from './errors.ts'
import type { Lane, Taken } from './lane.ts'
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
    for (const { job, queue } of taken) {
      job.conflicts += 1
      if (job.conflicts >= CONFLICTS_MAX) queue.needs_locks = true
    }
  } else if (isLocked(error)) {
    for (const { queue } of taken) queue.needs_locks = true
  } else if (error instanceof DatabaseUnavailable) {
    for (const { job } of taken) lane.reject(job, error)
  } else {
    for (const { job } of taken) job.alone = true
  }
}

/** The same of a batch under locks. Answers whether those that stay open must pause. */
export function sortFailedUnderLocks(lane: Lane, taken: readonly Taken[], error: unknown): boolean {
  if (error instanceof DatabaseUnavailable && !isLocked(error)) {
    for (const { job } of taken) lane.reject(job, error)
  } else if (taken.length > 1) {
    for (const { job } of taken) job.alone = true
    return false
  } else if (!isLocked(error)) {
    for (const { job } of taken) lane.reject(job, error)
  }
  return true
}
