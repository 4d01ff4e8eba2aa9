/** Places for questions that are under way: many of one tenant do not delay those of others. */

const USUAL = {
  /** Questions of this process at one time. */
  all: 1024,
  /**
   * The places of one tenant among those, and never more than half of those that others have left.
   */
  of_tenant: 256,
}

type Waiting = (isTaken: boolean) => void

export class Places {
  readonly #limits: typeof USUAL
  #all = 0
  readonly #taken = new Map<string, number>()
  /** The waiting requests in the order of arrival; the tenant that was served last comes last. */
  readonly #waiting = new Map<string, Set<Waiting>>()

  constructor(limits = USUAL) {
    this.#limits = limits
  }

  /** Whether a place was free within so many milliseconds; the caller gives it back by `leave`. */
  take(tenant_id: string, patience_ms: number): Promise<boolean> {
    if (this.#hasRoom(tenant_id)) {
      this.#count(tenant_id, 1)
      return Promise.resolve(true)
    }
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const waiting = this.#waiting.get(tenant_id) ?? new Set()
    this.#waiting.set(tenant_id, waiting)
    const timer = setTimeout(() => end(false), patience_ms)
    const end: Waiting = (isTaken) => {
      clearTimeout(timer)
      waiting.delete(end)
      if (waiting.size === 0) this.#waiting.delete(tenant_id)
      resolve(isTaken)
    }
    waiting.add(end)
    return promise
  }

  leave(tenant_id: string): void {
    this.#count(tenant_id, -1)
    for (const [id, waiting] of this.#waiting) {
      const [first] = waiting
      if (!first || !this.#hasRoom(id)) continue
      this.#count(id, 1)
      this.#waiting.delete(id)
      this.#waiting.set(id, waiting)
      first(true)
      return
    }
  }

  #hasRoom(tenant_id: string): boolean {
    const own = this.#taken.get(tenant_id) ?? 0
    const { all, of_tenant } = this.#limits
    return own < Math.min(of_tenant, Math.ceil((all - this.#all + own) / 2))
  }

  #count(tenant_id: string, by: number): void {
    this.#all += by
    const taken = (this.#taken.get(tenant_id) ?? 0) + by
    if (taken > 0) this.#taken.set(tenant_id, taken)
    else this.#taken.delete(tenant_id)
  }
}
