/** Decides which calls are repeated, and when (D-803). */

import { ApiError, ConnectionError, TimeoutError } from './errors.ts'

const FIRST_MS = 500
const LONGEST_MS = 8_000
/** A later retry of a call is left to the caller, who finds `retryAfter` in the error. */
const LONGEST_RETRY_AFTER_S = 60

/** Answers after which it is not known whether the request has taken effect. */
const IN_DOUBT = new Set([502, 503, 504])
const TOO_MANY_REQUESTS = 429

/**
 * Whether the same request may be sent again. `isRepeatable` says that it has no second effect: it
 * reads, or it has an idempotency key. A request that is repeated without an end waits as long as
 * the answer says.
 */
export function mayRepeat(error: unknown, isRepeatable: boolean, isEndless = false): boolean {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return isRepeatable
  if (!(error instanceof ApiError)) return false
  if (!isEndless && (error.retryAfter ?? 0) > LONGEST_RETRY_AFTER_S) return false
  // A request that is refused so has not been processed.
  if (error.status === TOO_MANY_REQUESTS) return true
  // An attempt before this one is still running under the key, and its answer is awaited.
  if (error.code === 'idempotency_key_in_use') return isRepeatable
  return isRepeatable && IN_DOUBT.has(error.status)
}

/**
 * Milliseconds before the next attempt, of which `attempt` have failed. No sooner than the answer
 * asks for; up to a half more or less, so that clients that failed together do not return together.
 */
export function delayOf(attempt: number, error: unknown, random: () => number): number {
  const backoff = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1)) * (0.5 + random() / 2)
  const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0
  return Math.round(asked > 0 ? asked + backoff / 2 : backoff)
}
