/** One end of a line of a card network, in bytes, as a scheme or a switch sends and gets them. */

import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'
import { createFrameReader, frame, type Header } from '#iso8583/framing.ts'
import { until } from '../services/receiver.ts'

export type Line = {
  /** Sends the bytes behind a header. */
  put(bytes: Buffer): void
  /** The next bytes that came. */
  next(): Promise<Buffer>
  /** How many messages came so far. */
  count(): number
  cut(): void
  closed: Promise<void>
}

export function lineOf(socket: Socket, header: Header): Line {
  const reader = createFrameReader({ header, max_frame: 65_535 })
  const came: Buffer[] = []
  let taken = 0
  socket.on('data', (chunk: Buffer) => {
    for (const bytes of reader.push(chunk).frames) came.push(Buffer.from(bytes))
  })
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return {
    put: (bytes) => void socket.write(frame(bytes, header)),
    async next() {
      await until('a message comes', () => came.length > taken)
      taken += 1
      return came[taken - 1] ?? Buffer.alloc(0)
    },
    count: () => came.length,
    cut: () => void socket.destroy(),
    closed,
  }
}

export async function connectLine(port: number, header: Header = 'binary2'): Promise<Line> {
  const socket = createConnection({ host: '127.0.0.1', port, noDelay: true })
  await once(socket, 'connect')
  return lineOf(socket, header)
}

/** A scheme that waits for connections. */
export async function openScheme(header: Header = 'binary2') {
  const lines: Line[] = []
  const server = createServer((socket) => lines.push(lineOf(socket, header)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  let taken = 0
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    /** The next connection. */
    async line(): Promise<Line> {
      await until('a connection comes', () => lines.length > taken)
      taken += 1
      const line = lines[taken - 1]
      if (!line) throw new Error('no line')
      return line
    },
    async [Symbol.asyncDispose]() {
      for (const line of lines) line.cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
