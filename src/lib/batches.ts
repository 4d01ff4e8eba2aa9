/**
 * Requests that are served together: one that finds none under way is served at once, and those
 * that arrive meanwhile wait for the next batch.
 */

export type BatchOptions = {
  /** The most requests of a batch. */
  size: number
  /** The most batches under way at one time. */
  at_once: number
  /** The most requests that wait. */
  waiting: number
  /** Two that have a name in common are never in one batch. */
  apart?: boolean
}

type Waiting<Item, Outcome> = PromiseWithResolvers<Outcome> & {
  item: Item
  names: readonly string[]
}

export class Batches<Item, Outcome> {
  readonly #options: BatchOptions
  readonly #serve: (items: readonly Item[]) => Promise<readonly Outcome[]>
  readonly #busy = new Set<string>()
  #waiting: Waiting<Item, Outcome>[] = []
  #running = 0
  #starting = false

  /** `serve` answers the outcomes in the order of the items, or rejects for all of them. */
  constructor(
    options: BatchOptions,
    serve: (items: readonly Item[]) => Promise<readonly Outcome[]>,
  ) {
    this.#options = options
    this.#serve = serve
  }

  /**
   * The outcome of a request. Two that have a name in common are served in their order: in one
   * batch, or in two of which the first has ended. Undefined if too many wait already.
   */
  add(item: Item, names: readonly string[]): Promise<Outcome> | undefined {
    if (this.#waiting.length >= this.#options.waiting) return undefined
    const waiting = { item, names, ...Promise.withResolvers<Outcome>() }
    this.#waiting.push(waiting)
    this.#plan()
    return waiting.promise
  }

  /** Jobs that arrive in one turn of the event loop are in one batch. */
  #plan(): void {
    if (this.#starting) return
    this.#starting = true
    setImmediate(() => {
      this.#starting = false
      this.#start()
    })
  }

  #start(): void {
    while (this.#running < this.#options.at_once) {
      const taken = this.#take()
      if (taken.length === 0) return
      void this.#run(taken)
    }
  }

  /** The first that wait, without those that name what is in another batch, or in one of these. */
  #take(): Waiting<Item, Outcome>[] {
    const taken: Waiting<Item, Outcome>[] = []
    const left: Waiting<Item, Outcome>[] = []
    const held = new Set<string>()
    for (const one of this.#waiting) {
      const isFree = one.names.every((name) => !this.#busy.has(name) && !held.has(name))
      if (isFree && taken.length < this.#options.size) {
        taken.push(one)
        if (!this.#options.apart) continue
      } else left.push(one)
      for (const name of one.names) held.add(name)
    }
    this.#waiting = left
    for (const { names } of taken) for (const name of names) this.#busy.add(name)
    return taken
  }

  async #run(taken: readonly Waiting<Item, Outcome>[]): Promise<void> {
    this.#running += 1
    try {
      const outcomes = await this.#serve(taken.map(({ item }) => item))
      for (const [at, outcome] of outcomes.entries()) taken[at]?.resolve(outcome)
    } catch (error) {
      for (const { reject } of taken) reject(error)
    } finally {
      this.#running -= 1
      for (const { names } of taken) for (const name of names) this.#busy.delete(name)
      this.#start()
    }
  }
}
