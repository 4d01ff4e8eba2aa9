/** The outcome of a batch whose COMMIT got no answer (D-300). */

import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from '#kit/context.ts'
import { insertEmptyBatch, isCommitted } from './store/batches.ts'

const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 500

/**
 * Whether the batch was committed. Waits until the database answers and its transaction has ended.
 * Undefined when `isOver` becomes true first: no caller waits for it any more.
 */
export async function isBatchKept(
  ctx: Context,
  id: string,
  isOver: () => boolean,
): Promise<boolean | undefined> {
  let pause = FIRST_PAUSE_MS
  while (!isOver()) {
    const kept = await settle(ctx, id).catch(() => undefined)
    if (kept !== undefined) return kept
    await wait(pause)
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
  }
  return undefined
}

async function settle(ctx: Context, id: string): Promise<boolean> {
  await insertEmptyBatch(ctx, id)
  return isCommitted(ctx, id)
}
