/** A minimal card network that connects to the ISO 8583 port, for tests and the bench. */

import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import type { DialectName } from '#iso8583/dialects.ts'
import { createFrameReader, frame, type Header } from '#iso8583/framing.ts'
import { decode, encode, type Message } from '#iso8583/message.ts'
import { answerMti, isAnswer, mtiClass } from '#iso8583/mti.ts'
import { PATIENCE_MS } from '../time/patience.ts'

export type AcquirerOptions = {
  host?: string
  port: number
  dialect?: DialectName
  header?: Header
  /** Milliseconds that an answer may take. */
  patience?: number
  tls?: ConnectionOptions
  /** Opens the connection in another way. */
  dial?: (address: { host: string; port: number }) => Socket
}

export type Exchange = { message: Message; bytes: Buffer }

export type Acquirer = {
  /** Rejects when no answer comes in time or the connection ends. */
  send(message: Message): Promise<Message>
  /** The same as `send`, with the bytes of the answer. */
  exchange(message: Message): Promise<Exchange>
  /** Sends 0800 001 and answers what came back. */
  signOn(): Promise<Message>
  /** Sends without waiting for anything. */
  post(message: Message): void
  /** Bytes as they are, without a header. */
  raw(bytes: Buffer): void
  /** The next message that answers none of ours: echo requests, answers to `post`. */
  next(): Promise<Message>
  /** Answers echo requests by itself from now on. */
  answerEchoes(): void
  pause(): void
  resume(): void
  /** Leaves at once, whatever is still to come. */
  cut(): void
  close(): Promise<void>
  closed: Promise<void>
}

const MAX_FRAME = 65_535

/** The fields that an answer and its request have in common (docs/iso8583.md 7). */
const matchOf = ({ mti, fields }: Message): string =>
  `${mtiClass(mti)}|${fields[7]}|${fields[11]}|${fields[32] ?? fields[33]}`

export async function connectAcquirer(options: AcquirerOptions): Promise<Acquirer> {
  const { dialect = 'ascii', header = 'binary2', patience = PATIENCE_MS, host, port } = options
  const address = { host: host ?? '127.0.0.1', port }
  const { tls, dial = () => createConnection({ ...address, noDelay: true }) } = options
  const socket = tls ? connectTls({ ...address, ...tls }) : dial(address)
  await once(socket, tls ? 'secureConnect' : 'connect')
  const reader = createFrameReader({ header, max_frame: MAX_FRAME })
  const waiting = new Map<string, (exchange: Exchange) => void>()
  const unasked: Message[] = []
  const takers: ((message: Message) => void)[] = []
  let answering = false

  const take = (bytes: Buffer) => {
    const decoded = decode(bytes, dialect)
    if (!decoded.ok) throw new Error(`the port sent no message: ${decoded.fault.reason}`)
    const { message } = decoded
    const answered = isAnswer(message.mti) ? waiting.get(matchOf(message)) : undefined
    if (answered) {
      waiting.delete(matchOf(message))
      return answered({ message, bytes: Buffer.from(bytes) })
    }
    const mti = answerMti(message.mti)
    if (answering && mti !== null) post({ mti, fields: { ...message.fields, 39: '00' } })
    const taker = takers.shift()
    if (taker) taker(message)
    else unasked.push(message)
  }
  const post = (message: Message) => void socket.write(frame(encode(message, dialect), header))
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  socket.on('data', (chunk: Buffer) => reader.push(chunk).frames.forEach(take))
  // A broken connection shows in `closed` and in what waits.
  socket.on('error', () => undefined)

  const pending = new Set<(error: Error) => void>()
  void closed.then(() => {
    for (const fail of pending) fail(new Error('the connection was closed before the answer'))
  })
  const inTime = <Value>(what: string, start: (resolve: (value: Value) => void) => void) =>
    new Promise<Value>((resolve, reject) => {
      const finish = () => {
        clearTimeout(late)
        pending.delete(fail)
      }
      const fail = (error: Error) => {
        finish()
        reject(error)
      }
      const late = setTimeout(() => fail(new Error(`no answer to ${what}`)), patience)
      pending.add(fail)
      start((value) => {
        finish()
        resolve(value)
      })
    })
  const exchange = (message: Message) =>
    inTime<Exchange>(message.mti, (resolve) => {
      waiting.set(matchOf(message), resolve)
      post(message)
    })
  const send = async (message: Message) => (await exchange(message)).message
  const next = () =>
    inTime<Message>('nothing', (resolve) => {
      const first = unasked.shift()
      if (first) resolve(first)
      else takers.push(resolve)
    })

  return {
    exchange,
    send,
    post,
    next,
    closed,
    signOn: () =>
      send({ mti: '0800', fields: { 7: '0101000000', 11: '000001', 33: '9', 70: '001' } }),
    raw: (bytes) => void socket.write(bytes),
    answerEchoes: () => {
      answering = true
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    cut: () => void socket.destroy(),
    async close() {
      socket.end()
      await closed
    },
  }
}
