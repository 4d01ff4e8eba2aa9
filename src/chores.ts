/** What a running process does now and then beside its work. */

import type pg from 'pg'
import type { Db } from '#kit/database.ts'
import { forgetOldAnswers } from '#kit/idempotency.ts'
import type { Log } from '#kit/log.ts'
import { clockSkew, LARGEST_SKEW_MS } from '#kit/migrations.ts'

const CLOCK_MS = 60_000
const ANSWERS_MS = 10 * 60_000

/**
 * Says in the log that this machine's clock has run away from the database's: such a process does
 * not start (assertClock), but a running one must not fall over for it.
 */
export function watchClock(pool: pg.Pool, log: Log): () => Promise<void> {
  return repeat(CLOCK_MS, log, async () => {
    const skew_ms = await clockSkew(pool)
    if (Math.abs(skew_ms) <= LARGEST_SKEW_MS) return
    log.error({ skew_ms }, 'the clocks of this machine and of the database are too far apart')
  })
}

/** Stored answers past their lifetime are deleted (D-10). */
export function forgetAnswers(db: Db, log: Log): () => Promise<void> {
  return repeat(ANSWERS_MS, log, () => forgetOldAnswers(db))
}

/** Answers what ends it. A chore that fails, for the database may be away, is done next time. */
function repeat(ms: number, log: Log, chore: () => Promise<void>): () => Promise<void> {
  const attempt = () => chore().catch((err: unknown) => log.warn({ err }, 'a chore failed'))
  const timer = setInterval(() => void attempt(), ms)
  timer.unref()
  return async () => clearInterval(timer)
}
