/**
 * A batch under locks: for messages whose account another session has locked, or has changed again
 * and again. One transaction; messages whose account stays locked are set aside.
 */

import { type Context, transact } from '#kit/context.ts'
import { type Decided, decideBatch, hasEffect, writeBatch } from './batch.ts'
import { gather } from './gathering/gather.ts'
import type { Pending } from './pending.ts'
import type { Products } from './store/products.ts'

export type LockingRun = {
  /** Rejects with CommitInDoubt if the outcome is unknown; else nothing was committed. */
  done: Promise<Decided>
  /** The decisions, as far as it came. */
  decided: () => Decided | undefined
}

export function runUnderLocks(
  context: Context,
  products: Products,
  taken: readonly Pending[],
): LockingRun {
  let decided: Decided | undefined
  const done = transact(context, async (tx) => {
    // It runs again if something that it rests on has changed, maybe what is kept (D-695).
    if (decided) products.forget(context, decided)
    const read = await gather({ ctx: tx, locking: true }, products, taken)
    const batch = decideBatch(tx, read, [], { asks: true })
    decided = batch
    // The last comparison runs beside the COMMIT, as in a chain.
    if (hasEffect(batch)) {
      void tx.withCommit(writeBatch({ ...tx, now: batch.workingSet.now }, batch))
    }
    return batch
  })
  return { done, decided: () => decided }
}
