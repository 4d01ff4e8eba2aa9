/** One TCP connection to the issuer: frames, sign-on, echo, and the matching of answers. */

import type { Socket } from 'node:net'
import { describe, describeFault } from '#iso8583/describe.ts'
import type { DialectName } from '#iso8583/dialects.ts'
import { createFrameReader, type FrameReader, frame, type Header } from '#iso8583/framing.ts'
import { decode, encode, type Message } from '#iso8583/message.ts'
import { answerMti, isAnswer } from '#iso8583/mti.ts'
import type { Log } from '#kit/log.ts'
import { matchKey } from './rules.ts'
import { ACQUIRER_ID, transmissionTime } from './wire.ts'

export type Exchange =
  | { kind: 'answered'; message: Message }
  /** The connection was down before a byte was written. */
  | { kind: 'unsent' }
  | { kind: 'unanswered' }

type Options = {
  host: string
  port: number
  dial: (address: { host: string; port: number }) => Socket
  dialect: DialectName
  header: Header
  log: Log
  /** Called once, when a connection that was signed on ends. */
  onClose: () => void
}

const SIGN_ON = '001'
const ECHO = '301'
const CONNECT_TIMEOUT_MS = 2_000
/** For both: a request that waits for its answer may as well wait for the sign-on. */
const OPEN_TIMEOUT_MS = 5_000
const ECHO_TIMEOUT_MS = 5_000
/** After this long without a message from the issuer an echo request is sent. */
const SILENCE_MS = 30_000
const MISSED_ECHOES = 2
/** Longer than any message of the field table. */
const MAX_FRAME = 8_192
const MAX_UNDER_WAY = 10_000

export class Connection {
  readonly #options: Options
  readonly #socket: Socket
  readonly #reader: FrameReader
  readonly #waiting = new Map<string, (exchange: Exchange) => void>()
  #signedOn = false
  #stan = 0
  #missed = 0
  #echo: NodeJS.Timeout | undefined

  constructor(options: Options) {
    this.#options = options
    this.#reader = createFrameReader({ header: options.header, max_frame: MAX_FRAME })
    this.#socket = options.dial({ host: options.host, port: options.port })
    this.#socket.on('error', (error) => {
      options.log.warn({ code: 'code' in error ? error.code : error.name }, 'issuer connection')
    })
    this.#socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    this.#socket.on('close', () => this.#ended())
  }

  /** Connects and signs on; throws where either fails or takes too long. */
  async signOn(): Promise<void> {
    const end = performance.now() + OPEN_TIMEOUT_MS
    await this.#connected()
    const answer = await this.#manage(SIGN_ON, end - performance.now())
    if (answer.kind !== 'answered' || answer.message.fields[39] !== '00') {
      throw new Error('the issuer did not accept the sign-on')
    }
    this.#signedOn = true
    this.#expectMessage()
  }

  exchange(message: Message, timeout: number): Promise<Exchange> {
    const { dialect, header, log } = this.#options
    if (!this.#socket.writable || this.#waiting.size >= MAX_UNDER_WAY) {
      return Promise.resolve({ kind: 'unsent' })
    }
    const { promise, resolve } = Promise.withResolvers<Exchange>()
    const key = matchKey(message)
    const timer = setTimeout(() => finish({ kind: 'unanswered' }), timeout)
    const finish = (exchange: Exchange) => {
      clearTimeout(timer)
      // The same message may be sent twice at once; the answer belongs to both.
      if (this.#waiting.get(key) === finish) this.#waiting.delete(key)
      earlier?.(exchange)
      resolve(exchange)
    }
    const earlier = this.#waiting.get(key)
    this.#waiting.set(key, finish)
    log.debug(`to the issuer: ${describe(message)}`)
    this.#socket.write(frame(encode(message, dialect), header))
    return promise
  }

  close(): void {
    this.#socket.destroy()
  }

  #connected(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#socket.destroy(new Error('the issuer did not accept the connection in time'))
      }, CONNECT_TIMEOUT_MS)
      this.#socket.once('connect', () => {
        clearTimeout(timer)
        resolve()
      })
      this.#socket.once('close', () => {
        clearTimeout(timer)
        reject(new Error('the issuer cannot be reached'))
      })
    })
  }

  /** Network management (0800) with a number of its own. */
  #manage(code: string, timeout: number): Promise<Exchange> {
    this.#stan = (this.#stan % 999_999) + 1
    const fields = {
      7: transmissionTime(new Date()),
      11: String(this.#stan).padStart(6, '0'),
      33: ACQUIRER_ID,
      70: code,
    }
    return this.exchange({ mti: '0800', fields }, timeout)
  }

  #receive(chunk: Buffer): void {
    this.#missed = 0
    if (this.#signedOn) this.#expectMessage()
    const { frames, error } = this.#reader.push(chunk)
    for (const bytes of frames) this.#take(bytes)
    if (error === null) return
    this.#options.log.error({ error }, 'the stream from the issuer is not framed correctly')
    this.#socket.destroy()
  }

  #take(bytes: Buffer): void {
    const { dialect, log } = this.#options
    const decoded = decode(bytes, dialect)
    if (!decoded.ok) {
      log.warn(`from the issuer: ${describeFault(decoded.fault)}`)
      return
    }
    const { message } = decoded
    log.debug(`from the issuer: ${describe(message)}`)
    if (isAnswer(message.mti)) this.#waiting.get(matchKey(message))?.({ kind: 'answered', message })
    else if (message.mti.startsWith('08')) this.#answerManagement(message)
  }

  /** An echo request or a sign-off of the issuer: both are answered. */
  #answerManagement({ mti, fields }: Message): void {
    const answer = answerMti(mti)
    if (answer === null || !this.#socket.writable) return
    const { dialect, header } = this.#options
    const echoed = { 7: fields[7], 11: fields[11], 33: fields[33], 70: fields[70] }
    this.#socket.write(
      frame(encode({ mti: answer, fields: { ...echoed, 39: '00' } }, dialect), header),
    )
  }

  #expectMessage(): void {
    clearTimeout(this.#echo)
    this.#echo = setTimeout(() => void this.#sendEcho(), SILENCE_MS)
    this.#echo.unref()
  }

  async #sendEcho(): Promise<void> {
    const { kind } = await this.#manage(ECHO, ECHO_TIMEOUT_MS)
    if (kind === 'answered') return
    this.#missed += 1
    if (this.#missed >= MISSED_ECHOES) this.#socket.destroy()
    else void this.#sendEcho()
  }

  #ended(): void {
    clearTimeout(this.#echo)
    for (const finish of [...this.#waiting.values()]) finish({ kind: 'unanswered' })
    if (this.#signedOn) this.#options.onClose()
    this.#signedOn = false
  }
}
