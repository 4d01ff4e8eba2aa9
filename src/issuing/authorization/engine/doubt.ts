/** The outcome of a batch whose COMMIT got no answer (D-300). */

import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from '#kit/context.ts'
import { mayStillCommit } from '#kit/db/commit_doubt.ts'
import type { Doubt } from './batch.ts'
import { hasEvent } from './store/batches.ts'

const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 500

/**
 * Whether the batch was committed. Waits until the database answers and the transaction has ended:
 * a server process that was stopped may still come to the COMMIT. Undefined when `isOver` becomes
 * true first: no caller waits for it any more.
 */
export async function isBatchKept(
  ctx: Context,
  { xid, event_id }: Doubt,
  isOver: () => boolean,
): Promise<boolean | undefined> {
  let pause = FIRST_PAUSE_MS
  while (!isOver()) {
    const kept = await look(ctx, xid, event_id).catch(() => undefined)
    if (kept !== undefined) return kept
    await wait(pause)
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
  }
  return undefined
}

/** A batch without an event changed nothing, and running it again is what a repeat would do. */
async function look(ctx: Context, xid: string, event_id: string | undefined) {
  if (await mayStillCommit(ctx, xid)) return undefined
  return event_id !== undefined && (await hasEvent(ctx, event_id))
}
