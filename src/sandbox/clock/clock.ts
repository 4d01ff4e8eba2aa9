/**
 * The tenant's clock in sandbox (D-70): it only goes forward, and due jobs run at once.
 */

import { recordChange } from '#kit/audit_log/records.ts'
import { readClock } from '#kit/clock.ts'
import { type Context, transact } from '#kit/context.ts'
import { DatabaseUnavailable } from '#kit/db/database.ts'
import { CALLERS } from '#kit/http/callers/caller_cache.ts'
import { ApiError, unwrap } from '#lib/result.ts'
import { checkMove } from './rules.ts'
import type { ClockMove, ClockMoved } from './schema.ts'
import { lockOffset, updateOffset } from './store.ts'

/**
 * Moves the clock of the caller's tenant and returns its time, after the jobs that became due have
 * run, in whichever process; with the names of those that are still running (D-479).
 */
export async function moveClock(ctx: Context, move: ClockMove): Promise<ClockMoved> {
  const now = await transact(ctx, async (tx) => {
    const offset = await lockOffset(tx)
    if (offset === undefined) throw new ApiError('not_found')
    // Read behind the lock: ctx.now may be older than a move that another request has just made.
    const real = await readClock(tx.db)
    const target = unwrap(checkMove(real, offset, move))
    await updateOffset(tx, target.getTime() - real.getTime())
    tx.afterCommit(() => tx.notify(CALLERS))
    recordChange(tx)
    return target
  })
  const running = await runDueJobs(ctx)
  return { now, ...(running.length > 0 && { running }) }
}

/** Stands in place of names if the database has failed after the move. */
const ALL = 'all due jobs'

/** The move is committed: if the database fails now, the sweeps run the due jobs later. */
async function runDueJobs(ctx: Context): Promise<readonly string[]> {
  try {
    return await ctx.runDueJobs(ctx.tenant_id)
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return [ALL]
    throw error
  }
}
