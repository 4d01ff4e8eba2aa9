import type pg from 'pg'
import type { Log } from '#kit/log.ts'
import { clockSkew, LARGEST_SKEW_MS } from '#kit/migrations.ts'

const CHECK_MS = 60_000

/**
 * Says in the log, every minute, that this machine's clock has run away from the database's. Such a
 * process does not start (assertClock), but a running one must not fall over for it.
 */
export function watchClock(pool: pg.Pool, log: Log): () => Promise<void> {
  const timer = setInterval(() => void check(pool, log), CHECK_MS)
  timer.unref()
  return async () => clearInterval(timer)
}

async function check(pool: pg.Pool, log: Log): Promise<void> {
  try {
    const skew_ms = await clockSkew(pool)
    if (Math.abs(skew_ms) > LARGEST_SKEW_MS) {
      log.error({ skew_ms }, 'the clocks of this machine and of the database are too far apart')
    }
  } catch {
    // A database that does not answer is told by those who need it.
  }
}
