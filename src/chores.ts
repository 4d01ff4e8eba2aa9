/** Periodic chores of a running process. */

import type { Db } from '#kit/db/database.ts'
import { forgetOldAnswers } from '#kit/http/idempotency.ts'
import type { Log } from '#kit/log.ts'

const ANSWERS_MS = 10 * 60_000

/** Stored answers past their lifetime are deleted (D-10). */
export function forgetAnswers(db: Db, log: Log): () => Promise<void> {
  return repeat(ANSWERS_MS, log, () => forgetOldAnswers(db))
}

/** Returns the function that ends it. A chore that fails is done again next time. */
function repeat(ms: number, log: Log, chore: () => Promise<void>): () => Promise<void> {
  const attempt = () => chore().catch((err: unknown) => log.warn({ err }, 'a chore failed'))
  const timer = setInterval(() => void attempt(), ms)
  timer.unref()
  return async () => clearInterval(timer)
}
