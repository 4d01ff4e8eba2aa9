/**
 * Decides by a seed which of the tasks that wait goes on. Between two points one task runs alone,
 * so that a seed gives the same interleaving again.
 */

import { setImmediate as turn } from 'node:timers/promises'
import { type Chance, chances } from '#test/support/chances.ts'

type Waiting = { label: string; go: () => void }

/** Turns of the event loop after which what could run has run. */
const QUIET_TURNS = 3
/** Nothing waits at a point and nothing ends: a timer of the engine is awaited, milliseconds. */
const TIMER_MS = 1
const STUCK_MS = 60_000

export class Schedule {
  readonly chance: Chance
  /** The events, in order. */
  readonly story: string[] = []
  readonly #waiting: Waiting[] = []
  #busy = 0
  #whenFree = () => {}

  constructor(seed: number) {
    this.chance = chances(seed)
  }

  /** True so often, of 100 times. */
  percent(share: number): boolean {
    return this.chance() * 100 < share
  }

  /** A number from 0 up to, not including, `end`. */
  upTo(end: number): number {
    return Math.floor(this.chance() * end)
  }

  pick<One>(among: readonly [One, ...One[]]): One {
    return among[this.upTo(among.length)] ?? among[0]
  }

  note(line: string): void {
    this.story.push(line)
  }

  /** Waits until the seed lets this task go on. */
  point(label: string): Promise<void> {
    return new Promise((resolve) => this.#waiting.push({ label, go: resolve }))
  }

  /** Work outside the schedule, such as a statement: nothing is chosen until it has ended. */
  async during<Result>(work: Promise<Result>): Promise<Result> {
    this.#busy += 1
    try {
      return await work
    } finally {
      this.#busy -= 1
      if (this.#busy === 0) this.#whenFree()
    }
  }

  /** Lets the tasks run, one after the other, until `done` has ended. */
  async drive<Result>(done: Promise<Result>): Promise<Result> {
    let isOver = false
    const ended = done.finally(() => {
      isOver = true
    })
    ended.catch(() => {})
    for (let since = performance.now(); !isOver; ) {
      if (await this.#step()) since = performance.now()
      if (performance.now() - since > STUCK_MS) throw new Error('nothing goes on')
    }
    return ended
  }

  async #step(): Promise<boolean> {
    for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
      if (this.#busy > 0) {
        await this.#free()
        quiet = -1
      }
      await turn()
    }
    const [next] = this.#waiting.splice(this.upTo(this.#waiting.length), 1)
    if (!next) {
      await new Promise((resolve) => setTimeout(resolve, TIMER_MS))
      return false
    }
    this.note(next.label)
    next.go()
    return true
  }

  /** Turns of the event loop would take the processor from the database that is waited for. */
  #free(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenFree = resolve
    })
  }
}
