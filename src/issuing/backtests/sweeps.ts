import { setTimeout as wait } from 'node:timers/promises'
import { type Context, transact } from '#kit/context.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'
import { BACKTESTS, lockDue, workOn } from './job.ts'
import { backtestsDue, lockBacktest, updateBacktest } from './store.ts'

/** Portions that fail one after the other before a backtest ends as FAILED. */
const FAILURES_MAX = 5
const RETRY_MS = 5_000
/** The longest rest after a portion. */
const REST_MAX_MS = 1_000

/**
 * Does the portions of backtests. After each it rests as long as that took, so that a backtest
 * uses at most half of one connection and little of the processor.
 */
export function backtesting(): Sweep {
  const ending = new AbortController()
  return {
    ...backtestsDue,
    channel: BACKTESTS,
    // A clock that moves does not wait for it.
    outside: true,
    async run(ctx) {
      const began = performance.now()
      const more = await workOnOne(ctx)
      const rest = Math.min(performance.now() - began, REST_MAX_MS)
      const { signal } = ending
      if (more) await wait(rest, undefined, { signal, ref: false }).catch(() => {})
      return { more }
    },
    prepareStop: () => ending.abort(),
  }
}

/** False if none is due. A portion that fails is done again later. */
async function workOnOne(ctx: Context): Promise<boolean> {
  let id: string | undefined
  try {
    return await transact(ctx, async (tx) => {
      const job = await lockDue(tx)
      id = job?.id
      if (job) await workOn(tx, job)
      return job !== undefined
    })
  } catch (error) {
    if (id !== undefined) await countFailure(ctx, id)
    throw error
  }
}

async function countFailure(ctx: Context, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const job = await lockBacktest(tx, id)
    if (!job) return
    const failures = job.failures + 1
    const isOver = job.status === 'RUNNING' && failures >= FAILURES_MAX
    await updateBacktest(tx, id, {
      failures,
      due: new Date(tx.now.getTime() + RETRY_MS),
      ...(isOver && {
        status: 'FAILED',
        place: null,
        completed: tx.now,
        error: 'The stored decisions could not be read.',
      }),
    })
  })
}
