/**
 * The callers of this process with tokens of their rate buckets, taken from the database in
 * portions (D-390): while a portion lasts, a request of the same caller needs no statement.
 */

import type { RunningClock } from '#kit/clock.ts'

/** A portion is valid for so long, and the cached caller with it. */
const LIFETIME_MS = 100
/** The share of the burst that may pass beyond the policy, over all processes. */
const OVER = 0.02
/** The most callers in memory; beyond these the oldest is dropped. */
const CALLERS_MAX = 10_000

/** The channel that drops what this process knows of its callers. */
export const CALLERS = 'callers'

/**
 * The tokens that a statement takes: one for each request that waits, and some for those to come.
 */
export type Portion = { waiting: number; ahead: number }

/** Token buckets after a portion was taken; the columns of `takeTokens`. */
export type BucketState = {
  /** Tokens of the caller's bucket, as far as that of its tenant has them (D-1005). */
  granted: number
  tokens: number
  rate: number
  burst: number
  /** Null if nothing was taken of the tenant's bucket. */
  tenant_tokens: number | null
  /** Null for a caller of no tenant. */
  tenant_rate: number | null
  tenant_burst: number | null
  /** The database's clock, and how far the tenant's is ahead of it. */
  real: Date
  offset_ms: number
}

export type RateState = { limit: number; remaining: number; allowed: boolean; wait_seconds: number }

/** `now` is the instant of the request on the tenant's clock. */
export type KnownCaller<Row> = { row: Row; now: Date; rate: RateState }

type Waiter<Row> = PromiseWithResolvers<KnownCaller<Row> | undefined>
type Read<Row> = (portion: Portion) => Promise<Row | undefined>
type Entry<Row> = {
  row: Row | undefined
  /** When the last statement was sent, and until when its portion is valid (monotonic). */
  sent: number
  until: number
  left: number
  ahead: number
  waiters: Waiter<Row>[]
  isReading: boolean
}

/**
 * Over any time, all processes together let at most 1.02 x burst and the tokens of the rate pass,
 * of each key and of each tenant: tokens are taken before they are used, and those in portions that
 * are still valid are no more than the bucket gained since. Tokens that are not used in time are
 * lost, as are those of a process that ends.
 */
export class CallerCache<Row extends BucketState> {
  readonly #entries = new Map<string, Entry<Row>>()
  readonly #clock: RunningClock

  constructor(clock: RunningClock) {
    this.#clock = clock
  }

  /**
   * Takes one token of a bucket. `read` finds the caller and takes a portion; it is called once at
   * a time for each bucket. Undefined if it finds no caller, which is not remembered.
   */
  async take(bucket: Buffer, read: Read<Row>): Promise<KnownCaller<Row> | undefined> {
    const known = this.takeKnown(bucket)
    if (known) return known
    const name = bucket.toString('base64')
    const entry = this.#entries.get(name) ?? this.#open(name)
    const waiter: Waiter<Row> = Promise.withResolvers()
    entry.waiters.push(waiter)
    if (!entry.isReading) void this.#serve(name, entry, read)
    return waiter.promise
  }

  /** Takes one of the tokens that are left of a portion. Undefined if there is none. */
  takeKnown(bucket: Buffer): KnownCaller<Row> | undefined {
    const entry = this.#entries.get(bucket.toString('base64'))
    if (!entry?.row || entry.left === 0 || performance.now() >= entry.until) return undefined
    entry.left -= 1
    return this.#found(entry.row, true, entry.left)
  }

  /** Forgets all callers: the next request of each is looked up again. */
  drop(): void {
    this.#entries.clear()
  }

  #open(name: string): Entry<Row> {
    const before = Number.NEGATIVE_INFINITY
    const known = { row: undefined, sent: before, until: before, left: 0, ahead: 0 }
    const entry: Entry<Row> = { ...known, waiters: [], isReading: false }
    this.#entries.set(name, entry)
    const [oldest = ''] = this.#entries.keys()
    if (this.#entries.size > CALLERS_MAX) this.#entries.delete(oldest)
    return entry
  }

  async #serve(name: string, entry: Entry<Row>, read: Read<Row>): Promise<void> {
    entry.isReading = true
    while (entry.waiters.length > 0) {
      const waiters = entry.waiters.splice(0)
      try {
        await this.#readFor(entry, waiters, read)
      } catch (error) {
        for (const { reject } of waiters) reject(error)
      }
    }
    entry.isReading = false
    const isKnown = entry.row !== undefined
    if (!isKnown && this.#entries.get(name) === entry) this.#entries.delete(name)
  }

  async #readFor(entry: Entry<Row>, waiters: Waiter<Row>[], read: Read<Row>): Promise<void> {
    const sent = performance.now()
    entry.ahead = aheadOf(entry, sent, waiters.length)
    Object.assign(entry, { row: undefined, left: 0, sent })
    const row = await read({ waiting: waiters.length, ahead: entry.ahead })
    if (!row) {
      for (const { resolve } of waiters) resolve(undefined)
      return
    }
    this.#clock.observe(row.real, sent)
    const { granted } = row
    for (const [at, { resolve }] of waiters.entries()) {
      resolve(this.#found(row, at < granted, granted - at - 1))
    }
    const left = Math.max(0, granted - waiters.length)
    Object.assign(entry, { row, left, until: sent + lifetimeOf(row) })
    while (entry.left > 0 && entry.waiters.length > 0) {
      entry.left -= 1
      entry.waiters.shift()?.resolve(this.#found(row, true, entry.left))
    }
  }

  #found(row: Row, allowed: boolean, left: number): KnownCaller<Row> {
    const buckets = bucketsOf(row)
    const waits = buckets.map(({ tokens, rate }) => Math.ceil((1 - tokens) / rate))
    const tokens = Math.min(...buckets.map((bucket) => bucket.tokens))
    return {
      row,
      now: new Date(this.#clock.now() + row.offset_ms),
      rate: {
        limit: Math.min(...buckets.map(({ burst }) => burst)),
        remaining: Math.floor(tokens) + Math.max(0, left),
        allowed,
        wait_seconds: Math.max(1, ...waits),
      },
    }
  }
}

/**
 * The buckets of the caller and of its tenant. A tenant's bucket that was not asked counts as full.
 */
function bucketsOf({ tokens, rate, burst, tenant_tokens, tenant_rate, tenant_burst }: BucketState) {
  const own = { tokens, rate, burst }
  if (tenant_rate === null || tenant_burst === null) return [own]
  return [own, { tokens: tenant_tokens ?? tenant_burst, rate: tenant_rate, burst: tenant_burst }]
}

/** While tokens are valid, the rate gives at most OVER of each burst. In milliseconds. */
const lifetimeOf = (row: BucketState): number =>
  Math.min(LIFETIME_MS, ...bucketsOf(row).map(({ burst, rate }) => (OVER * burst * 1000) / rate))

type Before = Pick<Entry<BucketState>, 'row' | 'sent' | 'ahead' | 'left'>

/**
 * How many tokens to take for requests to come: twice as many as before if those did not last, as
 * many as were used if they did, and never more than the rate gives while they are valid.
 */
function aheadOf(before: Before, now: number, waiting: number): number {
  const { row, ahead, left, sent } = before
  if (!row) return 0
  const lifetime_ms = lifetimeOf(row)
  const rate = Math.min(...bucketsOf(row).map((bucket) => bucket.rate))
  const most = Math.floor((rate * lifetime_ms) / 1000)
  const lasted = now - sent >= lifetime_ms
  return Math.min(most, lasted ? Math.max(0, ahead - left) : Math.max(1, 2 * ahead, waiting))
}
