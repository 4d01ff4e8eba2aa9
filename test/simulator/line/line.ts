/** The scheme's end of one connection to a process: messages with their codes, and answers. */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createFrameReader, frame } from '#iso8583/framing.ts'
import { decode, type Message } from '#iso8583/message.ts'
import { isAnswer } from '#iso8583/mti.ts'
import type { BlockKey } from '#lib/ciphers.ts'
import { isSealed, sealed } from '#sandbox/network_peer/sealed.ts'
import { nameOfAnswer } from './messages.ts'
import { DIALECT, sealingOf } from './scheme.ts'

type Waiting = {
  name: string
  key: BlockKey | undefined
  give: (answer: Message | undefined) => void
}

export type Asked = {
  /** Undefined if the line is cut before it comes, or the scheme gives it up. */
  answer: Promise<Message | undefined>
  giveUp: () => void
}

/** An answer that has not come so long after its message comes no more: nobody knows its outcome. */
const ANSWER_MS = 30_000
const HEADER = 'binary2'
const FRAME_MAX = 8_192

export class Line {
  /** Answers that no message of the scheme explains, or whose code is wrong. */
  readonly wrong: string[] = []
  readonly #socket: Socket
  readonly #waiting: Waiting[] = []
  readonly #givenUp = new Set<string>()
  readonly #requested: (message: Message) => void
  isCut = false

  private constructor(socket: Socket, requested: (message: Message) => void) {
    this.#socket = socket
    this.#requested = requested
    const reader = createFrameReader({ header: HEADER, max_frame: FRAME_MAX })
    socket.on('data', (chunk: Buffer) => {
      for (const bytes of reader.push(chunk).frames) this.#read(Buffer.from(bytes))
    })
    socket.on('error', () => undefined)
    socket.on('close', () => this.cut())
  }

  /** `requested` gets what the platform begins. */
  static async open(port: number, requested: (message: Message) => void): Promise<Line> {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    await once(socket, 'connect')
    return new Line(socket, requested)
  }

  ask(message: Message, key: BlockKey | undefined): Asked {
    return this.askBytes(message, sealed(message, DIALECT, sealingOf(key)), key)
  }

  /** The same of bytes that are sent for the message. */
  askBytes(message: Message, bytes: Buffer, key: BlockKey | undefined): Asked {
    const { promise: answer, resolve: give } = Promise.withResolvers<Message | undefined>()
    const one = { name: nameOfAnswer(message), key, give }
    const giveUp = () => {
      const at = this.#waiting.indexOf(one)
      if (at < 0) return
      this.#waiting.splice(at, 1)
      this.#givenUp.add(one.name)
      give(undefined)
    }
    if (this.isCut) give(undefined)
    else {
      this.#waiting.push(one)
      this.put(bytes)
      const late = setTimeout(giveUp, ANSWER_MS)
      void answer.then(() => clearTimeout(late))
    }
    return { answer, giveUp }
  }

  put(bytes: Buffer): void {
    this.#socket.write(frame(bytes, HEADER))
  }

  /** Messages without an answer get none any more. */
  cut(): void {
    this.isCut = true
    this.#socket.destroy()
    for (const { give } of this.#waiting.splice(0)) give(undefined)
  }

  #read(bytes: Buffer): void {
    const decoded = decode(bytes, DIALECT)
    if (!decoded.ok)
      return void this.wrong.push(`bytes that are no message: ${decoded.fault.reason}`)
    const { message } = decoded
    if (!isAnswer(message.mti)) {
      this.#requested(message)
      return
    }
    const name = nameOfAnswer(message)
    const same = this.#waiting.filter((one) => one.name === name)
    // A repeat may be under another key than the message before it.
    const isUnder = ({ key }: Waiting) => !key || isSealed(bytes, message, DIALECT, sealingOf(key))
    const asked = same.find(isUnder)
    if (!asked) {
      // One that comes after all is no fault.
      if (same.length === 0 && this.#givenUp.has(name)) return
      const what = same.length === 0 ? 'an answer to nothing' : 'an answer with a wrong code'
      return void this.wrong.push(`${what}: ${name}`)
    }
    this.#waiting.splice(this.#waiting.indexOf(asked), 1)
    asked.give(message)
  }
}
