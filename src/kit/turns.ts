/**
 * Tenants that take their turns side by side: a few at one time, each in one turn only, so that a
 * slow tenant holds up no other (D-351).
 */

import { setTimeout as pause } from 'node:timers/promises'

const AT_ONE_TIME = 4
/** The quick ones are waited for, so that many wake-ups make one round. */
const PATIENCE_MS = 20

export class Turns {
  readonly #running = new Map<string, Promise<void>>()
  readonly #missed = new Set<string>()
  readonly #wake: () => void

  /** `wake` is called when a tenant's turn ends that was to begin again meanwhile. */
  constructor(wake: () => void) {
    this.#wake = wake
  }

  /** Begins a tenant's turn, unless it is in one. Resolves once there is a place for it. */
  async begin(tenant_id: string, work: () => Promise<void>): Promise<void> {
    if (this.#running.has(tenant_id)) {
      this.#missed.add(tenant_id)
      return
    }
    while (this.#running.size >= AT_ONE_TIME) await Promise.race(this.#running.values())
    const turn = work().finally(() => {
      this.#running.delete(tenant_id)
      if (this.#missed.delete(tenant_id)) this.#wake()
    })
    this.#running.set(tenant_id, turn)
  }

  /** Waits for the turns that end soon. */
  async settle(): Promise<void> {
    const late = new AbortController()
    const patience = pause(PATIENCE_MS, undefined, late).catch(() => {})
    await Promise.race([this.end(), patience])
    late.abort()
  }

  /** Waits for all turns. */
  async end(): Promise<void> {
    await Promise.all(this.#running.values())
  }
}
