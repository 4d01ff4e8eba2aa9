/**
 * The link to the issuers: the default one, and those that merchants are sent to by name (D-761).
 * Each has connections of its own, so one that is away delays no other.
 */

import type { Message } from '#iso8583/message.ts'
import type { Log } from '#kit/log.ts'
import type { Exchange } from './connection.ts'
import { IssuerLines, type IssuerOptions } from './issuer_lines.ts'

/** Null is the default issuer. */
export type IssuerName = string | null

export type LinkOptions = {
  usual: IssuerOptions
  named?: ReadonlyMap<string, IssuerOptions>
  log: Log
}

export class IssuerLink {
  readonly #lines: ReadonlyMap<IssuerName, IssuerLines>
  readonly #log: Log
  #closed = false

  constructor({ usual, named = new Map(), log }: LinkOptions) {
    const all: [IssuerName, IssuerOptions][] = [[null, usual], ...named]
    this.#lines = new Map(all.map(([name, options]) => [name, new IssuerLines(options)]))
    this.#log = log
  }

  /** The default issuer and all others. */
  get issuers(): readonly IssuerName[] {
    return [...this.#lines.keys()]
  }

  /** True when nothing is sent any more. */
  get closed(): boolean {
    return this.#closed
  }

  /**
   * Sends to an issuer and waits at most `timeout` milliseconds, connecting first where that is
   * needed. Nothing is sent to an issuer that is configured no longer.
   */
  async exchange(issuer: IssuerName, message: Message, timeout: number): Promise<Exchange> {
    const lines = this.#lines.get(issuer)
    if (lines) return lines.exchange(message, timeout)
    this.#log.error({ issuer }, 'ISSUERS_FILE does not have the issuer of a message')
    return { kind: 'unsent' }
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#lines.values()].map((lines) => lines.close()))
  }
}
