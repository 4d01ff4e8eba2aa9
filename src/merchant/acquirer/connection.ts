/** One TCP connection to the issuer: frames, sign-on, echo, sign-off, and the matching of answers. */

import type { Socket } from 'node:net'
import { describe, describeFault } from '#iso8583/describe.ts'
import type { DialectName } from '#iso8583/dialects.ts'
import { createFrameReader, type FrameReader, frame, type Header } from '#iso8583/framing.ts'
import { decode, encode, type Message } from '#iso8583/message.ts'
import { answerMti, isAnswer } from '#iso8583/mti.ts'
import { BoundedLines } from '#kit/bounded_lines.ts'
import type { Log } from '#kit/log.ts'
import { matchKey } from './rules.ts'
import { ACQUIRER_ID, transmissionTime } from './wire.ts'

export type Exchange =
  | { kind: 'answered'; message: Message }
  /** The connection was down before a byte was written. */
  | { kind: 'unsent' }
  | { kind: 'unanswered' }

export type ConnectionOptions = {
  host: string
  port: number
  dial: (address: { host: string; port: number }) => Socket
  dialect: DialectName
  header: Header
  log: Log
  /** An answer for which no request waits any more. */
  onStray?: (message: Message) => void
  /** Called once, when a connection that was signed on ends. */
  onClose: () => void
}

const SIGN_ON = '001'
const SIGN_OFF = '002'
const ECHO = '301'
const CONNECT_TIMEOUT_MS = 2_000
/**
 * The time of connecting and sign-on together: a request that waits for its answer may also wait
 * for the sign-on.
 */
const OPEN_TIMEOUT_MS = 5_000
const ECHO_TIMEOUT_MS = 5_000
/** The end of this process waits for it. */
const SIGN_OFF_TIMEOUT_MS = 1_000
/** After this long without a message from the issuer an echo request is sent. */
const SILENCE_MS = 30_000
const MISSED_ECHOES = 2
/** Longer than any message of the field table. */
const MAX_FRAME = 8_192
const MAX_UNDER_WAY = 10_000

/** The stage of a connection between its sign-on and its end. */
type Stage = 'opening' | 'open' | 'retiring' | 'leaving'

export class Connection {
  readonly #options: ConnectionOptions
  readonly #socket: Socket
  readonly #reader: FrameReader
  readonly #lines: BoundedLines
  readonly #waiting = new Map<string, (exchange: Exchange) => void>()
  #stage: Stage = 'opening'
  #stan = 0
  #missed = 0
  #silent = false
  #checking = false
  #echo: NodeJS.Timeout | undefined

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#lines = new BoundedLines(options.log)
    this.#reader = createFrameReader({ header: options.header, max_frame: MAX_FRAME })
    this.#socket = options.dial({ host: options.host, port: options.port })
    this.#socket.on('error', (error) => {
      const { host, port } = options
      const code = 'code' in error ? error.code : error.name
      options.log.warn({ code, host, port }, 'issuer connection')
    })
    this.#socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    this.#socket.on('close', () => this.#ended())
  }

  /** Signed on, by both sides, and with room for one more request. */
  get isReady(): boolean {
    const { writable } = this.#socket
    return this.#stage === 'open' && writable && this.#waiting.size < MAX_UNDER_WAY
  }

  /** Requests that wait for their answers. */
  get underWay(): number {
    return this.#waiting.size
  }

  /** A request was not answered in time, and nothing came since. */
  get isSilent(): boolean {
    return this.#silent
  }

  /** Connects and signs on; throws if either fails or takes too long. */
  async signOn(): Promise<void> {
    const end = performance.now() + OPEN_TIMEOUT_MS
    await this.#connected()
    const answer = await this.#manage(SIGN_ON, end - performance.now())
    if (answer.kind !== 'answered' || answer.message.fields[39] !== '00') {
      throw new Error('the issuer did not accept the sign-on')
    }
    this.#stage = 'open'
    this.#expectMessage()
  }

  async exchange(message: Message, timeout: number): Promise<Exchange> {
    if (!this.isReady) return { kind: 'unsent' }
    const exchange = await this.#send(message, timeout)
    if (exchange.kind === 'unanswered' && this.isReady) {
      this.#silent = true
      void this.#checkAlive()
    }
    return exchange
  }

  /** Takes no further request, and closes once what is under way is answered or overdue. */
  retire(): void {
    if (this.#stage === 'open') this.#stage = 'retiring'
    else this.#socket.destroy()
    clearTimeout(this.#echo)
    this.#endIfLeft()
  }

  /** Signs off if the connection is signed on, and ends it. */
  async close(): Promise<void> {
    if ((this.#stage === 'open' || this.#stage === 'retiring') && this.#socket.writable) {
      this.#stage = 'leaving'
      await this.#manage(SIGN_OFF, SIGN_OFF_TIMEOUT_MS)
    }
    this.#socket.destroy()
  }

  #send(message: Message, timeout: number): Promise<Exchange> {
    const { dialect, header, log } = this.#options
    const bytes = frame(encode(message, dialect), header)
    const { promise, resolve } = Promise.withResolvers<Exchange>()
    const key = matchKey(message)
    const timer = setTimeout(() => finish({ kind: 'unanswered' }), timeout)
    const finish = (exchange: Exchange) => {
      clearTimeout(timer)
      // The same message may be sent twice at once; the answer belongs to both.
      if (this.#waiting.get(key) === finish) this.#waiting.delete(key)
      earlier?.(exchange)
      resolve(exchange)
      this.#endIfLeft()
    }
    const earlier = this.#waiting.get(key)
    this.#waiting.set(key, finish)
    log.debug(`to the issuer: ${describe(message)}`)
    this.#socket.write(bytes)
    return promise
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
    if (!this.#socket.writable) return Promise.resolve({ kind: 'unsent' })
    this.#stan = (this.#stan % 999_999) + 1
    const fields = {
      7: transmissionTime(new Date()),
      11: String(this.#stan).padStart(6, '0'),
      33: ACQUIRER_ID,
      70: code,
    }
    return this.#send({ mti: '0800', fields }, timeout)
  }

  #receive(chunk: Buffer): void {
    this.#missed = 0
    this.#silent = false
    if (this.#stage === 'open') this.#expectMessage()
    const { frames, error } = this.#reader.push(chunk)
    for (const bytes of frames) this.#take(bytes)
    if (error === null) return
    this.#options.log.error({ error }, 'the stream from the issuer is not framed correctly')
    this.#socket.destroy()
  }

  #take(bytes: Buffer): void {
    const { dialect, log, onStray } = this.#options
    const decoded = decode(bytes, dialect)
    if (!decoded.ok) {
      const text = `from the issuer: ${describeFault(decoded.fault)}`
      this.#lines.write('warn', 'unreadable', {}, text)
      return
    }
    const { message } = decoded
    log.debug(`from the issuer: ${describe(message)}`)
    if (isAnswer(message.mti)) {
      const finish = this.#waiting.get(matchKey(message))
      if (finish) finish({ kind: 'answered', message })
      else onStray?.(message)
    } else if (message.mti.startsWith('08')) this.#answerManagement(message)
  }

  /** An echo request or a sign-off of the issuer: both are answered. */
  #answerManagement({ mti, fields }: Message): void {
    const answer = answerMti(mti)
    if (answer === null || !this.#socket.writable) return
    const { dialect, header, log } = this.#options
    const echoed = { 7: fields[7], 11: fields[11], 33: fields[33], 70: fields[70] }
    this.#socket.write(
      frame(encode({ mti: answer, fields: { ...echoed, 39: '00' } }, dialect), header),
    )
    if (fields[70] !== SIGN_OFF || this.#stage !== 'open') return
    log.warn('the issuer signed a connection off')
    this.#stage = 'leaving'
    clearTimeout(this.#echo)
    this.#endIfLeft()
  }

  /** Messages under way when the issuer signs off may still be answered. */
  #endIfLeft(): void {
    if (this.#waiting.size > 0) return
    if (this.#stage === 'leaving') this.#socket.destroySoon()
    if (this.#stage === 'retiring') void this.close()
  }

  #expectMessage(): void {
    clearTimeout(this.#echo)
    this.#echo = setTimeout(() => void this.#checkAlive(), SILENCE_MS)
    this.#echo.unref()
  }

  /** Echoes until one is answered or anything else comes; too many of them end the connection. */
  async #checkAlive(): Promise<void> {
    if (this.#checking) return
    this.#checking = true
    this.#missed = 0
    do {
      const { kind } = await this.#manage(ECHO, ECHO_TIMEOUT_MS)
      if (kind === 'answered') break
      this.#missed += 1
      if (this.#missed >= MISSED_ECHOES) this.#socket.destroy()
    } while (this.#missed > 0 && this.#missed < MISSED_ECHOES)
    this.#checking = false
  }

  #ended(): void {
    clearTimeout(this.#echo)
    const wasSignedOn = this.#stage !== 'opening'
    this.#stage = 'opening'
    for (const finish of [...this.#waiting.values()]) finish({ kind: 'unanswered' })
    if (wasSignedOn) this.#options.onClose()
  }
}
