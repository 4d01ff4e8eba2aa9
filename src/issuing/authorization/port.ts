/**
 * The ISO 8583 listener (docs/iso8583.md 7). It keeps the connections; what happens on one of them
 * stands in port_session.ts, what a message means in wire.ts, and who decides is given.
 */

import { createServer, type Server, type Socket } from 'node:net'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import type { DialectName } from '#iso8583/dialects.ts'
import type { Header } from '#iso8583/framing.ts'
import type { Log } from '#kit/log.ts'
import { metrics } from '#kit/metrics.ts'
import { type NetworkEngine, openReversals } from './port_reversals.ts'
import { type Limits, openSession, type Session } from './port_session.ts'

export const defaultLimits: Limits = {
  connections: 100,
  in_flight: 2_000,
  frame: 8_192,
  unsent: 1_048_576,
  silence: 30_000,
  closing: 5_000,
}

export type PortOptions = {
  host: string
  /** 0 lets the system choose. */
  port: number
  dialect: DialectName
  header: Header
  engine: NetworkEngine
  log: Log
  limits?: Partial<Limits>
}

export type NetworkPort = {
  /** Rejects with the system's error where the address cannot be had. */
  listen(): Promise<{ port: number }>
  /**
   * Takes no more connections, answers 91 to what still comes, waits for the answers in flight and
   * closes. Whatever has not ended within the limit is cut.
   */
  close(): Promise<void>
  /** How many are open. */
  connections(): number
}

export function createNetworkPort(options: PortOptions): NetworkPort {
  const limits = { ...defaultLimits, ...options.limits }
  const sessions = new Set<Session>()
  /** A connection that has gone may have left decisions behind, and these need reversing. */
  const deciding = new Set<Session>()
  const reversals = openReversals(options.engine, options.log)
  const server = createServer({ noDelay: true, keepAlive: true })
  server.maxConnections = limits.connections
  server.on('drop', () => metrics.networkFaults.inc({ reason: 'connections' }))
  server.on('connection', (socket: Socket) => {
    const { dialect, header, engine, log } = options
    const session = openSession({ socket, dialect, header, engine, log, limits, reversals })
    sessions.add(session)
    deciding.add(session)
    void session.closed.then(() => sessions.delete(session))
    void session.settled.then(() => deciding.delete(session))
  })

  return {
    listen: () => listen(server, options),
    connections: () => sessions.size,
    async close() {
      const stopped = stop(server)
      await Promise.all([...sessions].map((session) => session.close()))
      await stopped
      const late = wait(limits.closing, undefined, { ref: false })
      await Promise.race([Promise.all([...deciding].map(({ settled }) => settled)), late])
      // A write that failed says so a turn later.
      await turn()
      await reversals.settle(limits.closing)
    },
  }
}

function listen(server: Server, { port, host }: PortOptions): Promise<{ port: number }> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const address = server.address()
      resolve({ port: typeof address === 'object' && address !== null ? address.port : port })
    })
  })
}

/** Resolves when every connection has gone; at once when it never listened. */
function stop(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
