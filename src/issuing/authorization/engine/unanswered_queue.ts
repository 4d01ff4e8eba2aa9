/** Unanswered approvals that wait in this process until the database stores them (D-301). */

import { setTimeout as wait } from 'node:timers/promises'
import type { Services } from '#kit/http/callers/callers.ts'
import type { Unanswered } from '../decide/state/unanswered.ts'
import { engineContext } from './context.ts'
import { insertUnanswered, UNANSWERED } from './store/unanswered.ts'

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1_000
/** Rows of one statement. */
const PORTION = 500

type Waiting = { all: Map<string, Unanswered>; running: Promise<void> }

const nameOf = ({ message_key, answer_number }: Unanswered) => `${message_key}|${answer_number}`

/**
 * Unsent answers that wait in this process until the database accepts them. Each tenant has a queue
 * of its own: a tenant whose rows are rejected delays no other.
 */
export class UnansweredQueue {
  readonly #services: Services
  readonly #tenants = new Map<string, Waiting>()
  #stopped = false

  constructor(services: Services) {
    this.#services = services
  }

  /** Resolves when everything that waits is stored, or the queue was stopped. Never rejects. */
  async add(tenant_id: string, more: readonly Unanswered[]): Promise<void> {
    if (this.#stopped) return
    const waiting = this.#tenants.get(tenant_id) ?? { all: new Map(), running: Promise.resolve() }
    for (const one of more) waiting.all.set(nameOf(one), one)
    if (!this.#tenants.has(tenant_id)) {
      this.#tenants.set(tenant_id, waiting)
      waiting.running = this.#run(tenant_id, waiting)
    }
    await waiting.running
  }

  size(): number {
    return [...this.#tenants.values()].reduce((sum, { all }) => sum + all.size, 0)
  }

  idle(): boolean {
    return this.#tenants.size === 0
  }

  stop(): void {
    this.#stopped = true
  }

  async #run(tenant_id: string, { all }: Waiting): Promise<void> {
    let pause = FIRST_PAUSE_MS
    while (all.size > 0 && !this.#stopped) {
      if (await this.#keep(tenant_id, all)) continue
      await wait(pause)
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
    }
    this.#tenants.delete(tenant_id)
  }

  /** Tries once; false if the database failed. */
  async #keep(tenant_id: string, all: Map<string, Unanswered>): Promise<boolean> {
    const portion = [...all.values()].slice(0, PORTION)
    try {
      await insertUnanswered(engineContext(this.#services, tenant_id), portion)
    } catch {
      return false
    }
    for (const one of portion) all.delete(nameOf(one))
    this.#services.notify(UNANSWERED, tenant_id)
    return true
  }
}
