/**
 * The modules of an installation. A command that a module does not do is tried once at another one
 * while there is time, but for those that may not be repeated (D-1014).
 */

import type { Answer } from './connection.ts'
import { asFault, type FaultReason, ModuleFault } from './faults.ts'
import { metrics } from './metrics.ts'
import type { Place } from './place.ts'

/** A command that was tried so often has failed. */
const TRIES = 2

export type Command = {
  name: string
  fields: Buffer
  /** Error codes that say that a value of the sender is wrong. */
  wrong?: readonly string[]
  /** Absent: it may be sent again. */
  once?: true
  /** The time that is left for all tries, milliseconds; the timeout of a try by default. */
  patience_ms?: number
}

const FINE = '00'

export class Pool {
  readonly #places: readonly Place[]
  readonly #timeout_ms: number
  #turn = 0

  constructor(places: readonly Place[], timeout_ms: number) {
    this.#places = places
    this.#timeout_ms = timeout_ms
  }

  /** The answer with code 00 or one of `wrong`. Rejects with a ModuleFault. */
  async run({ name, fields, wrong = [], once, patience_ms }: Command): Promise<Answer> {
    const end = performance.now() + (patience_ms ?? TRIES * this.#timeout_ms)
    const tried = new Set<Place>()
    let fault: ModuleFault | undefined
    for (let attempt = 0; attempt < (once ? 1 : TRIES); attempt++) {
      const left = Math.min(this.#timeout_ms, end - performance.now())
      const place = this.#choose(tried, fault?.reason)
      if (left <= 0 || !place) break
      tried.add(place)
      try {
        return await this.#try(place, name, fields, wrong, left)
      } catch (error) {
        fault = asFault(error, name)
        // It had all the time that was left, however early its timer ended.
        if (fault.reason === 'timeout' && left < this.#timeout_ms) break
      }
    }
    throw fault ?? new ModuleFault('unreachable', name)
  }

  /** One that does not rest, and that was not tried; the same again only where the line was lost. */
  #choose(tried: ReadonlySet<Place>, reason: FaultReason | undefined): Place | undefined {
    const awake = this.#places.filter((place) => !place.rests)
    const others = awake.filter((place) => !tried.has(place))
    this.#turn += 1
    if (others.length > 0) return others[this.#turn % others.length]
    return reason === 'lost' ? awake[0] : undefined
  }

  async #try(
    place: Place,
    name: string,
    fields: Buffer,
    wrong: readonly string[],
    timeout_ms: number,
  ): Promise<Answer> {
    const begun = performance.now()
    metrics.waiting.inc()
    try {
      const answer = await place.send(name, fields, timeout_ms)
      const { code } = answer
      metrics.commands.inc({ command: name, code })
      metrics.seconds.observe({ command: name }, (performance.now() - begun) / 1000)
      if (code === FINE || wrong.includes(code)) return answer
      metrics.refusals.inc()
      throw new ModuleFault('refused', name, code)
    } catch (error) {
      const { reason } = asFault(error, name)
      if (reason !== 'refused') metrics.commands.inc({ command: name, code: reason })
      throw error
    } finally {
      metrics.waiting.dec()
    }
  }
}
