/** The way out of a connection: answers of one turn of the event loop leave in one write. */

import type { Socket } from 'node:net'
import { metrics } from '#kit/metrics.ts'

export type Outbox = {
  /** `unsent` is called once if the bytes cannot have left this process. */
  put(bytes: Buffer, unsent?: () => void): void
  /** Bytes that the peer has not taken yet. */
  waiting(): number
  /** Sends what is there and ends the stream. */
  end(): void
}

export function openOutbox(socket: Socket): Outbox {
  let buffers: Buffer[] = []
  let unsent: (() => void)[] = []
  let bytes = 0
  let ended = false

  const flush = () => {
    if (buffers.length === 0) return
    const [first = Buffer.alloc(0)] = buffers
    const all = buffers.length === 1 ? first : Buffer.concat(buffers, bytes)
    const failed = unsent
    buffers = []
    unsent = []
    bytes = 0
    // A stream that has been destroyed tells so to the callback of every write.
    socket.write(all, (error) => {
      if (!error) return
      metrics.networkFaults.inc({ reason: 'unsent' })
      for (const call of failed) call()
    })
  }

  return {
    put(answer, whenUnsent) {
      if (buffers.length === 0) setImmediate(flush)
      buffers.push(answer)
      bytes += answer.length
      if (whenUnsent) unsent.push(whenUnsent)
    },
    waiting: () => bytes + socket.writableLength,
    end() {
      if (ended) return
      ended = true
      flush()
      socket.end()
    },
  }
}
