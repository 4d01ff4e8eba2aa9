/**
 * The scheme's end of a line to the platform: frames, envelopes and codes (MAC). Each message that
 * is sent or comes is reported (D-1030, D-1031).
 */

import type { Socket } from 'node:net'
import type { DialectName } from '#iso8583/dialects.ts'
import { type EnvelopeName, enveloped, opened } from '#iso8583/envelope.ts'
import { createFrameReader, type FrameReader, frame, type Header } from '#iso8583/framing.ts'
import { decode, type Message } from '#iso8583/message.ts'
import { isAnswer, mtiClass } from '#iso8583/mti.ts'
import type { BlockKey } from '#lib/ciphers.ts'
import type { MacMethod } from '#mac/mac.ts'
import { isSealed, sealed } from './sealed.ts'

/** `unknown`: it has a code, and there is no key to check it with. */
export type MacState = 'right' | 'wrong' | 'unknown' | 'none'

export type Came = { message: Message; mac: MacState }
export type Passed = Came & { way: 'sent' | 'came' }

export type LineSettings = {
  dialect: DialectName
  header: Header
  envelope: EnvelopeName
  /** Null for messages without codes. */
  method: MacMethod | null
}

export type SchemeLineOptions = LineSettings & {
  socket: Socket
  report: (passed: Passed) => void
  /** Bytes that are no message; a sentence. */
  unreadable: (reason: string) => void
  /** A message that the platform begins. */
  requested: (message: Message) => void
}

type Waiting = { name: string; give: (answer: Came | undefined) => void }

const FRAME_MAX = 8_192

export class SchemeLine {
  /** Resolves when the line is closed. */
  readonly closed: Promise<void>
  /** The key of codes: that of the newest exchange. */
  key: BlockKey | undefined
  isClosed = false
  /** A key that is on its way to the platform, whose answer may be under it. */
  offered: BlockKey | undefined
  readonly #options: SchemeLineOptions
  readonly #reader: FrameReader
  readonly #waiting = new Set<Waiting>()
  readonly #envelopes = new WeakMap<Message, Buffer>()
  /** The key before, under which answers on their way come. */
  #before: BlockKey | undefined

  constructor(options: SchemeLineOptions) {
    const { socket, header } = options
    this.#options = options
    this.#reader = createFrameReader({ header, max_frame: FRAME_MAX })
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.isClosed = true
        for (const { give } of this.#waiting) give(undefined)
        resolve()
      })
    })
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.on('error', () => undefined)
    socket.on('end', () => socket.destroySoon())
  }

  /** Whether messages are sent with a code. */
  get isSealing(): boolean {
    return this.#options.method !== null && this.key !== undefined
  }

  use(key: BlockKey): void {
    this.#before = this.key
    this.key = key
  }

  end(): void {
    this.#options.socket.destroySoon()
  }

  /** The answer; undefined if none comes in so many milliseconds, or the line is closed. */
  async ask(message: Message, ms: number, key = this.key): Promise<Came | undefined> {
    if (this.isClosed) return undefined
    const { promise, resolve } = Promise.withResolvers<Came | undefined>()
    const waiting = { name: nameOf(message), give: resolve }
    this.#waiting.add(waiting)
    const late = setTimeout(() => resolve(undefined), ms)
    this.send(message, { key })
    const answer = await promise
    clearTimeout(late)
    this.#waiting.delete(waiting)
    return answer
  }

  /** Sends a message of the scheme, or the answer to one of the platform. */
  send(
    message: Message,
    { key = this.key, answers }: { key?: BlockKey | undefined; answers?: Message } = {},
  ): void {
    const { socket, dialect, header, envelope, method, report } = this.#options
    const bytes = sealed(message, dialect, method && key ? { method, key } : undefined)
    const of = answers && this.#envelopes.get(answers)
    socket.write(frame(enveloped(bytes, envelope, of), header))
    const isOwn = key === this.key || key === this.#before
    report({ way: 'sent', message, mac: !method || !key ? 'none' : isOwn ? 'right' : 'wrong' })
  }

  #receive(chunk: Buffer): void {
    const { frames, error } = this.#reader.push(chunk)
    for (const bytes of frames) this.#read(Buffer.from(bytes))
    if (error === null) return
    this.#options.unreadable('its length is none: compare header')
    this.#options.socket.destroy()
  }

  #read(bytes: Buffer): void {
    const { unreadable, report, requested } = this.#options
    const read = this.#messageIn(bytes)
    if ('reason' in read) {
      unreadable(read.reason)
      return
    }
    const { came, envelope } = read
    report({ way: 'came', ...came })
    if (isAnswer(came.message.mti)) this.#answered(came)
    else {
      this.#envelopes.set(came.message, envelope)
      requested(came.message)
    }
  }

  #messageIn(bytes: Buffer): { came: Came; envelope: Buffer } | { reason: string } {
    const { dialect, envelope } = this.#options
    const found = opened(bytes, envelope)
    if (!found) return { reason: `it has no ${envelope}: compare envelope` }
    const decoded = decode(found.message, dialect)
    if (!decoded.ok) return { reason: `it is none in ${dialect} (${decoded.fault.reason})` }
    const { message } = decoded
    const mac = this.#macOf(found.message, message)
    return { came: { message, mac }, envelope: Buffer.from(found.envelope) }
  }

  #answered(came: Came): void {
    const name = nameOf(came.message)
    const waiting = [...this.#waiting].find((one) => one.name === name)
    if (!waiting) return
    this.#waiting.delete(waiting)
    waiting.give(came)
  }

  #macOf(bytes: Buffer, message: Message): MacState {
    const { dialect, method } = this.#options
    const { 64: primary, 128: secondary } = message.fields
    if (!method || (primary ?? secondary) === undefined) return 'none'
    const keys = [this.key, this.#before, this.offered].flatMap((key) => key ?? [])
    if (keys.length === 0) return 'unknown'
    const isRight = keys.some((key) => isSealed(bytes, message, dialect, { method, key }))
    return isRight ? 'right' : 'wrong'
  }
}

const nameOf = ({ mti, fields }: Message): string => `${mtiClass(mti)}|${fields[11]}|${fields[7]}`
