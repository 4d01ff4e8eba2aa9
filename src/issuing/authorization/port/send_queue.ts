/**
 * The outgoing bytes of a connection: answers of one turn of the event loop leave in one write.
 * Bytes that the peer does not take wait here, and are passed to the system piece by piece, so that
 * it shows whether the peer reads any of it.
 */

import type { Socket } from 'node:net'
import { metrics } from '../metrics.ts'

export type Sending = {
  /** Called once if the bytes cannot have left this process. */
  unsent?: (() => void) | undefined
  /** After this instant of the monotonic clock, milliseconds, they do not leave any more. */
  end?: number | undefined
}

export type SendQueue = {
  put(bytes: Buffer, sending?: Sending): void
  /** Bytes that have not left this process yet. */
  waiting(): number
  /** Bytes that have left it so far. */
  taken(): number
  /** Sends what is there and ends the stream. */
  end(): void
}

type Item = Sending & { bytes: Buffer }

/** Bytes of one write, unless a single answer is longer; taken bytes show in such pieces. */
const PIECE = 16_384

export type SendQueueOptions = {
  /** The name of the network, in metrics. */
  network: string
  /** Called whenever bytes have left. */
  onTaken: () => void
}

export const openSendQueue = (socket: Socket, options: SendQueueOptions): SendQueue =>
  new Queue(socket, options)

class Queue implements SendQueue {
  readonly #socket: Socket
  readonly #network: string
  readonly #onTaken: () => void
  #items: Item[] = []
  #bytes = 0
  /** Bytes of the write that is under way. */
  #writing = 0
  #taken = 0
  #flushing = false
  #ending = false

  constructor(socket: Socket, { network, onTaken }: SendQueueOptions) {
    this.#socket = socket
    this.#network = network
    this.#onTaken = onTaken
  }

  put(bytes: Buffer, sending: Sending = {}): void {
    this.#items.push({ ...sending, bytes })
    this.#bytes += bytes.length
    if (this.#flushing) return
    this.#flushing = true
    setImmediate(() => {
      this.#flushing = false
      this.#write()
    })
  }

  waiting = (): number => this.#bytes + this.#writing
  taken = (): number => this.#taken

  end(): void {
    this.#ending = true
    this.#write()
  }

  #write(): void {
    if (this.#writing > 0) return
    this.#leaveOutLate()
    const piece = this.#cut()
    if (piece.length === 0) {
      if (this.#ending && !this.#socket.writableEnded) this.#socket.end()
      return
    }
    const bytes = Buffer.concat(piece.map((item) => item.bytes))
    this.#bytes -= bytes.length
    this.#writing = bytes.length
    // A stream that was destroyed or ended passes an error to the callback of every write.
    this.#socket.write(bytes, (error) => {
      this.#writing = 0
      if (error) return this.#fail(piece)
      this.#taken += bytes.length
      this.#write()
      this.#onTaken()
    })
  }

  /** Drops the answers whose deadline has passed while they waited here. */
  #leaveOutLate(): void {
    const now = performance.now()
    const isLate = ({ end }: Item) => end !== undefined && end < now
    if (!this.#items.some(isLate)) return
    const late = this.#items.filter(isLate)
    this.#items = this.#items.filter((item) => !isLate(item))
    this.#giveUp(late)
  }

  #giveUp(items: readonly Item[]): void {
    metrics.networkFaults.inc({ network: this.#network, reason: 'unsent' }, items.length)
    for (const { bytes, unsent } of items) {
      this.#bytes -= bytes.length
      unsent?.()
    }
  }

  /** The items of the next write: at least one, if there is any. */
  #cut(): Item[] {
    let [count, length] = [0, 0]
    for (const { bytes } of this.#items) {
      if (count > 0 && length + bytes.length > PIECE) break
      length += bytes.length
      count += 1
    }
    return this.#items.splice(0, count)
  }

  /** Nothing leaves any more, neither these nor what waits behind them. */
  #fail(piece: Item[]): void {
    metrics.networkFaults.inc({ network: this.#network, reason: 'unsent' })
    const failed = [...piece, ...this.#items]
    this.#items = []
    this.#bytes = 0
    for (const { unsent } of failed) unsent?.()
  }
}
