/** A client that follows a tenant's feed of events, by turns at each process. */

import { setTimeout as pause } from 'node:timers/promises'
import { DrillFault } from '../fault.ts'
import type { Ports, Tenant } from '../stage/platform.ts'

const AGAIN_MS = 200
const PAGE = 200
/** Events get their place in the feed a moment after they were written. */
const QUIET_READS = 10

export class Follower {
  readonly #tenant: Tenant
  readonly #places: readonly Ports[]
  readonly #ids: string[] = []
  /** The instants of this machine at which events were met, with their number. */
  readonly #met: { at: number; count: number }[] = []
  #stopping = false
  #turn = 0
  #working: Promise<void> = Promise.resolve()

  constructor(tenant: Tenant, places: readonly Ports[]) {
    this.#tenant = tenant
    this.#places = places
  }

  start(): void {
    this.#working = this.#follow()
    // A fault is reported when it is compared.
    this.#working.catch(() => {})
  }

  /** The events that were met between two instants, and the longest time without one. */
  metSince(since: number, end = Date.now()): { count: number; longest_ms: number } {
    const met = this.#met.filter(({ at }) => at >= since && at <= end)
    const instants = [since, ...met.map(({ at }) => at), end]
    const gaps = instants.slice(1).map((at, place) => at - (instants[place] ?? at))
    return {
      count: met.reduce((sum, { count }) => sum + count, 0),
      longest_ms: Math.max(...gaps),
    }
  }

  /**
   * The number of events, all of which it has met on its way forward, in the order in which they
   * are listed afterwards.
   */
  async compare(): Promise<number> {
    this.#stopping = true
    await this.#working
    const listed: string[] = []
    for (let page = await this.#read(undefined); page.length > 0; ) {
      listed.push(...page)
      page = await this.#read(listed.at(-1))
    }
    const missed = listed.filter((id, at) => id !== this.#ids[at])
    if (listed.length !== this.#ids.length || missed.length > 0) {
      throw new DrillFault(
        `the feed was followed to ${this.#ids.length} of ${listed.length} events; ` +
          `the first in another place is ${missed[0]}`,
      )
    }
    return listed.length
  }

  async #follow(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_READS; ) {
      // While a node is away there is no answer, and the same is asked again.
      const page = await this.#read(this.#ids.at(-1)).catch(() => undefined)
      this.#ids.push(...(page ?? []))
      if (page && page.length > 0) this.#met.push({ at: Date.now(), count: page.length })
      quiet = this.#stopping && page?.length === 0 ? quiet + 1 : 0
      if (!page || page.length === 0) await pause(AGAIN_MS)
    }
  }

  async #read(after: string | undefined): Promise<string[]> {
    this.#turn += 1
    const { http } = this.#places[this.#turn % this.#places.length] ?? { http: 0 }
    const query = `limit=${PAGE}${after === undefined ? '' : `&after=${after}`}`
    const reply = await fetch(`http://127.0.0.1:${http}/v1/events?${query}`, {
      headers: { apikey: this.#tenant.api_key },
    })
    const text = await reply.text()
    if (!reply.ok) throw new DrillFault(`GET /events answered ${reply.status}: ${text}`)
    const events: { id: string }[] = JSON.parse(text).data
    return events.map(({ id }) => id)
  }
}
