/** A way over TCP that stops between two parts of a conversation, where the test says so. */

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** `bytes` have gone through since it was set; this part is `from` that side and has not. */
export type Moment = (part: { from: 'client' | 'server'; bytes: number }) => boolean

export type CutLine = {
  port: number
  /** The bytes of both sides that have gone through since it was mended or set last. */
  bytes: () => number
  /** Nothing goes through any more from the first part on of which this is true. */
  cutAt: (moment: Moment) => Promise<void>
  /** The connections so far are gone, and new ones go through. */
  mend: () => void
  close: () => Promise<void>
}

export async function openCutLine(port: number): Promise<CutLine> {
  const sockets = new Set<Socket>()
  let bytes = 0
  let isCut = false
  let trap: { moment: Moment; sprung: () => void } | undefined
  const pass = (from: 'client' | 'server', to: Socket, part: Buffer) => {
    if (!isCut && trap?.moment({ from, bytes })) {
      isCut = true
      trap.sprung()
    }
    if (isCut) return
    bytes += part.length
    to.write(part)
  }
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const [socket, other, from] of [
      [near, far, 'client'],
      [far, near, 'server'],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('data', (part: Buffer) => pass(from, other, part))
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const end = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    bytes: () => bytes,
    cutAt(moment) {
      const { promise, resolve } = Promise.withResolvers<void>()
      bytes = 0
      trap = { moment, sprung: resolve }
      return promise
    },
    mend() {
      end()
      isCut = false
      trap = undefined
      bytes = 0
    },
    async close() {
      end()
      server.close()
      await once(server, 'close')
    },
  }
}
