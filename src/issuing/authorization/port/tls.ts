/** TLS on the port's connections (D-123): version 1.2 or later. */

import type { Socket } from 'node:net'
import { createServer } from 'node:tls'
import { type PairContents, secureOptions } from '#kit/net/certificates.ts'

export type Handshakes = {
  /** Calls `done` with the secured connection, or never if the handshake fails or is late. */
  begin(socket: Socket, done: (secured: Socket) => void): void
  /** Uses another pair for handshakes from now on (D-550). */
  use(pair: PairContents): void
}

export function openHandshakes(
  pair: PairContents,
  { handshake, onFailure }: { handshake: number; onFailure: () => void },
): Handshakes {
  const waiting = new Map<string, (secured: Socket) => void>()
  const server = createServer({
    ...secureOptions(pair),
    handshakeTimeout: handshake,
    ...(pair.ca && { requestCert: true, rejectUnauthorized: true }),
  })
  server.on('secureConnection', (secured) => waiting.get(endsOf(secured))?.(secured))
  server.on('tlsClientError', (_error, socket) => {
    onFailure()
    socket.destroy()
  })
  return {
    begin(socket, done) {
      const ends = endsOf(socket)
      waiting.set(ends, done)
      socket.once('close', () => waiting.delete(ends))
      // The server does not listen: connections come from the port, which has accepted them.
      server.emit('connection', socket)
    },
    use: (next) => server.setSecureContext(secureOptions(next)),
  }
}

/** No two open connections have the same ends. */
const endsOf = ({ localAddress, localPort, remoteAddress, remotePort }: Socket): string =>
  [localAddress, localPort, remoteAddress, remotePort].join(' ')
