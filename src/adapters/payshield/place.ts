/**
 * A module at one address, with the connections to it. After a fault it is left alone: it gets no
 * command but the question what it is, and serves again when it answers that (D-1014, D-1111).
 */

import type { Socket } from 'node:net'
import type { Log } from '#kit/log.ts'
import { type Answer, Connection } from './connection.ts'
import { type FaultReason, ModuleFault } from './faults.ts'
import { metrics } from './metrics.ts'

/** How often a module that rests is looked at; nothing else is sent to it. */
const LOOK_MS = 500

/** The identity of a module: the check value of its master key, and its firmware. */
export type Identity = { check_value: string; firmware: string }

export type Dial = () => Socket

export type PlaceOptions = {
  /** Its place in HSM_ADDRESS, counted from 1. */
  number: number
  dial: Dial
  header: number
  connections: number
  timeout_ms: number
  /** The fields of NC. */
  diagnosis: Buffer
  log: Log
}

export class Place {
  readonly #options: PlaceOptions
  readonly #connections = new Set<Connection>()
  #opening = 0
  #opened: Promise<Connection> | undefined
  #resting: NodeJS.Timeout | undefined
  #closed = false
  /** The check value of the master key that it must have; unknown before the start. */
  expected: string | undefined

  constructor(options: PlaceOptions) {
    this.#options = options
    this.#mark(true)
  }

  get number(): number {
    return this.#options.number
  }

  get rests(): boolean {
    return this.#resting !== undefined
  }

  /** Rejects with a ModuleFault. */
  async send(command: string, fields: Buffer, timeout_ms: number): Promise<Answer> {
    const begun = performance.now()
    try {
      const connection = await this.#connection(command, timeout_ms)
      const left = Math.max(1, timeout_ms - (performance.now() - begun))
      return await connection.send(command, fields, left)
    } catch (error) {
      const fault = error instanceof ModuleFault ? error : new ModuleFault('unreachable', command)
      // A connection that ended is no module that failed: the next one shows that. Nor is a sender
      // that had less time than a command may take.
      const isHurried = fault.reason === 'timeout' && timeout_ms < this.#options.timeout_ms
      if (fault.reason !== 'lost' && !isHurried) this.#rest(fault)
      throw fault
    }
  }

  /** Asks it what it is. Rejects with a ModuleFault. */
  async identify(timeout_ms = this.#options.timeout_ms): Promise<Identity> {
    return this.#identifyOn(await this.#connection('NC', timeout_ms), timeout_ms)
  }

  async #identifyOn(connection: Connection, timeout_ms: number): Promise<Identity> {
    const { code, fields } = await connection.send('NC', this.#options.diagnosis, timeout_ms)
    if (code !== '00') throw new ModuleFault('refused', 'NC', code)
    const text = fields.toString('latin1')
    return { check_value: text.slice(0, 16), firmware: text.slice(16, 25) }
  }

  close(): void {
    this.#closed = true
    clearInterval(this.#resting)
    for (const connection of this.#connections) connection.close()
  }

  /** The least busy connection; another one is opened where all are busy and there may be more. */
  async #connection(command: string, timeout_ms: number): Promise<Connection> {
    const [least] = [...this.#connections].sort((one, other) => one.load - other.load)
    const isFull = this.#connections.size + this.#opening >= this.#options.connections
    if (least && (least.load === 0 || isFull)) return least
    if (!isFull) this.#open(timeout_ms)
    if (least) return least
    if (!this.#opened) throw new ModuleFault('unreachable', command)
    return this.#opened
  }

  #open(timeout_ms: number): void {
    this.#opening += 1
    const opened = this.#dialed(timeout_ms).finally(() => {
      this.#opening -= 1
      if (this.#opened === opened) this.#opened = undefined
    })
    opened.catch(() => {})
    this.#opened = opened
  }

  #dialed(timeout_ms: number): Promise<Connection> {
    const { promise, resolve, reject } = Promise.withResolvers<Connection>()
    const socket = this.#options.dial()
    const end = (reason: FaultReason) => {
      socket.destroy()
      reject(new ModuleFault(reason, 'connect'))
    }
    const fail = () => end('unreachable')
    const timer = setTimeout(end, timeout_ms, 'timeout')
    socket.once('error', fail)
    const isSecure = 'encrypted' in socket
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer)
      socket.off('error', fail)
      if (this.#closed) return fail()
      const connection = new Connection(socket, this.#options.header, () =>
        this.#connections.delete(connection),
      )
      this.#connections.add(connection)
      resolve(connection)
    })
    return promise.finally(() => clearTimeout(timer))
  }

  #rest({ reason, code }: ModuleFault): void {
    if (this.#resting || this.#closed) return
    const { number, log } = this.#options
    log.warn({ hsm: number, reason, ...(code && { code }) }, 'a security module fails: it rests')
    this.#mark(false)
    const since = performance.now()
    this.#resting = setInterval(() => {
      void this.#look(since).then((isBack) => isBack && this.#wake(since))
    }, LOOK_MS).unref()
  }

  /**
   * A connection from before may have died without a word, as when a machine loses its power or a
   * firewall forgets it: it says nothing for minutes after the module is back. So one that has been
   * silent since the fault asks nothing, and a new one takes its place (D-1451).
   */
  async #look(since: number): Promise<boolean> {
    for (const connection of this.#connections) {
      if (connection.load === 0 && connection.heard < since) connection.close()
    }
    let connection = [...this.#connections]
      .sort((one, other) => one.load - other.load)
      .find(({ heard }) => heard >= since)
    const isFull = this.#connections.size + this.#opening >= this.#options.connections
    if (!connection && isFull) return false
    try {
      connection ??= await this.#dialed(LOOK_MS)
      const { check_value } = await this.#identifyOn(connection, LOOK_MS)
      if (this.expected === undefined || check_value === this.expected) return true
      this.#options.log.error({ hsm: this.number }, 'a security module has another master key')
      return false
    } catch {
      connection?.close()
      return false
    }
  }

  /** Commands that still wait on a connection that has been silent are tried again on another one. */
  #wake(since: number): void {
    if (!this.#resting) return
    clearInterval(this.#resting)
    this.#resting = undefined
    for (const connection of this.#connections) {
      if (connection.heard < since) connection.close()
    }
    this.#mark(true)
    this.#options.log.info({ hsm: this.number }, 'a security module answers again')
  }

  #mark(reachable: boolean): void {
    metrics.reachable.set({ place: this.#options.number }, reachable ? 1 : 0)
  }
}
