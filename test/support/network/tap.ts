/** A way over TCP that keeps the bytes which clients send. */

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type Tap = {
  port: number
  /** The bytes of all connections so far, one after the other. */
  sent: () => Buffer
  close: () => Promise<void>
}

export async function openTap(port: number): Promise<Tap> {
  const sockets = new Set<Socket>()
  const kept = new Map<Socket, Buffer[]>()
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    const parts: Buffer[] = []
    kept.set(near, parts)
    near.on('data', (part: Buffer) => parts.push(part))
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    sent: () => Buffer.concat([...kept.values()].flat()),
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}
