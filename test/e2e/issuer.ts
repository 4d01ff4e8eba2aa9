/** Another issuer, which answers as a test configures it, or does not answer at all. */

import { createServer, type Socket } from 'node:net'
import { createFrameReader, frame } from '#iso8583/framing.ts'
import { decode, encode, type Message } from '#iso8583/message.ts'
import { answerMti, mtiClass } from '#iso8583/mti.ts'

/** DE39 of the answer; null leaves the message unanswered, `cut` ends the connection. */
export type Script = (message: Message) => string | null | 'cut'

export type Issuer = {
  port: number
  /** Everything that came, in order, but network management. */
  received: Message[]
  /** What it does from now on. */
  script: Script
  of: (mti: string) => Message[]
  close: () => Promise<void>
}

const APPROVAL = 'A1B2C3'

export async function openIssuer(script: Script = () => '00', port = 0): Promise<Issuer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    const reader = createFrameReader({ header: 'binary2', max_frame: 8192 })
    socket.on('data', (chunk) => {
      for (const bytes of reader.push(chunk).frames) take(socket, bytes)
    })
  })

  function take(socket: Socket, bytes: Buffer): void {
    const decoded = decode(bytes, 'ascii')
    if (!decoded.ok) throw new Error(`unreadable: ${decoded.fault.reason}`)
    const { message } = decoded
    const isManagement = message.mti.startsWith('08')
    if (!isManagement) issuer.received.push(message)
    const code = isManagement ? '00' : issuer.script(message)
    if (code === 'cut') socket.destroy()
    else if (code !== null) socket.write(frame(encode(answerTo(message, code), 'ascii'), 'binary2'))
  }

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  const issuer: Issuer = {
    port: address && typeof address === 'object' ? address.port : 0,
    received: [],
    script,
    of: (mti) => issuer.received.filter((message) => mtiClass(message.mti) === mti),
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return issuer
}

/** What an issuer would answer with this DE39. */
export function answerTo({ mti, fields }: Message, code: string): Message {
  const echoed = [2, 3, 4, 7, 11, 32, 33, 37, 41, 42, 49, 70, 90]
  const kept = Object.fromEntries(echoed.map((de) => [de, fields[de]]))
  const approved = code === '00' && mti === '0100' ? { 38: APPROVAL } : {}
  return { mti: answerMti(mti) ?? '0810', fields: { ...kept, ...approved, 39: code } }
}
