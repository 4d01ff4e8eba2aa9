/**
 * Places of a shared resource: each lane (a tenant, a key) has its own limit and its own queue, and
 * a free place goes to the next lane in turn. So a busy lane never delays another.
 */

export type PlacesOptions = {
  places: number
  /** The longest wait, in milliseconds. */
  wait_ms: number
  /** The most that may wait in one lane. */
  queue: number
}

/** No place became free in time, or too many wait for one already. */
export class PlacesTaken extends Error {
  override name = 'PlacesTaken'
}

type Waiter = { grant: () => void; reject: (reason: Error) => void; timer: NodeJS.Timeout }
type Lane = { name: string; limit: number; busy: number; waiting: Set<Waiter> }

export class Places {
  readonly #options: PlacesOptions
  readonly #lanes = new Map<string, Lane>()
  /** Lanes that wait, the next in turn first. */
  readonly #turns = new Set<Lane>()
  #free: number

  constructor(options: PlacesOptions) {
    this.#options = options
    this.#free = options.places
  }

  /**
   * Resolves with the function that releases the place, once the lane may have one of at most
   * `limit`. Rejects with PlacesTaken if the lane's queue is full or the wait too long.
   */
  async take(name: string, limit: number): Promise<() => void> {
    const lane = this.#lanes.get(name) ?? { name, limit, busy: 0, waiting: new Set() }
    this.#lanes.set(name, lane)
    const { queue } = this.#options
    if (this.#free > 0 && lane.busy < lane.limit && lane.waiting.size === 0) return this.#open(lane)
    if (lane.waiting.size >= queue) throw new PlacesTaken(`${queue} wait for a place already`)
    return this.#enqueue(lane)
  }

  /** Rejects every waiter. */
  rejectWaiting(reason: Error): void {
    for (const lane of [...this.#turns]) {
      for (const waiter of [...lane.waiting]) waiter.reject(reason)
    }
  }

  /** How many wait. */
  waiting(): number {
    return [...this.#turns].reduce((sum, { waiting }) => sum + waiting.size, 0)
  }

  #open(lane: Lane): () => void {
    this.#free -= 1
    lane.busy += 1
    let held = true
    return () => {
      if (!held) return
      held = false
      this.#free += 1
      lane.busy -= 1
      this.#passOn()
      this.#forgetIdle(lane)
    }
  }

  #passOn(): void {
    while (this.#free > 0) {
      const waiter = this.#nextInTurn()
      if (!waiter) return
      waiter.grant()
    }
  }

  /** The first to wait of the next lane that may have a place; the lane's next turn comes last. */
  #nextInTurn(): Waiter | undefined {
    for (const lane of this.#turns) {
      const [first] = lane.waiting
      if (lane.busy >= lane.limit || !first) continue
      this.#leaveQueue(lane, first)
      this.#turns.delete(lane)
      if (lane.waiting.size > 0) this.#turns.add(lane)
      return first
    }
    return undefined
  }

  #enqueue(lane: Lane): Promise<() => void> {
    const { wait_ms } = this.#options
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const waiter: Waiter = {
      grant: () => resolve(this.#open(lane)),
      reject: (reason) => {
        this.#leaveQueue(lane, waiter)
        this.#forgetIdle(lane)
        reject(reason)
      },
      timer: setTimeout(() => {
        waiter.reject(new PlacesTaken(`no place became free within ${wait_ms} ms`))
      }, wait_ms),
    }
    lane.waiting.add(waiter)
    this.#turns.add(lane)
    return promise
  }

  #leaveQueue(lane: Lane, waiter: Waiter): void {
    clearTimeout(waiter.timer)
    lane.waiting.delete(waiter)
    if (lane.waiting.size === 0) this.#turns.delete(lane)
  }

  #forgetIdle(lane: Lane): void {
    if (lane.busy === 0 && lane.waiting.size === 0) this.#lanes.delete(lane.name)
  }
}
