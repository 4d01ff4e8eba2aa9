/**
 * Connections of this process to its own port. Such a connection is identified by both of its
 * ends: while it is open, no other connection, process or machine can have the same two addresses
 * and ports (D-333).
 */

import { connect, type Socket } from 'node:net'
import { plainAddress } from './networks.ts'

export type OwnSockets = {
  /** Opens a connection whose other end `isOwn` recognizes. */
  connect(address: { host: string; port: number }): Socket
  /** Whether an accepted socket is the other end of one of these. Never rejects. */
  isOwn(accepted: Socket): boolean | Promise<boolean>
}

export function openOwnSockets(): OwnSockets {
  const open = new Set<string>()
  const opening = new Set<Promise<void>>()
  return {
    connect(address) {
      const socket = connect({ ...address, noDelay: true })
      let ends: string | undefined
      const known = new Promise<void>((resolve) => {
        socket.once('connect', () => {
          ends = endsOf(near(socket), far(socket))
          open.add(ends)
          resolve()
        })
        socket.once('close', () => {
          if (ends !== undefined) open.delete(ends)
          resolve()
        })
      })
      opening.add(known)
      void known.then(() => opening.delete(known))
      return socket
    },
    isOwn(accepted) {
      const ends = endsOf(far(accepted), near(accepted))
      if (open.has(ends)) return true
      // The accepting end may open first. Both ends of such a connection have one address.
      if (opening.size === 0 || near(accepted).address !== far(accepted).address) return false
      return Promise.all(opening).then(() => open.has(ends))
    },
  }
}

type End = { address: string | undefined; port: number | undefined }

const near = ({ localAddress, localPort }: Socket): End => ({
  address: plainAddress(localAddress ?? ''),
  port: localPort,
})

const far = ({ remoteAddress, remotePort }: Socket): End => ({
  address: plainAddress(remoteAddress ?? ''),
  port: remotePort,
})

/** The connecting end comes first. */
const endsOf = (from: End, to: End): string =>
  `${from.address} ${from.port} ${to.address} ${to.port}`
