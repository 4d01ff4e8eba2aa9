/**
 * The link to the issuers: the default one, and those that merchants are sent to by name (D-761).
 * Each has connections of its own, so one that is away delays no other.
 */

import { type Message, traceName } from '#iso8583/message.ts'
import type { Log } from '#kit/log.ts'
import { carry } from '#kit/tracing/carried.ts'
import { openSpan } from '#kit/tracing/tracing.ts'
import type { Exchange } from './connection.ts'
import { type AccessControl, IssuerLines, type IssuerOptions } from './issuer_lines.ts'
import { LateAnswers } from './late_answers.ts'

/** Null is the default issuer. */
export type IssuerName = string | null

export type LinkOptions = {
  usual: IssuerOptions
  named?: ReadonlyMap<string, IssuerOptions>
  log: Log
}

type Way = { options: IssuerOptions; lines: IssuerLines }

export class IssuerLink {
  readonly #ways = new Map<IssuerName, Way>()
  /** All that were known at some time. */
  readonly #met = new Set<IssuerName>()
  readonly #listeners: ((issuer: IssuerName) => void)[] = []
  readonly #log: Log
  readonly #late = new LateAnswers()
  /** They end once what is under way is answered. */
  #retired: IssuerLines[] = []
  #closed = false

  constructor({ usual, named = new Map(), log }: LinkOptions) {
    this.#log = log
    this.#open(null, usual)
    for (const [name, options] of named) this.#open(name, options)
  }

  /** The names that merchants may have. */
  get names(): readonly string[] {
    return [...this.#ways.keys()].filter((name) => name !== null)
  }

  /** The default issuer and all others. */
  get issuers(): readonly IssuerName[] {
    return [...this.#ways.keys()]
  }

  /** Whether anything is sent to the issuer. */
  has(issuer: IssuerName): boolean {
    return this.#ways.has(issuer)
  }

  /** The access control server of the issuer; undefined if it has none. */
  acsOf(issuer: IssuerName): AccessControl | undefined {
    return this.#ways.get(issuer)?.options.acs
  }

  /** Whether what is captured and refunded from now on reaches the issuer by a file (D-1047). */
  clearsByFile(issuer: IssuerName): boolean {
    return this.#ways.get(issuer)?.options.clearing === 'file'
  }

  /** Whether this program is the issuer. */
  isOwn(issuer: IssuerName): boolean {
    return this.#ways.get(issuer)?.options.isOwn?.() === true
  }

  /** Hears of each issuer that comes later, once. */
  onMet(listener: (issuer: IssuerName) => void): void {
    this.#listeners.push(listener)
  }

  /**
   * Sends to these issuers beside the default one from now on. One whose options are the same
   * object keeps its connections. Messages under way to the others may still be answered.
   */
  use(named: ReadonlyMap<string, IssuerOptions>): void {
    if (this.#closed) return
    for (const [name, { options, lines }] of this.#ways) {
      if (name === null || named.get(name) === options) continue
      this.#ways.delete(name)
      lines.retire()
      this.#retired.push(lines)
    }
    this.#retired = this.#retired.filter((lines) => !lines.ended)
    for (const [name, options] of named) if (!this.#ways.has(name)) this.#open(name, options)
  }

  #open(issuer: IssuerName, options: IssuerOptions): void {
    const onStray = (answer: Message) => this.#late.take(issuer, answer)
    this.#ways.set(issuer, { options, lines: new IssuerLines({ ...options, onStray }) })
    if (this.#met.has(issuer)) return
    this.#met.add(issuer)
    for (const listener of this.#listeners) listener(issuer)
  }

  /** True when nothing is sent any more. */
  get closed(): boolean {
    return this.#closed
  }

  /**
   * Sends to an issuer and waits at most `timeout` milliseconds, connecting first if that is
   * needed. Nothing is sent to an issuer that is configured no longer.
   */
  async exchange(issuer: IssuerName, message: Message, timeout: number): Promise<Exchange> {
    const span = openSpan(`issuer ${message.mti}`, { kind: 'client' })
    if (!span) return this.#exchange(issuer, message, timeout)
    const forget = carry(traceName(message), span.place)
    try {
      return await this.#exchange(issuer, message, timeout)
    } finally {
      forget()
      span.end()
    }
  }

  async #exchange(issuer: IssuerName, message: Message, timeout: number): Promise<Exchange> {
    const end = performance.now() + timeout
    for (let way = this.#ways.get(issuer); way; way = this.#ways.get(issuer)) {
      const exchange = await way.lines.exchange(message, end - performance.now())
      // A message that was not written to retired connections goes over those that follow them.
      if (exchange.kind !== 'unsent' || this.#ways.get(issuer) === way) return exchange
    }
    this.#log.error({ issuer }, 'ISSUERS_FILE does not have the issuer of a message')
    return { kind: 'unsent' }
  }

  /**
   * Calls `hear` with each answer that still comes to a request that was not answered in time. A
   * failure to record it is logged.
   */
  expectLate(issuer: IssuerName, request: Message, hear: (answer: Message) => Promise<void>): void {
    if (this.#closed) return
    this.#late.expect(issuer, request, (answer) =>
      hear(answer).catch((error: unknown) =>
        this.#log.error({ err: error, issuer }, 'a late answer could not be recorded'),
      ),
    )
  }

  async close(): Promise<void> {
    this.#closed = true
    const all = [...[...this.#ways.values()].map(({ lines }) => lines), ...this.#retired]
    await Promise.all([...all.map((lines) => lines.close()), this.#late.close()])
  }
}
