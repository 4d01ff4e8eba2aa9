/** One of the connections to an issuer, renewed whenever it breaks (docs/iso8583.md 7). */

import { outsideTraces } from '#kit/tracing/tracing.ts'
import { Connection, type ConnectionOptions } from './connection.ts'

export type LineOptions = Omit<ConnectionOptions, 'host' | 'port' | 'onClose'> & {
  /** Called at every connect: a port of 0 is known only once the program listens. */
  address: () => { host: string; port: number }
}

/** Pauses between two tries to connect in the background; a request does not wait for them. */
const RECONNECT_FIRST_MS = 200
const RECONNECT_MAX_MS = 30_000

export class Line {
  readonly #options: LineOptions
  #connection: Connection | undefined
  #opening: Promise<Connection> | undefined
  #renewing: NodeJS.Timeout | undefined
  #pause = RECONNECT_FIRST_MS
  #openedAt = 0
  #closed = false

  constructor(options: LineOptions) {
    this.#options = options
  }

  /** Its connection, while that takes requests. */
  get ready(): Connection | undefined {
    return this.#connection?.isReady ? this.#connection : undefined
  }

  /** Connects now, if that is needed and no sign-off of the issuer is under way. */
  connect(): Promise<Connection> {
    if (this.#closed) return Promise.reject(new Error('the connection to the issuer is closed'))
    if (this.#opening) return this.#opening
    if (!this.#connection) return this.#open()
    if (this.ready) return Promise.resolve(this.ready)
    return Promise.reject(new Error('the connection takes no request'))
  }

  /** Is not renewed; its connection ends once what is under way is answered. */
  retire(): void {
    this.#closed = true
    clearTimeout(this.#renewing)
    this.#connection?.retire()
  }

  /** True if it has no connection. */
  get ended(): boolean {
    return this.#connection === undefined
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#renewing)
    await this.#connection?.close()
  }

  #open(): Promise<Connection> {
    clearTimeout(this.#renewing)
    const { host, port } = this.#options.address()
    const connection = outsideTraces(
      () => new Connection({ ...this.#options, host, port, onClose: () => this.#lost() }),
    )
    this.#connection = connection
    this.#opening = this.#signOn(connection).finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async #signOn(connection: Connection): Promise<Connection> {
    const { address, log } = this.#options
    try {
      await connection.signOn()
      this.#openedAt = performance.now()
      log.info(address(), 'signed on at the issuer')
      return connection
    } catch (error) {
      this.#connection = undefined
      await connection.close()
      this.#renew()
      throw error
    }
  }

  #lost(): void {
    this.#connection = undefined
    if (this.#closed) return
    this.#options.log.warn(this.#options.address(), 'the connection to the issuer broke')
    // One that is ended again and again is not renewed five times a second.
    const lasted = performance.now() - this.#openedAt
    if (lasted > RECONNECT_MAX_MS) this.#pause = RECONNECT_FIRST_MS
    this.#renew()
  }

  #renew(): void {
    if (this.#closed) return
    clearTimeout(this.#renewing)
    this.#renewing = setTimeout(() => this.connect().catch(() => {}), this.#pause)
    this.#renewing.unref()
    this.#pause = Math.min(this.#pause * 2, RECONNECT_MAX_MS)
  }
}
