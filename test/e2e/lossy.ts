/** A line to the issuer on which messages get lost, either way, and answers say something else. */

import { connect, createServer, type Socket } from 'node:net'
import { createFrameReader, frame } from '#iso8583/framing.ts'
import { decode, encode, type Message } from '#iso8583/message.ts'
import { answerTo } from './issuer.ts'

export type LossyLine = {
  port: number
  /** MTIs that are swallowed from now on, with their repeats. */
  lost: Set<string>
  /** DE39 that answers of an MTI get on their way: what was asked for has taken effect. */
  altered: Map<string, string>
  /** DE39 with which messages of an MTI are answered by the line: the issuer never sees them. */
  refused: Map<string, string>
  /** MTIs that passed or were refused, in order. */
  passed: string[]
  close: () => Promise<void>
}

export async function openLossyLine(issuer_port: number): Promise<LossyLine> {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(issuer_port, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      const reader = createFrameReader({ header: 'binary2', max_frame: 8192 })
      from.on('data', (chunk) => {
        for (const bytes of reader.push(chunk).frames) pass(from, to, bytes)
      })
      from.on('error', () => {}).on('close', () => to.destroy())
    }
  })
  function pass(from: Socket, to: Socket, bytes: Buffer): void {
    const decoded = decode(bytes, 'ascii')
    if (!decoded.ok) return
    const { mti, fields } = decoded.message
    if (line.lost.has(mti)) return
    line.passed.push(mti)
    const [altered, refused] = [line.altered.get(mti), line.refused.get(mti)]
    if (refused !== undefined) send(from, answerTo(decoded.message, refused))
    else if (altered !== undefined)
      send(to, { mti, fields: { ...fields, 38: undefined, 39: altered } })
    else to.write(frame(bytes, 'binary2'))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const line: LossyLine = {
    port: address && typeof address === 'object' ? address.port : 0,
    lost: new Set(),
    altered: new Map(),
    refused: new Map(),
    passed: [],
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return line
}

function send(to: Socket, message: Message): void {
  to.write(frame(encode(message, 'ascii'), 'binary2'))
}
