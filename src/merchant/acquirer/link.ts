/**
 * The link to the issuer: one connection that is kept open, signed on, checked by echoes and
 * renewed (docs/iso8583.md 7). Any number of requests may be under way on it.
 */

import type { Socket } from 'node:net'
import type { DialectName } from '#iso8583/dialects.ts'
import type { Header } from '#iso8583/framing.ts'
import type { Message } from '#iso8583/message.ts'
import type { Log } from '#kit/log.ts'
import { Connection, type Exchange } from './connection.ts'

export type LinkOptions = {
  /** Called at every connect: a port of 0 is known only once the program listens. */
  address: () => { host: string; port: number }
  /** Opens a connection there: plain, secured, or known to the port of this process. */
  dial: (address: { host: string; port: number }) => Socket
  dialect: DialectName
  header: Header
  log: Log
}

/** Pauses between two tries to connect in the background; a request does not wait for them. */
const RECONNECT_FIRST_MS = 200
const RECONNECT_MAX_MS = 30_000

export class IssuerLink {
  readonly #options: LinkOptions
  #connection: Promise<Connection> | undefined
  #reconnecting: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: LinkOptions) {
    this.#options = options
  }

  /** True when nothing is sent any more. */
  get closed(): boolean {
    return this.#closed
  }

  /** Sends and waits at most `timeout` milliseconds, connecting first where that is needed. */
  async exchange(message: Message, timeout: number): Promise<Exchange> {
    const end = performance.now() + timeout
    const connection = await this.#connect().catch(() => undefined)
    if (!connection || performance.now() >= end) return { kind: 'unsent' }
    return connection.exchange(message, end - performance.now())
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#reconnecting)
    const connection = await this.#connection?.catch(() => undefined)
    connection?.close()
  }

  #connect(): Promise<Connection> {
    if (this.#closed) return Promise.reject(new Error('the connection to the issuer is closed'))
    this.#connection ??= this.#open()
    return this.#connection
  }

  async #open(): Promise<Connection> {
    clearTimeout(this.#reconnecting)
    const { address, log } = this.#options
    const { host, port } = address()
    const connection = new Connection({ ...this.#options, host, port, onClose: () => this.#lost() })
    try {
      await connection.signOn()
      log.info({ host, port }, 'signed on at the issuer')
      return connection
    } catch (error) {
      connection.close()
      this.#connection = undefined
      throw error
    }
  }

  /** A broken connection is renewed before the next request. */
  #lost(): void {
    this.#connection = undefined
    if (this.#closed) return
    this.#options.log.warn('the connection to the issuer broke')
    this.#renewIn(RECONNECT_FIRST_MS)
  }

  #renewIn(pause: number): void {
    clearTimeout(this.#reconnecting)
    this.#reconnecting = setTimeout(() => {
      if (this.#connection) return
      this.#connect().catch(() => {
        if (!this.#closed) this.#renewIn(Math.min(pause * 2, RECONNECT_MAX_MS))
      })
    }, pause)
    this.#reconnecting.unref()
  }
}
