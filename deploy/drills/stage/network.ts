/** A card network with a connection to each process, which connects again where one ends. */

import { setTimeout as pause } from 'node:timers/promises'
import type { Message } from '#iso8583/message.ts'
import { type Acquirer, connectAcquirer } from '#test/support/network/acquirer.ts'

/** An answer that takes longer is given up. */
const PATIENCE_MS = 7_000
const AGAIN_MS = 100

type Connection = { port: number; acquirer: Acquirer; waiting: number }

export class Network {
  #ports: readonly number[] = []
  #connections: Connection[] = []
  readonly #keeping: Promise<void>[] = []
  #turn = 0

  /** Connects to these ports, and leaves the others once nothing is awaited there. */
  async go(ports: readonly number[]): Promise<void> {
    const added = ports.filter((port) => !this.#ports.includes(port))
    this.#ports = ports
    const connected = added.map(() => Promise.withResolvers<void>())
    for (const [at, port] of added.entries()) {
      this.#keeping.push(this.#keep(port, () => connected[at]?.resolve()))
    }
    await Promise.all(connected.map(({ promise }) => promise))
  }

  async close(): Promise<void> {
    await this.go([])
    for (const { acquirer } of this.#connections) acquirer.cut()
    await Promise.all(this.#keeping)
  }

  /** The response code; undefined if no answer came. */
  async ask(message: Message): Promise<string | undefined> {
    const one = await this.#next()
    if (!one) return undefined
    one.waiting += 1
    try {
      return (await one.acquirer.send(message)).fields[39]
    } catch {
      return undefined
    } finally {
      one.waiting -= 1
      if (one.waiting === 0 && !this.#ports.includes(one.port)) await one.acquirer.close()
    }
  }

  /** The next of the open connections, in turn; waits for one as long as for an answer. */
  async #next(): Promise<Connection | undefined> {
    for (const end = performance.now() + PATIENCE_MS; ; await pause(AGAIN_MS)) {
      const open = this.#connections.filter(({ port }) => this.#ports.includes(port))
      this.#turn += 1
      const one = open[this.#turn % open.length]
      if (one || performance.now() > end) return one
    }
  }

  async #keep(port: number, onConnection: () => void): Promise<void> {
    for (; this.#ports.includes(port); await pause(AGAIN_MS)) {
      const acquirer = await connectAcquirer({ port, patience: PATIENCE_MS }).catch(() => undefined)
      if (!acquirer) continue
      acquirer.answerEchoes()
      const signedOn = await acquirer.signOn().catch(() => undefined)
      if (!signedOn) {
        acquirer.cut()
        continue
      }
      const connection = { port, acquirer, waiting: 0 }
      this.#connections.push(connection)
      onConnection()
      await acquirer.closed
      this.#connections = this.#connections.filter((one) => one !== connection)
    }
  }
}
