/**
 * A simulator of a hardware security module, to try the program with (D-1017). It is none: its keys
 * are published, and it listens on this machine alone. Commands of all connections are under way
 * side by side, and nothing that a peer sends ends it.
 */

import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { answerTo } from './answer.ts'

export type SimulatorOptions = {
  /** 0 takes any that is free. */
  port: number
  /** Characters of the header. */
  header: number
  /** How long each command takes, whatever others are under way. */
  delay_ms: number
}

export type Simulator = { port: number; close: () => Promise<void> }

const LOOPBACK = '127.0.0.1'
/** Each holds a message of 64 KiB at most that has not come whole. */
const CONNECTIONS_MAX = 1_000
/** Bytes of answers that wait for their time or their reader. Until then nothing more is read. */
const HELD_MAX = 1024 * 1024

/** Rejects with the error of the system when the port cannot be had. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    serve(socket, options)
  })
  server.maxConnections = CONNECTIONS_MAX
  server.listen(options.port, LOOPBACK)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : options.port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function serve(socket: Socket, { header, delay_ms }: SimulatorOptions): void {
  const messages = new Messages()
  let held = 0
  let hasEnded = false
  const consider = () => {
    if (hasEnded && held === 0) socket.end()
    const isFull = held + socket.writableLength > HELD_MAX
    if (isFull) socket.pause()
    else if (socket.isPaused()) socket.resume()
  }
  const send = (answer: Buffer) => {
    held -= answer.length
    if (socket.writable) {
      // Answers that are ready in the same turn leave as one piece.
      if (socket.writableCorked === 0) {
        socket.cork()
        setImmediate(() => socket.uncork())
      }
      socket.write(answer)
    }
    consider()
  }
  socket.on('data', (chunk) => {
    for (const message of messages.of(chunk)) {
      const answer = framed(answerTo(message, header))
      held += answer.length
      if (delay_ms === 0) send(answer)
      else setTimeout(send, delay_ms, answer)
    }
    consider()
  })
  socket.on('drain', consider)
  socket.on('end', () => {
    hasEnded = true
    consider()
  })
  // A connection that breaks is closed by the system, and nothing else depends on it.
  socket.on('error', () => {})
}

const LENGTH_BYTES = 2

function framed(message: Buffer): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt16BE(message.length)
  return Buffer.concat([length, message])
}

/**
 * Cuts a stream into messages: two bytes of length, and as many bytes. An empty one is left out.
 */
class Messages {
  /** The bytes of the length, or of the message, that have come. */
  #kept: Buffer = Buffer.alloc(LENGTH_BYTES)
  #bytes = 0
  #isLength = true

  of(chunk: Buffer): Buffer[] {
    const messages: Buffer[] = []
    let at = 0
    while (at < chunk.length) {
      const copied = chunk.copy(this.#kept, this.#bytes, at)
      at += copied
      this.#bytes += copied
      if (this.#bytes < this.#kept.length) break
      const whole = this.#kept
      const length = this.#isLength ? whole.readUInt16BE() : 0
      if (!this.#isLength) messages.push(whole)
      this.#isLength = length === 0
      this.#kept = Buffer.alloc(length || LENGTH_BYTES)
      this.#bytes = 0
    }
    return messages
  }
}
