/** The code of a thread: an inspection that reads the file through a port. */

import { once } from 'node:events'
import type { MessagePort } from 'node:worker_threads'
import type { Kind } from '../rules/kinds.ts'
import type { Stored } from './archive.ts'
import { inspectFile, type Outcome } from './inspect.ts'

/** How much of a file is in a message. */
const PIECE_BYTES = 256 * 1024

export type Task = { kind: Kind; size: number; port: MessagePort }

export async function inspectInThread({ kind, size, port }: Task): Promise<Outcome> {
  try {
    return await inspectFile(kind, overPort(size, port))
  } finally {
    port.close()
  }
}

/** One reading at a time. Null is the answer of a store that fails. */
function overPort(size: number, port: MessagePort): Stored {
  return {
    size,
    async *read({ start, end }) {
      for (let at = start; at < end; at += PIECE_BYTES) {
        const answer = once(port, 'message')
        port.postMessage({ start: at, end: Math.min(at + PIECE_BYTES, end) })
        const [bytes]: (Uint8Array | null)[] = await answer
        if (!bytes) throw new Error('the store failed')
        yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      }
    },
  }
}
