/**
 * The way to one issuer: several connections that are kept open, signed on, checked by echoes and
 * renewed, each by itself (docs/iso8583.md 7, D-760). Any number of requests may be under way.
 */

import type { Message } from '#iso8583/message.ts'
import type { Secret } from '#lib/secret.ts'
import type { Connection, Exchange } from './connection.ts'
import { Line, type LineOptions } from './line.ts'
import { leastBusy } from './rules.ts'

export type IssuerOptions = LineOptions & {
  /** How many connections are kept. */
  connections: number
  /** The access control server that asks its cardholders (D-1215). */
  acs?: AccessControl | undefined
  /** How captures and refunds reach the issuer, by default each by an advice (D-1047). */
  clearing?: 'advice' | 'file'
  /** Whether it is this program, which imports the files. */
  isOwn?: () => boolean
}

/** Without a trailing slash; `key` is an API key of the issuer. */
export type AccessControl = { url: string; key: Secret }

export class IssuerLines {
  readonly #lines: readonly Line[]
  #turn = 0
  #closed = false

  constructor({ connections, ...options }: IssuerOptions) {
    this.#lines = Array.from({ length: connections }, () => new Line(options))
  }

  /**
   * Sends over one connection and waits at most `timeout` milliseconds, connecting first if no
   * connection is signed on. A message that a connection could not write goes over another at once;
   * a written one belongs to its connection, as does the answer.
   */
  async exchange(message: Message, timeout: number): Promise<Exchange> {
    const end = performance.now() + timeout
    for (let tries = this.#lines.length; tries > 0; tries--) {
      const connection = this.#choose() ?? (await this.#connect(end))
      if (!connection || performance.now() >= end) break
      const exchange = await connection.exchange(message, end - performance.now())
      if (exchange.kind !== 'unsent') return exchange
    }
    return { kind: 'unsent' }
  }

  /** Takes no further request; each connection ends once what is under way is answered. */
  retire(): void {
    this.#closed = true
    for (const line of this.#lines) line.retire()
  }

  /** True once they were retired or closed, and no connection is left. */
  get ended(): boolean {
    return this.#closed && this.#lines.every(({ ended }) => ended)
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(this.#lines.map((line) => line.close()))
  }

  #choose(): Connection | undefined {
    this.#turn += 1
    return leastBusy(
      this.#lines.flatMap(({ ready }) => ready ?? []),
      this.#turn,
    )
  }

  /** All at once: the first that is signed on is taken. */
  async #connect(end: number): Promise<Connection | undefined> {
    if (this.#closed) return undefined
    const late = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => late.resolve(undefined), end - performance.now())
    const first = Promise.any(this.#lines.map((line) => line.connect())).catch(() => undefined)
    const connection = await Promise.race([first, late.promise])
    clearTimeout(timer)
    return connection
  }
}
