/** A way over TCP that a test makes slow, cuts or closes. */

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as pass } from 'node:timers/promises'

/** A fault of all connections from now on; none if it is empty. */
export type Fault = {
  /** Each part of what is sent is late by this, in milliseconds. */
  late?: () => number
  /** A connection is reset once so many bytes have gone through it. */
  reset_after?: () => number
  /** No connection is taken. */
  isClosed?: boolean
  /** Nothing goes through, on connections that stay open; it goes on when this ends. */
  isSilent?: boolean
}

export type Relay = {
  port: number
  set: (fault: Fault) => void
  /** Resets every connection. */
  reset: () => void
  close: () => Promise<void>
}

export async function openRelay(port: number): Promise<Relay> {
  const sockets = new Set<Socket>()
  let fault: Fault = {}
  let silence: PromiseWithResolvers<void> | undefined
  const reset = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  const server = createServer((near) => {
    if (fault.isClosed) {
      near.destroy()
      return
    }
    const far = connect(port, '127.0.0.1')
    let left = fault.reset_after?.() ?? Number.POSITIVE_INFINITY
    const endBoth = () => {
      near.resetAndDestroy()
      far.resetAndDestroy()
    }
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        endBoth()
      })
      let sent: Promise<unknown> = Promise.resolve()
      from.on('data', (bytes: Buffer) => {
        left -= bytes.length
        const late = fault.late?.() ?? 0
        // Bytes keep the order in which they came, also those that are less late.
        sent = Promise.all([sent, late > 0 ? pass(late) : undefined, silence?.promise]).then(() => {
          to.write(left < 0 ? bytes.subarray(0, Math.max(0, bytes.length + left)) : bytes)
          if (left < 0) endBoth()
        })
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    set(next) {
      fault = next
      silence?.resolve()
      silence = next.isSilent ? Promise.withResolvers() : undefined
    },
    reset,
    async close() {
      reset()
      server.close()
      await once(server, 'close')
    },
  }
}
