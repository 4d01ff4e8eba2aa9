/** A virus scanner for tests: implements the protocol of clamd and finds what a test configures. */

import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

export type TestScanner = {
  address: { host: string; port: number }
  /** Bytes that it takes for a virus. */
  finds: string
  /** How much it takes of one file; more is an error, as with the real one. */
  limit: number
  /** Says nothing and hangs up. */
  away: boolean
  close: () => Promise<void>
}

const HELLO = 'zINSTREAM\0'

export async function openScanner(): Promise<TestScanner> {
  const scanner = { finds: 'VIRUS', limit: 1024 * 1024, away: false }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    if (scanner.away) socket.destroy()
    let held = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      held = Buffer.concat([held, chunk])
      const answer = answerTo(held, scanner)
      if (answer !== undefined) socket.end(`${answer}\0`)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return Object.assign(scanner, {
    address: { host: '127.0.0.1', port: address.port },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  })
}

/** Undefined while more must come. */
function answerTo(held: Buffer, { finds, limit }: { finds: string; limit: number }) {
  if (held.length < HELLO.length) return undefined
  if (held.toString('latin1', 0, HELLO.length) !== HELLO) return 'UNKNOWN COMMAND'
  const chunks: Buffer[] = []
  let size = 0
  for (let at = HELLO.length; at + 4 <= held.length; ) {
    const length = held.readUInt32BE(at)
    if (length === 0) {
      const isFound = Buffer.concat(chunks).toString('latin1').includes(finds)
      return isFound ? 'stream: Test.Virus FOUND' : 'stream: OK'
    }
    chunks.push(held.subarray(at + 4, at + 4 + length))
    at += 4 + length
    size += length
    if (size > limit) return 'INSTREAM size limit exceeded. ERROR'
  }
  return undefined
}
