/**
 * The rest between two beats of the pulse. While a connection is in use, the server is polled every
 * BEAT_MS, because a statement waits for its answer. An idle server is polled every IDLE_BEAT_MS
 * (D-864).
 */

/** While a connection is on loan. */
export const BEAT_MS = 400
/** The pause while no connection is on loan. The metrics show a silent server later by as much. */
export const IDLE_BEAT_MS = 2_000

export class PollPause {
  #in_use = 0
  #isStopped = false
  /** Ends the wait of `take`. */
  #goOn = () => {}
  #waitsForUse = false

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** A connection goes on loan. */
  use(): void {
    this.#in_use += 1
    if (this.#waitsForUse) this.#goOn()
  }

  /** It is back. */
  leave(): void {
    this.#in_use -= 1
  }

  /** Ends the rest; there is none from then on. */
  stop(): void {
    this.#isStopped = true
    this.#goOn()
  }

  /**
   * Resolves when a beat is due: after BEAT_MS while a connection is in use, else after
   * IDLE_BEAT_MS.
   */
  async take(): Promise<void> {
    let isDue = false
    const longest = setTimeout(() => {
      isDue = true
      if (this.#waitsForUse) this.#goOn()
    }, IDLE_BEAT_MS).unref()
    while (!isDue && !this.#isStopped) {
      await this.pause(BEAT_MS)
      if (this.#in_use > 0) break
      this.#waitsForUse = true
      if (!isDue) await this.#wait(() => {})
      this.#waitsForUse = false
    }
    clearTimeout(longest)
  }

  /** So long, or until the stop. */
  pause(ms: number): Promise<void> {
    return this.#wait((goOn) => setTimeout(goOn, ms).unref())
  }

  /** Waits until `start`, a use that is waited for, or the stop calls `goOn`. */
  async #wait(start: (goOn: () => void) => unknown): Promise<void> {
    if (this.#isStopped) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#goOn = resolve
    start(resolve)
    await promise
  }
}
