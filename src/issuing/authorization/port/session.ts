/**
 * One connection of the card network: frames in, answers out in any order. Bytes that are no frame
 * end it; a malformed message is answered as far as it could be read, never more.
 */

import type { Socket } from 'node:net'
import { de39Of } from '#iso8583/codes.ts'
import { createFrameReader, type FrameReader } from '#iso8583/framing.ts'
import { type Fault, type Message, traceName } from '#iso8583/message.ts'
import { answerMti, isAdvice, isAnswer, mtiClass } from '#iso8583/mti.ts'
import type { SentKey } from '#issuing/networks/networks.ts'
import type { OnWire, WireLog } from '#issuing/wire_messages/wire_messages.ts'
import { DatabaseUnavailable } from '#kit/db/database.ts'
import { carried } from '#kit/tracing/carried.ts'
import { inSpan, openSpan } from '#kit/tracing/tracing.ts'
import { MALFUNCTION } from '../decide/messages/answers.ts'
import { EngineOverloaded, OutcomeUnknown, undecidedOf } from '../engine/errors.ts'
import { toAnswer, toResponse } from '../message/answer.ts'
import {
  isKeyExchange,
  isManagement,
  keyCodes,
  manage,
  managementMessage,
  networkCodes,
  type OwnMessage,
} from '../message/management.ts'
import { toRequest } from '../message/request.ts'
import { metrics } from '../metrics.ts'
import type { PortClock } from './clock.ts'
import { addPinKeys, bringsKey, exchangeKey, mayCome, receiveKey } from './key_exchange.ts'
import type { SessionLimits } from './limits.ts'
import { logMessage } from './log.ts'
import { both, record } from './record.ts'
import { type Approval, type NetworkEngine, type Reversals, whenUnsent } from './reversals.ts'
import { wantedKey } from './seal.ts'
import { openSendQueue, type SendQueue } from './send_queue.ts'
import { createWatch, type Watch } from './watch.ts'
import { Wire, type WireOptions } from './wire.ts'

export type SessionOptions = Omit<WireOptions, 'queue' | 'during' | 'failed'> & {
  socket: Socket
  engine: NetworkEngine
  limits: SessionLimits
  reversals: Reversals
  clock: PortClock
  /** Time at which the connection opened, by that clock. */
  opened: number
  wire: Pick<WireLog, 'put'> | null
}

export type Session = {
  /** Resolves when the connection is closed. */
  closed: Promise<void>
  /** Resolves when it is closed and all its requests are decided. */
  settled: Promise<void>
  /** To be called about every second: closes the connection to a peer that is late. */
  look(): void
  /** Answers what is in flight, 91 to the rest, and ends; cut when that takes too long. */
  close(): Promise<void>
  /** Whether the peer is signed on; undefined once it ends. */
  readonly isSignedOn: boolean | undefined
  /** Asks the peer for a key. */
  askForKey(use: SentKey['use']): void
}

export const openSession = (options: SessionOptions): Session => new Connection(options)

const APPROVED = '00'
const UNKNOWN_CARD = '14'
const FORMAT = '30'
const INOPERATIVE = '91'

/** Milliseconds in which a peer may answer the end of the stream with its own. */
const END_TIMEOUT = 500

class Connection implements Session {
  readonly closed: Promise<void>
  readonly settled: Promise<void>
  readonly #idle = Promise.withResolvers<void>()
  readonly #options: SessionOptions
  readonly #reader: FrameReader
  readonly #queue: SendQueue
  readonly #watch: Watch
  #signedOn = false
  /** No new request is accepted: the port closes, the peer has closed, or the stream is broken. */
  #closing = false
  #ended = false
  #inFlight = 0
  #paused = false
  #stan = 0
  /** DE33 of the peer, which the echo requests of the platform contain too. */
  #institution: string
  readonly #wire: Wire
  /** The turns that came before. */
  #turn: Promise<void> = Promise.resolve()

  constructor(options: SessionOptions) {
    const { socket, profile, limits, log, opened: since } = options
    this.#options = options
    this.#institution = profile.institution
    this.#reader = createFrameReader({ header: profile.header, max_frame: limits.frame })
    this.#queue = openSendQueue(socket, {
      network: profile.name,
      onTaken: () => this.#adjustFlow(),
    })
    this.#watch = createWatch(limits, since)
    this.#wire = new Wire({
      ...options,
      queue: this.#queue,
      during: (work) => void this.#during(work),
      failed: this.#failed,
    })
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.on('error', (error) => log.debug({ err: error }, 'network connection failed'))
    socket.on('end', () => {
      if (this.#reader.pending() > 0) this.#fault('cut')
      this.#leave()
    })
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.#closing = true
        if (this.#inFlight === 0) this.#idle.resolve()
        resolve()
      })
    })
    this.settled = this.closed.then(() => this.#idle.promise)
    if (profile.sign_on === 'us') this.#begin(networkCodes.sign_on)
  }

  #begin(code: string): void {
    this.#guard(() => this.#wire.send(managementMessage(code, this.#next()), true))
  }

  async close(): Promise<void> {
    const { socket, limits } = this.#options
    const cut = setTimeout(() => socket.destroy(), limits.closing)
    this.#finish()
    await this.closed
    clearTimeout(cut)
  }

  #receive(chunk: Buffer): void {
    if (this.#ended) return
    const { frames, keep_alives, error } = this.#reader.push(chunk)
    const ended = frames.length + keep_alives > 0
    const pending = this.#reader.pending()
    this.#watch.received({ now: this.#options.clock.now(), ended, pending })
    for (const bytes of frames) this.#guard(() => this.#read(bytes))
    if (error !== null && !this.#closing) {
      this.#wire.unframed(chunk, error)
      this.#finish()
    }
    this.#adjustFlow()
  }

  #read(bytes: Buffer): void {
    const received = performance.now()
    const read = this.#wire.read(bytes)
    if (!read) return
    const { message, fault } = read
    const came = { message, bytes: bytes.length, at: received }
    if (this.#wire.seal.isUsed) this.#check(came, read.sealed, fault)
    else void this.#take(came, fault)
  }

  /** Messages have an effect in the order in which they came. */
  #check(came: OnWire, bytes: Buffer, fault: Fault | undefined): void {
    const copy = Buffer.from(bytes)
    const isRight = this.#wire.seal.check(came.message, copy, this.#turn)
    void this.#during(async () => {
      // A message behind one that brings a key may be under it.
      if (await isRight) return this.#take(came, fault)
      this.#fault('mac')
      if (answerMti(came.message.mti) !== null) this.#reject(came.message, FORMAT)
    })
  }

  /** Resolves when the key of the message is known, if it brings one. */
  #take(came: OnWire, fault: Fault | undefined): Promise<void> | undefined {
    const { message } = came
    if (isAnswer(message.mti)) return this.#answered(message, fault)
    if (!fault && bringsKey(message, this.#options.profile))
      return this.#during(() => this.#bring(exchangeKey, message))
    if (answerMti(message.mti) === null) this.#fault('mti')
    else if (isManagement(message)) this.#manage(message, fault)
    else if (!this.#signedOn || this.#closing) this.#reject(message, INOPERATIVE)
    else this.#decide(came, fault).catch(this.#failed)
    return undefined
  }

  /** The answer to a sign-on of ours, or with a key; others matter by their coming alone. */
  #answered(message: Message, fault: Fault | undefined): Promise<void> | undefined {
    const { mti, fields } = message
    if (mtiClass(mti) !== '0800' || fault) return undefined
    if (isKeyExchange(message)) return this.#during(() => this.#bring(receiveKey, message))
    if (fields[70] === networkCodes.sign_on && fields[39] === APPROVED) this.#sign(true)
    return undefined
  }

  /** Without its code the sign-on may have been refused, so that it is sent again with it. */
  async #bring(take: typeof exchangeKey, message: Message): Promise<void> {
    const isTaken = await take(this.#wire, message)
    if (isTaken && !this.#signedOn && this.#options.profile.sign_on === 'us')
      this.#begin(networkCodes.sign_on)
  }

  askForKey(use: SentKey['use']): void {
    const code = use === 'ZPK' ? keyCodes.zpk : keyCodes.zak
    const { mti, fields } = managementMessage(code, this.#next())
    this.#guard(() => this.#wire.send({ mti, fields: { ...fields, 48: wantedKey(use) } }, true))
  }

  get isSignedOn(): boolean | undefined {
    return this.#closing ? undefined : this.#signedOn
  }

  /** An error of one message must not end the process. */
  #guard(step: () => void): void {
    try {
      step()
    } catch (error) {
      this.#failed(error)
    }
  }

  readonly #failed = (error: unknown): void => {
    this.#options.lines.writeFailure(error, {}, 'network message failed')
  }

  #manage(message: Message, fault: Fault | undefined): void {
    const { answer, signed_on } = manage(message, fault !== undefined)
    if (signed_on !== undefined) this.#sign(signed_on)
    this.#institution = message.fields[33] ?? this.#institution
    const whole = fault === undefined
    logMessage(this.#options.log, 'received', message, whole)
    this.#wire.send(answer, whole, { answers: message })
  }

  #sign(on: boolean): void {
    this.#signedOn = on
    this.#watch.signed(on, this.#options.clock.now())
  }

  async #decide(came: OnWire, fault: Fault | undefined): Promise<void> {
    this.#inFlight += 1
    try {
      const { mti } = came.message
      const options = {
        kind: 'server',
        parent: carried(() => traceName(came.message)),
        attributes: { mti },
      } as const
      await inSpan(`port ${mti}`, options, () => this.#ask(came, fault))
    } catch (error) {
      metrics.networkUndecided.inc({ reason: undecidedOf(error) })
      // No answer rather than a wrong one (D-131).
      if (error instanceof OutcomeUnknown) return
      const unavailable = error instanceof DatabaseUnavailable || error instanceof EngineOverloaded
      if (!unavailable) this.#failed(error)
      this.#reject(came.message, unavailable ? INOPERATIVE : de39Of(MALFUNCTION))
    } finally {
      this.#endOne()
    }
  }

  #endOne(): void {
    this.#inFlight -= 1
    if (this.#closing && this.#inFlight === 0) this.#idle.resolve()
    if (this.#closing) this.#finish()
    else this.#adjustFlow()
  }

  /** Work that the connection waits for before it ends; one after the other. */
  #during(work: () => Promise<void>): Promise<void> {
    this.#inFlight += 1
    this.#turn = work()
      .catch(this.#failed)
      .finally(() => this.#endOne())
    return this.#turn
  }

  async #ask(came: OnWire, fault: Fault | undefined): Promise<void> {
    const { engine, log, profile } = this.#options
    const { message, at: received } = came
    const read = toRequest(message, received, fault, profile)
    logMessage(log, 'received', message, read.ok && read.request.format_fault === undefined)
    if (!read.ok) return this.#reject(message, read.de39)
    const { request } = read
    if (!mayCome(profile, read.pan)) {
      this.#fault('bin')
      return this.#reject(message, UNKNOWN_CARD)
    }
    const tenant_id = await engine.tenantOfPan(read.pan)
    if (tenant_id === undefined) {
      return this.#reject(message, request.format_fault ? FORMAT : UNKNOWN_CARD)
    }
    await addPinKeys(profile, request)
    const answer = await engine.submit(tenant_id, { request, received })
    this.#answer(came, { tenant_id, request, answer }, fault)
  }

  #answer(came: OnWire, decided: Approval, fault: Fault | undefined): void {
    const { reversals, limits, wire, lines, profile } = this.#options
    const { request, answer } = decided
    const { message, at: received } = came
    const whole = request.format_fault === undefined
    const reverse = whenUnsent(reversals, decided)
    let forget = () => {}
    const unsent = both(reverse, () => forget())
    // An advice is acknowledged however late.
    const end = isAdvice(message.mti) ? undefined : received + limits.answer
    const span = openSpan('answer')
    try {
      const sent = this.#wire.send(toAnswer(message, request, answer, profile.codes), whole, {
        ...{ unsent, end, answers: message },
      })
      span?.end()
      forget = record({ wire, lines, decided, came, sent, fault })
    } catch (error) {
      span?.end(error)
      // An answer that cannot be written must not stay approved.
      reverse?.()
      throw error
    }
  }

  #reject(message: Message, de39: string): void {
    this.#wire.send(toResponse(message, de39), false, { answers: message })
  }

  /**
   * The peer has closed. That it still reads cannot be known, so an approval from here on counts as
   * not written, and is reversed.
   */
  #leave(): void {
    this.#closing = true
    this.#ended = true
    this.#options.socket.destroySoon()
  }

  /** Accepts no new requests, and ends once the last one in flight has its answer. */
  #finish(): void {
    const { socket } = this.#options
    this.#closing = true
    // A paused stream would not report that the peer has ended.
    if (this.#paused) socket.resume()
    this.#paused = false
    if (this.#inFlight > 0 || this.#ended) return
    this.#ended = true
    this.#queue.end()
    const cut = setTimeout(() => socket.destroy(), END_TIMEOUT).unref()
    socket.once('close', () => clearTimeout(cut))
  }

  /** Reads or pauses, so that a fast peer costs a bounded amount of memory. */
  #adjustFlow(): void {
    if (this.#closing) return
    const { socket, limits } = this.#options
    const share = this.#paused ? 2 : 1
    const busy =
      this.#inFlight >= limits.in_flight / share || this.#queue.waiting() > limits.unsent / share
    if (busy === this.#paused) return
    this.#paused = busy
    if (busy) socket.pause()
    else socket.resume()
  }

  look(): void {
    const verdict = this.#watch.look({
      now: this.#options.clock.now(),
      withheld: this.#paused || this.#closing,
      waiting: this.#queue.waiting(),
      taken: this.#queue.taken(),
    })
    if (verdict === 'echo') this.#begin(networkCodes.echo)
    else if (verdict !== 'fine') this.#drop(verdict)
  }

  #next(): OwnMessage {
    this.#stan += 1
    return { now: new Date(), stan: this.#stan, institution: this.#institution }
  }

  #drop(reason: string): void {
    this.#fault(reason)
    this.#options.socket.destroy()
  }

  #fault(reason: string): void {
    this.#wire.fault(reason)
  }
}
