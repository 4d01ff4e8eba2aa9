/**
 * The tenant's clock in sandbox (D-70): it only goes forward, and what becomes due is done at once.
 */

import { readClock } from '#kit/clock.ts'
import { type Context, transact } from '#kit/context.ts'
import { DatabaseUnavailable } from '#kit/database.ts'
import { ApiError, unwrap } from '#lib/result.ts'
import { ruleOnMove } from './rules.ts'
import type { ClockMove } from './schema.ts'
import { lockOffset, saveOffset } from './store.ts'

/**
 * Moves the clock of the caller's tenant and answers what it shows. Returns after the work that
 * became due is done. Fails with `clock_backwards`, and `validation_failed` for a move that is none.
 */
export async function moveClock(ctx: Context, move: ClockMove): Promise<{ now: Date }> {
  const now = await transact(ctx, async (tx) => {
    const offset = await lockOffset(tx)
    if (offset === undefined) throw new ApiError('not_found')
    // Read behind the lock: ctx.now may be older than a move that another request has just made.
    const real = await readClock(tx.db)
    const target = unwrap(ruleOnMove(real, offset, move))
    await saveOffset(tx, target.getTime() - real.getTime())
    return target
  })
  await settled(ctx)
  return { now }
}

/** The clock has moved: should the database go away now, the sweeps do what is due when it is back. */
async function settled(ctx: Context): Promise<void> {
  try {
    await ctx.runDueJobs(ctx.tenant_id)
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
  }
}
