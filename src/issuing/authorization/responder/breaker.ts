/** Whether a responder is asked: after failures in a row it is not, for a while (D-472). */

const FAILURES_MAX = 5
const OPEN_MS = 10_000

/**
 * The state of a responder that has failed; an answer ends it. Instants are of the monotonic clock,
 * ms.
 */
export class Breaker {
  #failures = 0
  #open_until: number | undefined

  isOpen(now: number): boolean {
    return this.#open_until !== undefined && now < this.#open_until
  }

  /** While it is open nothing is asked; then one question, and after OPEN_MS the next one. */
  admits(now: number): boolean {
    if (this.isOpen(now)) return false
    if (this.#open_until !== undefined) this.#open_until = now + OPEN_MS
    return true
  }

  /** Failures of questions that were under way do not keep it open. */
  fail(now: number): void {
    this.#failures += 1
    if (this.#failures >= FAILURES_MAX) this.#open_until ??= now + OPEN_MS
  }
}
