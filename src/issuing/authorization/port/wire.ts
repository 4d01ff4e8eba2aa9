/** The bytes of one connection as messages, in the way of its network (D-1030). */

import { enveloped, envelopeInWords, opened } from '#iso8583/envelope.ts'
import { type FramingError, frame, headerInWords } from '#iso8583/framing.ts'
import { decode, type Fault, type Leniency, type Message } from '#iso8583/message.ts'
import type { OnWire } from '#issuing/wire_messages/wire_messages.ts'
import type { BoundedLines } from '#kit/bounded_lines.ts'
import type { Log } from '#kit/log.ts'
import { lenient } from '../message/format.ts'
import { count, logFault, logMessage, outlineOfBytes } from './log.ts'
import type { NetworkProfile } from './profile.ts'
import { Seal, type SealKey } from './seal.ts'
import type { Sending, SendQueue } from './send_queue.ts'
import type { LineTally } from './tally.ts'

export type WireOptions = {
  profile: NetworkProfile
  log: Log
  /** Shared by all connections, since a peer may cause any number of lines. */
  lines: BoundedLines
  tally: LineTally
  queue: SendQueue
  /** Work that the connection waits for before it ends. */
  during: (work: () => Promise<void>) => void
  failed: (error: unknown) => void
}

/** With the message that is answered. */
export type Answering = Sending & { answers?: Message }

type Read = {
  message: Message
  fault: Fault | undefined
  /** The bytes that a code covers, and the code. */
  sealed: Buffer
}

export class Wire {
  readonly profile: NetworkProfile
  readonly seal: Seal
  readonly #options: WireOptions
  readonly #leniency: Leniency
  /** The envelopes of messages that may be answered. */
  readonly #envelopes = new WeakMap<Message, Buffer>()

  constructor(options: WireOptions) {
    const { profile } = options
    this.profile = profile
    this.seal = new Seal(profile)
    this.#options = options
    this.#leniency = { ...lenient, track2_fill: profile.track2_fill }
  }

  /** Undefined for bytes without an MTI: those get no answer. */
  read(bytes: Buffer): Read | undefined {
    const { envelope, dialect, name } = this.profile
    const { tally, log } = this.#options
    const found = opened(bytes, envelope)
    if (!found) {
      this.fault('envelope')
      this.#report(bytes, 'envelope')
      return undefined
    }
    const decoded = decode(found.message, dialect, this.#leniency)
    const fault = decoded.ok ? undefined : decoded.fault
    const message = decoded.ok ? decoded.message : decoded.fault.read
    if (fault) tally.fault(fault.reason)
    if (fault) logFault(log, fault)
    if (message === null) {
      this.#report(bytes, fault?.reason ?? 'mti')
      return undefined
    }
    count(name, 'in', message.mti)
    tally.came()
    if (envelope !== 'none') this.#envelopes.set(message, Buffer.from(found.envelope))
    return { message, fault, sealed: found.message }
  }

  /** Throws EncodeError for an answer that does not fit the wire; nothing of it was sent then. */
  send(message: Message | null, whole: boolean, sending: Answering = {}): OnWire | null {
    if (message === null) return null
    const { bytes, key } = this.seal.encode(message, sending.answers)
    logMessage(this.#options.log, 'sent', message, whole)
    count(this.profile.name, 'out', message.mti)
    if (key) this.#sendSealed(bytes, key, sending)
    else this.#put(bytes, sending)
    return { message, bytes: bytes.length, at: performance.now() }
  }

  fault(reason: string): void {
    this.#options.tally.fault(reason)
    this.#options.log.debug({ reason }, 'network fault')
  }

  /** Bytes that are no frame, from the first of them that came together. */
  unframed(bytes: Buffer, error: FramingError): void {
    const reason = `frame_${error}`
    this.fault(reason)
    this.#report(bytes, reason, `${headerInWords[this.profile.header]}, `)
  }

  /** The operator learns what was expected. */
  #report(bytes: Buffer, reason: string, before = ''): void {
    const { envelope, dialect } = this.profile
    const expected = `${before}${envelopeInWords[envelope]}, then the MTI in ${dialect}`
    const members = { reason, first_bytes: outlineOfBytes(bytes), expected }
    this.#options.lines.write('warn', 'unreadable', members, 'a network sent no message')
  }

  /** An answer without its code does not leave, and an approval with it is reversed. */
  #sendSealed(bytes: Buffer, key: SealKey, sending: Answering): void {
    this.#options.during(async () => {
      try {
        await this.seal.close(bytes, key)
        this.#put(bytes, sending)
      } catch (error) {
        sending.unsent?.()
        throw error
      }
    })
  }

  #put(bytes: Buffer, sending: Answering): void {
    const { envelope, header } = this.profile
    const came = sending.answers && this.#envelopes.get(sending.answers)
    this.#options.queue.put(frame(enveloped(bytes, envelope, came), header), sending)
  }
}
