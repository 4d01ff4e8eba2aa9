/** The sockets of connections, which are destroyed if their server is of no use. */

import { Socket } from 'node:net'

export type Sockets = {
  /** Makes the socket for the option `stream` of pg, with the address that it connects to. */
  open: (url: string) => Socket
  /** Destroys every open connection without a farewell message, or all but those to an address. */
  cut: (but?: string) => void
}

export function createSockets(): Sockets {
  const sockets = new Map<Socket, string>()
  return {
    open(url) {
      const socket = new Socket()
      sockets.set(socket, url)
      socket.once('close', () => sockets.delete(socket))
      return socket
    },
    cut(but) {
      for (const [socket, url] of sockets) {
        if (url !== but) socket.destroy(new Error('the database does not answer'))
      }
    },
  }
}
