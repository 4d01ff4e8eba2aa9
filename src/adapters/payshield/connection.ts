/**
 * One connection to a module: many commands are under way on it, and answers are matched by their
 * header (D-1011). The answer of a command that was given up is dropped when it comes late.
 */

import type { Socket } from 'node:net'
import { createFrameReader, frame } from '#iso8583/framing.ts'
import { ModuleFault } from './faults.ts'

const FRAME_MAX = 32_768
/** Command and error code in front of the fields of an answer. */
const CODES = 4
/** So many answers that did not come in time, and the connection is given up. */
const LATE_MAX = 1_000
const RADIX = 36

export type Answer = { code: string; fields: Buffer }

type Waiting = {
  command: string
  resolve: (answer: Answer) => void
  reject: (fault: ModuleFault) => void
  timer: NodeJS.Timeout
}

/** `AB` is answered as `AC`, `A9` as `A:` would be: the second letter plus one. */
const answerTo = (command: string): string =>
  command.charAt(0) + String.fromCharCode(command.charCodeAt(1) + 1)

export class Connection {
  readonly #socket: Socket
  readonly #headerLength: number
  readonly #reader = createFrameReader({ header: 'binary2', max_frame: FRAME_MAX })
  readonly #waiting = new Map<string, Waiting>()
  /** The headers of commands that were given up: none is used again before its answer has come. */
  readonly #late = new Set<string>()
  readonly #ended: () => void
  #last = 0
  isOpen = true
  /** When bytes of the module came last, by the clock of the process; at first when it was opened. */
  heard = performance.now()

  /** `socket` is connected. `ended` is called once. */
  constructor(socket: Socket, headerLength: number, ended: () => void) {
    this.#socket = socket
    this.#headerLength = headerLength
    this.#ended = ended
    socket.on('data', (chunk) => this.#read(chunk))
    socket.on('error', () => this.#end('lost'))
    socket.on('close', () => this.#end('lost'))
  }

  /** Commands without an answer yet. */
  get load(): number {
    return this.#waiting.size
  }

  /** Rejects with a ModuleFault. An error code of the module is an answer. */
  send(command: string, fields: Buffer, timeout_ms: number): Promise<Answer> {
    if (!this.isOpen) return Promise.reject(new ModuleFault('lost', command))
    const header = this.#freeHeader()
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const timer = setTimeout(() => this.#giveUp(header), timeout_ms)
    this.#waiting.set(header, { command, resolve, reject, timer })
    this.#write(frame(Buffer.concat([Buffer.from(header + command), fields]), 'binary2'))
    return promise
  }

  close(): void {
    this.#end('lost')
  }

  /** Commands of the same turn leave as one piece. */
  #write(bytes: Buffer): void {
    if (this.#socket.writableCorked === 0) {
      this.#socket.cork()
      setImmediate(() => this.#socket.uncork())
    }
    this.#socket.write(bytes)
  }

  #freeHeader(): string {
    for (;;) {
      this.#last = (this.#last + 1) % RADIX ** this.#headerLength
      const header = this.#last.toString(RADIX).toUpperCase().padStart(this.#headerLength, '0')
      if (!this.#waiting.has(header) && !this.#late.has(header)) return header
    }
  }

  #giveUp(header: string): void {
    const waiting = this.#take(header)
    if (!waiting) return
    this.#late.add(header)
    waiting.reject(new ModuleFault('timeout', waiting.command))
    if (this.#late.size >= Math.min(LATE_MAX, RADIX ** this.#headerLength / 2)) this.#end('timeout')
  }

  #read(chunk: Buffer): void {
    this.heard = performance.now()
    const { frames, error } = this.#reader.push(chunk)
    for (const message of frames) this.#match(message)
    if (error !== null) this.#end('garbled')
  }

  /** A header that nobody waits for is that of a late answer, or of nothing that was asked. */
  #match(message: Buffer): void {
    const header = message.toString('latin1', 0, this.#headerLength)
    const waiting = this.#take(header)
    if (!waiting) {
      if (!this.#late.delete(header)) this.#end('garbled')
      return
    }
    const at = this.#headerLength
    const { command } = waiting
    if (
      message.length < at + CODES ||
      message.toString('latin1', at, at + 2) !== answerTo(command)
    ) {
      waiting.reject(new ModuleFault('garbled', command))
      this.#end('garbled')
      return
    }
    const code = message.toString('latin1', at + 2, at + CODES)
    // The bytes are those of the socket, which reuses them.
    waiting.resolve({ code, fields: Buffer.from(message.subarray(at + CODES)) })
  }

  #take(header: string): Waiting | undefined {
    const waiting = this.#waiting.get(header)
    this.#waiting.delete(header)
    clearTimeout(waiting?.timer)
    return waiting
  }

  #end(reason: 'lost' | 'garbled' | 'timeout'): void {
    if (!this.isOpen) return
    this.isOpen = false
    this.#socket.destroy()
    for (const header of [...this.#waiting.keys()]) {
      const waiting = this.#take(header)
      waiting?.reject(new ModuleFault(reason, waiting.command))
    }
    this.#ended()
  }
}
