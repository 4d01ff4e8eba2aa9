/** A line to the issuer on which messages get lost, either way. */

import { connect, createServer, type Socket } from 'node:net'
import { createFrameReader, frame } from '#iso8583/framing.ts'
import { decode } from '#iso8583/message.ts'

export type LossyLine = {
  port: number
  /** MTIs that are swallowed from now on, with their repeats. */
  lost: Set<string>
  /** MTIs that passed, in order. */
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
        for (const bytes of reader.push(chunk).frames) pass(to, bytes)
      })
      from.on('error', () => {}).on('close', () => to.destroy())
    }
  })
  function pass(to: Socket, bytes: Buffer): void {
    const decoded = decode(bytes, 'ascii')
    const mti = decoded.ok ? decoded.message.mti : '0000'
    if (line.lost.has(mti)) return
    line.passed.push(mti)
    to.write(frame(bytes, 'binary2'))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const line: LossyLine = {
    port: address && typeof address === 'object' ? address.port : 0,
    lost: new Set(),
    passed: [],
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return line
}
