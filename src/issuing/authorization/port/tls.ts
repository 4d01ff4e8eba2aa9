/** TLS on the port's connections (D-123): version 1.2 or later. */

import type { Socket } from 'node:net'
import { createServer } from 'node:tls'

/** PEM. With a CA, a peer must present a certificate that it has signed. */
export type PortTls = { cert: Buffer; key: Buffer; ca: Buffer | null }

export type Handshakes = {
  /** Calls `done` with the secured connection; where the handshake fails or is late, never. */
  begin(socket: Socket, done: (secured: Socket) => void): void
}

export function openHandshakes(
  { cert, key, ca }: PortTls,
  { handshake, onFailure }: { handshake: number; onFailure: () => void },
): Handshakes {
  const waiting = new Map<string, (secured: Socket) => void>()
  const server = createServer({
    ...{ cert, key, minVersion: 'TLSv1.2', handshakeTimeout: handshake },
    ...(ca && { ca, requestCert: true, rejectUnauthorized: true }),
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
  }
}

/** No two open connections have the same ends. */
const endsOf = ({ localAddress, localPort, remoteAddress, remotePort }: Socket): string =>
  [localAddress, localPort, remoteAddress, remotePort].join(' ')
