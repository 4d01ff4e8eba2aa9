/**
 * The rest between two beats of the pulse. A beat is owed to who waits for the server; an answer of
 * any statement shows as much. So a server that nobody waits for is asked seldom (D-864).
 */

/** While a connection is on loan. */
export const BEAT_MS = 400
/** Otherwise: the metrics show so much later that a server has fallen silent. */
export const IDLE_BEAT_MS = 2_000

export class Rest {
  #in_use = 0
  #isStopped = false
  /** Goes on with what `take` waits for. */
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

  /** Resolves when a beat is due: for who waits BEAT_MS later, or after IDLE_BEAT_MS. */
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

  /** Until `goOn` is called by what is started, by a use that is waited for, or by the stop. */
  async #wait(start: (goOn: () => void) => unknown): Promise<void> {
    if (this.#isStopped) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#goOn = resolve
    start(resolve)
    await promise
  }
}
