/** The connection of `scheme` to the platform, which it makes or waits for. */

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Address } from '#kit/settings/shapes.ts'
import { Fault } from '../../kit/faults.ts'
import { note } from '../../kit/print.ts'
import type { Settings } from './settings.ts'

export const openSocket = ({ connect: to, listen }: Pick<Settings, 'connect' | 'listen'>) =>
  to ? connected(to) : accepted(listen)

/** Milliseconds in which a connection has to come about. */
const CONNECTED_MS = 10_000

async function connected({ host, port }: Address): Promise<Socket> {
  const socket = connect({ host, port, noDelay: true })
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECTED_MS) })
  } catch (error) {
    socket.destroy()
    const reason = `${host}:${port} cannot be reached (${codeOf(error)})`
    throw new Fault(`${reason}: does the platform listen there?`)
  }
  return socket
}

/** The first connection; then nobody else can connect. */
async function accepted(port: number): Promise<Socket> {
  const server = createServer({ noDelay: true })
  const came = once(server, 'connection')
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  } catch (error) {
    throw new Fault(`port ${port} cannot be had (${codeOf(error)}): name another with --listen`)
  }
  const at = server.address()
  note(`it listens on 127.0.0.1:${typeof at === 'object' && at ? at.port : port}`)
  const [socket]: Socket[] = await came
  server.close()
  if (!socket) throw new Fault('nobody has connected')
  return socket
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'no connection'
