/** The virus scanner ClamAV by its own protocol (INSTREAM). */

import { connect, type Socket } from 'node:net'
import type { Scanner, Verdict } from '#issuing/identifications/provider.ts'
import type { Bytes } from '#kit/files/blobs.ts'
import type { Adapter } from '../adapter.ts'
import { type ClamdSettings, settingsOf, variables } from './settings.ts'

/** After so long without a byte in either direction the scanner counts as unavailable. */
const SILENCE_MS = 20_000
const ANSWER_BYTES_MAX = 4096

export const clamd: Adapter<typeof variables, ClamdSettings> = {
  name: 'clamd',
  provides: ['scanner'],
  variables,
  settingsOf,
  open: (settings) => ({ scanner: clamdScanner(settings) }),
}

function clamdScanner({ host, port }: ClamdSettings): Scanner {
  return async (bytes) => {
    const socket = connect({ host, port })
    const answer = answerOf(socket)
    // A fault of the bytes is the caller's; one of the socket shows in the answer.
    try {
      await send(socket, bytes)
      return verdictIn(await answer)
    } finally {
      socket.destroy()
    }
  }
}

/** `stream: OK`, `stream: Name FOUND`, or an error of any wording. */
function verdictIn(answer: string): Verdict {
  if (/^stream: OK\0?\s*$/.test(answer)) return 'CLEAN'
  return /\bFOUND\0?\s*$/.test(answer) ? 'INFECTED' : 'UNKNOWN'
}

/** All bytes until the other side closed. Never rejects. */
function answerOf(socket: Socket): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let text = ''
  socket.setTimeout(SILENCE_MS, () => socket.destroy())
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    if (text.includes('\0') || text.length > ANSWER_BYTES_MAX) resolve(text)
  })
  socket.on('error', () => {})
  socket.on('close', () => resolve(text))
  return promise
}

async function send(socket: Socket, bytes: Bytes): Promise<void> {
  await write(socket, Buffer.from('zINSTREAM\0'))
  for await (const chunk of bytes) {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(chunk.length)
    // A chunk of no length ends the stream, so an empty one is never sent as such.
    if (chunk.length > 0 && !(await write(socket, Buffer.concat([length, chunk])))) return
  }
  await write(socket, Buffer.alloc(4))
}

/** False when the other side has closed: its answer contains the reason. */
async function write(socket: Socket, bytes: Buffer): Promise<boolean> {
  if (socket.destroyed || !socket.writable) return false
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const closed = () => resolve(false)
  socket.once('close', closed)
  socket.write(bytes, (error) => resolve(!error))
  const isWritten = await promise
  socket.off('close', closed)
  return isWritten
}
