/**
 * Work for tenants in parallel: a few at one time, at most one run for each tenant, so that a slow
 * tenant delays no other (D-351).
 */

const AT_ONE_TIME = 4
/** Quick turns are awaited, so that many wake-ups make one round. */
const PATIENCE_MS = 20

export class ParallelTenants {
  readonly #running = new Map<string, Promise<void>>()
  readonly #missed = new Set<string>()
  readonly #wake: (tenant_id: string) => void

  /** `wake` is called when a turn ends whose tenant was to begin another meanwhile. */
  constructor(wake: (tenant_id: string) => void) {
    this.#wake = wake
  }

  isRunning(tenant_id: string): boolean {
    return this.#running.has(tenant_id)
  }

  /** Begins a tenant's turn, unless one is running. Resolves once there is a place for it. */
  async begin(tenant_id: string, work: () => Promise<void>): Promise<void> {
    if (this.#running.has(tenant_id)) {
      this.#missed.add(tenant_id)
      return
    }
    while (this.#running.size >= AT_ONE_TIME) await Promise.race(this.#running.values())
    const turn = work().finally(() => {
      this.#running.delete(tenant_id)
      if (this.#missed.delete(tenant_id)) this.#wake(tenant_id)
    })
    this.#running.set(tenant_id, turn)
  }

  /** Waits for the turns that end soon. */
  async waitBriefly(): Promise<void> {
    if (this.#running.size === 0) return
    const patience = Promise.withResolvers<void>()
    const timer = setTimeout(patience.resolve, PATIENCE_MS)
    await Promise.race([this.end(), patience.promise])
    clearTimeout(timer)
  }

  /** Waits for all turns. */
  async end(): Promise<void> {
    await Promise.all(this.#running.values())
  }
}
