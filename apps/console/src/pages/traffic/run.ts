/** A day of traffic as it runs: bounded, paced, paused and stopped. */

import { newIdempotencyKey } from '#client/core/keys.ts'
import { Problem } from '../../api/problem.ts'
import type { Transaction } from '../../api/types.ts'
import { clear, moveHour, pay, refund, reverse } from './calls.ts'
import { HOURS, type Planned } from './plan.ts'

/** Payments that are under way at one time. */
const AT_ONCE = 4
/** How often a call that is answered "later" is made. */
const TRIES = 20
const TICK_MS = 100

export type Outcome = { planned: Planned; transaction: Transaction }

export type RunState = {
  phase: 'running' | 'paused' | 'stopped' | 'ended' | 'failed'
  total: number
  /** The hour of the day that is under way, counted from its first. */
  hour: number
  outcomes: readonly Outcome[]
  /** Calls after approvals: clearings, reversals, refunds. */
  followed: number
  /** Seconds until the next call, where the rate of the tenant is reached; else 0. */
  limited_for: number
  /** Milliseconds that it has run, pauses left out. */
  ran_ms: number
  error: unknown
}

export type RunSettings = {
  plan: readonly Planned[]
  currency: string
  /** Payments a second at most. */
  rate: number
  movesClock: boolean
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

class Stopped extends Error {}

export class Run {
  readonly #settings: RunSettings
  readonly #changed: (state: RunState) => void
  #state: RunState
  /** Monotonic instants, milliseconds. */
  #allowed_at = 0
  #next_at = 0
  #seen_at = performance.now()

  constructor(settings: RunSettings, changed: (state: RunState) => void) {
    this.#settings = settings
    this.#changed = changed
    this.#state = {
      phase: 'running',
      total: settings.plan.length,
      hour: 0,
      outcomes: [],
      followed: 0,
      limited_for: 0,
      ran_ms: 0,
      error: null,
    }
  }

  pause = (): void => this.#turn('running', 'paused')
  resume = (): void => this.#turn('paused', 'running')
  stop = (): void => {
    this.#turn('running', 'stopped')
    this.#turn('paused', 'stopped')
  }

  /** Ends when everything is sent, or when it is stopped. Never rejects. */
  async start(): Promise<void> {
    try {
      for (let hour = 0; hour < HOURS; hour++) await this.#hour(hour)
      this.#turn('running', 'ended')
    } catch (error) {
      if (!(error instanceof Stopped)) this.#set({ phase: 'failed', error })
    }
  }

  async #hour(hour: number): Promise<void> {
    const { plan, movesClock } = this.#settings
    this.#set({ hour })
    const own = plan.filter((planned) => planned.hour === hour)
    const workers = Array.from({ length: AT_ONCE }, () => this.#work(own))
    const ended = await Promise.allSettled(workers)
    for (const worker of ended) if (worker.status === 'rejected') throw worker.reason
    if (movesClock) await this.#call(() => moveHour())
  }

  /** Takes payments of the hour from the front, until none is left. */
  async #work(left: Planned[]): Promise<void> {
    for (let planned = left.shift(); planned; planned = left.shift()) {
      try {
        await this.#turnToPay()
        await this.#payment(planned)
      } catch (error) {
        left.length = 0
        throw error
      }
    }
  }

  async #payment(planned: Planned): Promise<void> {
    const transaction = await this.#call((key) => pay(planned, this.#settings.currency, key))
    this.#set({ outcomes: [...this.#state.outcomes, { planned, transaction }] })
    if (transaction.status !== 'PENDING' || planned.follow === 'none') return
    const act = planned.follow === 'clear' ? clear : reverse
    const followed = await this.#call((key) => act(transaction, key))
    this.#set({ followed: this.#state.followed + 1 })
    if (!planned.isRefunded || followed.status !== 'SETTLED') return
    await this.#call((key) => refund(transaction, key))
    this.#set({ followed: this.#state.followed + 1 })
  }

  /** The next place at the chosen rate. */
  async #turnToPay(): Promise<void> {
    const now = performance.now()
    const at = Math.max(this.#next_at, now)
    this.#next_at = at + 1000 / this.#settings.rate
    await wait(at - now)
    await this.#allowed()
  }

  /** Makes a call, and the same again where the answer says later. */
  async #call<Answer>(make: (key: string) => Promise<Answer>): Promise<Answer> {
    const key = newIdempotencyKey()
    for (let tries = 1; ; tries++) {
      await this.#allowed()
      try {
        return await make(key)
      } catch (error) {
        const isLater = error instanceof Problem && [429, 503].includes(error.status)
        if (!isLater || tries === TRIES) throw error
        const wait_ms = 1000 * Math.max(error.retry_after ?? 1, 1)
        this.#allowed_at = Math.max(this.#allowed_at, performance.now() + wait_ms)
      }
    }
  }

  /** Waits through a pause and until the rate of the tenant allows a call. */
  async #allowed(): Promise<void> {
    for (;;) {
      const { phase, limited_for } = this.#state
      if (phase !== 'running' && phase !== 'paused') throw new Stopped()
      const left = this.#allowed_at - performance.now()
      const seconds = left > 0 ? Math.ceil(left / 1000) : 0
      if (seconds !== limited_for) this.#set({ limited_for: seconds })
      if (phase === 'running' && left <= 0) return
      await wait(phase === 'paused' ? TICK_MS : Math.min(left, TICK_MS))
    }
  }

  #turn(from: RunState['phase'], to: RunState['phase']): void {
    if (this.#state.phase === from) this.#set({ phase: to, limited_for: 0 })
  }

  #set(changes: Partial<RunState>): void {
    const now = performance.now()
    const ran_ms = this.#state.ran_ms + (this.#state.phase === 'running' ? now - this.#seen_at : 0)
    this.#seen_at = now
    this.#state = { ...this.#state, ...changes, ran_ms }
    this.#changed(this.#state)
  }
}
