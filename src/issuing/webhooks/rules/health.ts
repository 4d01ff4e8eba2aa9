/** When a subscription is disabled (D-62). */

/** Failing without a break for so long disables it. */
const FAILING_MAX_MS = 5 * 24 * 60 * 60 * 1000

export type Health = {
  status: 'ACTIVE' | 'DISABLED'
  failing_since: Date | null
  disabled_reason: 'GONE' | 'FAILING' | null
}

/** The results of an endpoint in one batch of attempts. */
export type BatchResult = { delivered: boolean; gone: boolean }

/** The new state, or undefined when nothing is to be written. */
export function checkHealth(
  { failing_since }: { failing_since: Date | null },
  { delivered, gone }: BatchResult,
  now: Date,
): Health | undefined {
  const since = failing_since ?? now
  if (gone) return { status: 'DISABLED', failing_since: since, disabled_reason: 'GONE' }
  if (delivered) {
    if (failing_since === null) return undefined
    return { status: 'ACTIVE', failing_since: null, disabled_reason: null }
  }
  if (now.getTime() - since.getTime() >= FAILING_MAX_MS) {
    return { status: 'DISABLED', failing_since: since, disabled_reason: 'FAILING' }
  }
  if (failing_since !== null) return undefined
  return { status: 'ACTIVE', failing_since: now, disabled_reason: null }
}
