/** The connection of a scenario to the network port: one message at a time, with faults. */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { DialectName } from '#iso8583/dialects.ts'
import { createFrameReader, frame, type Header } from '#iso8583/framing.ts'
import { decode, encode, type Message } from '#iso8583/message.ts'
import { answerMti, isAnswer, mtiClass } from '#iso8583/mti.ts'
import type { LineFault } from '../file/schema.ts'
import { StepFault } from '../run/step_fault.ts'

export type NetworkAddress = { host: string; port: number; dialect: DialectName; header: Header }

const PATIENCE_MS = 10_000
const MAX_FRAME = 65_535
const SIGN_ON: Message = {
  mti: '0800',
  fields: { 7: '0101000000', 11: '999999', 33: '400123', 70: '001' },
}

type Waiting = { key: string; take: (message: Message) => void }

export class Line {
  readonly #address: NetworkAddress
  readonly #late = new Map<string, Message>()
  #socket: Socket | undefined
  #waiting: Waiting | undefined

  constructor(address: NetworkAddress) {
    this.#address = address
  }

  /**
   * Sends a message and awaits the answer. With a fault the answer is awaited too, so that the
   * program has decided, and then withheld: undefined is returned. Throws StepFault.
   */
  async send(message: Message, fault?: LineFault): Promise<Message | undefined> {
    if (fault === 'request_lost') return undefined
    const socket = await this.#open()
    const answer = await this.#exchange(socket, message)
    if (fault === 'answer_delayed') this.#late.set(keyOf(message), answer)
    if (fault === 'connection_broken') this.close()
    return fault === undefined ? answer : undefined
  }

  /** The delayed answer to a message. Throws StepFault if none was delayed. */
  deliver(message: Message): Message {
    const answer = this.#late.get(keyOf(message))
    if (!answer) throw new StepFault(['deliver'], 'no answer to this message is delayed')
    this.#late.delete(keyOf(message))
    return answer
  }

  /** The next message opens another connection. */
  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }

  async #open(): Promise<Socket> {
    if (this.#socket) return this.#socket
    const { host, port, header } = this.#address
    const socket = connect({ host, port, noDelay: true })
    await once(socket, 'connect').catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      throw new StepFault([], `no connection to the network port ${host}:${port}: ${reason}`)
    })
    // A caller that waits for an answer fails by its patience or by the end of the connection.
    socket.on('error', () => {})
    const reader = createFrameReader({ header, max_frame: MAX_FRAME })
    socket.on('data', (chunk: Buffer) => {
      for (const bytes of reader.push(chunk).frames) this.#take(socket, bytes)
    })
    this.#socket = socket
    const { fields } = await this.#exchange(socket, SIGN_ON)
    if (fields[39] !== '00') throw new StepFault([], `the sign-on was answered ${fields[39]}`)
    return socket
  }

  async #exchange(socket: Socket, message: Message): Promise<Message> {
    const { promise, resolve, reject } = Promise.withResolvers<Message>()
    const fail = (reason: string) => () => {
      this.#socket = undefined
      reject(new StepFault([], `${message.mti} got no answer: ${reason}`))
    }
    const ended = fail('the program ended the connection')
    const late = setTimeout(fail(`none came in ${PATIENCE_MS / 1000} s`), PATIENCE_MS)
    this.#waiting = { key: keyOf(message), take: resolve }
    socket.once('close', ended)
    try {
      this.#write(socket, message)
      return await promise
    } finally {
      clearTimeout(late)
      socket.off('close', ended)
      this.#waiting = undefined
    }
  }

  #take(socket: Socket, bytes: Buffer): void {
    const decoded = decode(bytes, this.#address.dialect)
    if (!decoded.ok) return
    const { message } = decoded
    if (isAnswer(message.mti)) {
      if (this.#waiting?.key === keyOf(message)) this.#waiting.take(message)
      return
    }
    const mti = answerMti(message.mti)
    if (mti !== null) this.#write(socket, { mti, fields: { ...message.fields, 39: '00' } })
  }

  #write(socket: Socket, message: Message): void {
    const { dialect, header } = this.#address
    let bytes: Buffer
    try {
      bytes = encode(message, dialect)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new StepFault([], `the message cannot be written: ${reason}`)
    }
    socket.write(frame(bytes, header))
  }
}

/** The fields that an answer and its request have in common. */
const keyOf = ({ mti, fields }: Message): string => `${mtiClass(mti)}|${fields[7]}|${fields[11]}`
