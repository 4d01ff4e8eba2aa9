/**
 * Limits guesses of keys (D-361): an address whose credentials fail gets 429 before any
 * database work, while credentials that were valid lately still work from it.
 */

import { createHash, randomBytes } from 'node:crypto'
import { originOf } from '#kit/net/networks.ts'
import { ApiError } from '#lib/result.ts'

/** Failures that an address may have at once; then one attempt a second. */
const FAILURES_BURST = 100
const ATTEMPTS_PER_SECOND = 1
/** The most addresses and credentials in memory; beyond these the oldest is dropped. */
const ADDRESSES_MAX = 10_000
const GOOD_MAX = 10_000
/** How long a valid credential is remembered after its last use. */
const GOOD_FOR_MS = 15 * 60 * 1000

export type Attempt = {
  /** The source of the request: an IP address. */
  address: string
  /** The presented credential, in any form. */
  credential: string
  /** Real time, in milliseconds. */
  now: number
}

type Allowance = { tokens: number; filled: number }

/** Thrown before any database work. HTTP 429. */
export class TooManyGuesses extends ApiError {
  readonly wait_seconds: number
  constructor(wait_seconds: number) {
    super('rate_limited', { detail: 'Too many failed authentications from this address.' })
    this.wait_seconds = wait_seconds
  }
}

/** The memory of one process. Addresses are IPv4 addresses and networks /64 of IPv6. */
export class Guesses {
  readonly #allowances = new Map<string, Allowance>()
  readonly #good = new Map<string, number>()
  readonly #trying = new Map<string, Promise<unknown>>()
  /** A remembered mark reveals nothing of its credential. */
  readonly #salt = randomBytes(32)

  /**
   * Calls `authenticate`, which throws ApiError `unauthenticated` for an invalid credential. Throws
   * TooManyGuesses instead if the address has no attempt left and the credential is unknown.
   */
  async watch<Caller>(attempt: Attempt, authenticate: () => Promise<Caller>): Promise<Caller> {
    const { credential, now } = attempt
    const mark = this.#markOf(credential)
    // The same credential from a hundred requests at once is one attempt.
    while (this.#trying.has(mark)) await this.#trying.get(mark)
    if (this.#isGood(mark, now)) return this.#tried(attempt, mark, authenticate, false)
    if (!this.#take(attempt)) throw new TooManyGuesses(1 / ATTEMPTS_PER_SECOND)
    const trial = this.#tried(attempt, mark, authenticate, true)
    const ended = trial.then(
      () => {},
      () => {},
    )
    this.#trying.set(mark, ended)
    try {
      return await trial
    } finally {
      this.#trying.delete(mark)
    }
  }

  async #tried<Caller>(
    attempt: Attempt,
    mark: string,
    authenticate: () => Promise<Caller>,
    taken: boolean,
  ): Promise<Caller> {
    try {
      const caller = await authenticate()
      if (taken) this.#giveBack(attempt)
      this.#remember(mark, attempt.now)
      return caller
    } catch (error) {
      const failed = error instanceof ApiError && error.code === 'unauthenticated'
      if (failed) this.#good.delete(mark)
      if (failed && !taken) this.#take(attempt)
      if (!failed && taken) this.#giveBack(attempt)
      throw error
    }
  }

  #markOf(credential: string): string {
    return createHash('sha256').update(this.#salt).update(credential).digest('base64')
  }

  #isGood(mark: string, now: number): boolean {
    const used = this.#good.get(mark)
    return used !== undefined && now - used < GOOD_FOR_MS
  }

  #remember(mark: string, now: number): void {
    this.#good.delete(mark)
    this.#good.set(mark, now)
    forgetOldest(this.#good, GOOD_MAX)
  }

  #take({ address, now }: Attempt): boolean {
    const source = originOf(address)
    const allowance = this.#allowances.get(source) ?? { tokens: FAILURES_BURST, filled: now }
    const filled = (Math.max(0, now - allowance.filled) / 1000) * ATTEMPTS_PER_SECOND
    const tokens = Math.min(FAILURES_BURST, allowance.tokens + filled)
    const enough = tokens >= 1
    this.#allowances.delete(source)
    this.#allowances.set(source, { tokens: enough ? tokens - 1 : tokens, filled: now })
    forgetOldest(this.#allowances, ADDRESSES_MAX)
    return enough
  }

  #giveBack({ address }: Attempt): void {
    const allowance = this.#allowances.get(originOf(address))
    if (allowance) allowance.tokens = Math.min(FAILURES_BURST, allowance.tokens + 1)
  }
}

function forgetOldest(entries: Map<string, unknown>, most: number): void {
  if (entries.size <= most) return
  const [oldest] = entries.keys()
  if (oldest !== undefined) entries.delete(oldest)
}
