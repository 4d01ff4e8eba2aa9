/** Another issuer, which answers as a test configures it, or does not answer at all. */

import { connect, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { createFrameReader, frame } from '#iso8583/framing.ts'
import { decode, encode, type Message } from '#iso8583/message.ts'
import { answerMti, mtiClass } from '#iso8583/mti.ts'
import type { Log } from '#kit/log.ts'
import { IssuerLink } from '#merchant/acquirer/acquirer.ts'

/** DE39 of the answer; null leaves the message unanswered, `cut` ends the connection. */
export type Script = (message: Message) => string | null | 'cut'

export type Issuer = {
  port: number
  /** Everything that came, in order, but network management. */
  received: Message[]
  /** Its behaviour from now on. */
  script: Script
  of: (mti: string) => Message[]
  /** The network management that came: DE70 by the number of its connection, from 0. */
  managed: { over: number; code: string | undefined }[]
  /** Connections by their numbers; undefined once they have ended. */
  sockets: (Socket | undefined)[]
  /** The number of the connection over which a message came. */
  over: (message: Message) => number | undefined
  /** Sends a message of its own. */
  say: (over: number, message: Message) => void
  close: () => Promise<void>
}

const APPROVAL = 'A1B2C3'

type IssuerOptions = {
  port?: number
  tls?: TlsOptions
  /** DE39 of the answer to network management; null leaves it unanswered. */
  manage?: (code: string | undefined, over: number) => string | null
}

export async function openIssuer(
  script: Script = () => '00',
  options: IssuerOptions = {},
): Promise<Issuer> {
  const { port = 0, tls, manage = () => '00' } = options
  const came = new WeakMap<Message, number>()
  const greet = (socket: Socket) => {
    const over = issuer.sockets.push(socket) - 1
    socket
      .on('close', () => {
        issuer.sockets[over] = undefined
      })
      .on('error', () => {})
    const reader = createFrameReader({ header: 'binary2', max_frame: 8192 })
    socket.on('data', (chunk) => {
      for (const bytes of reader.push(chunk).frames) take(socket, over, bytes)
    })
  }
  const server = tls ? createTlsServer(tls, greet) : createServer(greet)

  function take(socket: Socket, over: number, bytes: Buffer): void {
    const decoded = decode(bytes, 'ascii')
    if (!decoded.ok) throw new Error(`unreadable: ${decoded.fault.reason}`)
    const { message } = decoded
    const isManagement = message.mti.startsWith('08')
    came.set(message, over)
    if (isManagement) issuer.managed.push({ over, code: message.fields[70] })
    else issuer.received.push(message)
    const code = isManagement ? manage(message.fields[70], over) : issuer.script(message)
    if (code === 'cut') socket.destroy()
    else if (code !== null) write(socket, answerTo(message, code))
  }

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  const issuer: Issuer = {
    port: address && typeof address === 'object' ? address.port : 0,
    received: [],
    managed: [],
    sockets: [],
    script,
    of: (mti) => issuer.received.filter((message) => mtiClass(message.mti) === mti),
    over: (message) => came.get(message),
    say(over, message) {
      const socket = issuer.sockets[over]
      if (socket) write(socket, message)
    },
    close() {
      for (const socket of issuer.sockets) socket?.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return issuer
}

function write(socket: Socket, message: Message): void {
  socket.write(frame(encode(message, 'ascii'), 'binary2'))
}

/** The answer of an issuer with this DE39. */
export function answerTo({ mti, fields }: Message, code: string): Message {
  const echoed = [2, 3, 4, 7, 11, 32, 33, 37, 41, 42, 49, 70, 90]
  const kept = Object.fromEntries(echoed.map((de) => [de, fields[de]]))
  const approved = code === '00' && mti === '0100' ? { 38: APPROVAL } : {}
  return { mti: answerMti(mti) ?? '0810', fields: { ...kept, ...approved, 39: code } }
}

/** A link of another process to the default issuer, at a port of this machine. */
export function linkTo(port: number, log: Log): IssuerLink {
  const usual = {
    address: () => ({ host: '127.0.0.1', port }),
    dial: (address: { host: string; port: number }) => connect(address),
    dialect: 'ascii' as const,
    header: 'binary2' as const,
    log,
    connections: 2,
  }
  return new IssuerLink({ usual, log })
}
