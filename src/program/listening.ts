/** Opens and closes the ports of the program. */

import { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '#kit/http/app.ts'
import type { SecureServer } from '#kit/http/secure_server.ts'
import { closeAfter } from '#kit/http/versions.ts'
import { codeOf, lineOf, StartError } from '#kit/start_error.ts'

/** A server on an address of this machine. */
export type Listener = { listen: () => Promise<{ port: number }>; close: () => Promise<void> }

/** The time for requests that clients are just sending on an open connection. */
const FAREWELL_MS = 250
/** Requests that have not ended by then are cut. */
const LONGEST_REQUEST_MS = 4_000

type Address = { host: string; port: number }
/** The names of the variables of an address. */
type Variables = { host: string; port: string }

/** Calls `listen`; a system error becomes a StartError that names the variable to change. */
export async function listenOrExplain(
  listener: Pick<Listener, 'listen'>,
  { host, port }: Address,
  variables: Variables,
): Promise<number> {
  try {
    return (await listener.listen()).port
  } catch (error) {
    throw new StartError(explanation(codeOf(error), { host, port }, variables) ?? lineOf(error))
  }
}

function explanation(code: string | undefined, { host, port }: Address, set: Variables) {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} of ${host} is in use: stop what uses it, or set ${set.port} to another`
    case 'EACCES':
      return `port ${port} may not be opened by this account: set ${set.port} to one above 1023`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is not an address of this machine: set ${set.host} to one, or leave it out`
  }
  return undefined
}

/** `secure` is the server that the app has with TLS. */
export function httpListener(app: App, { host, port }: Address, secure?: SecureServer): Listener {
  let closing = false
  app.addHook('onSend', async (_request, reply) => {
    if (closing) closeAfter(reply)
  })
  return {
    async listen() {
      await app.listen({ host, port })
      const address = app.server.address()
      return { port: typeof address === 'object' && address !== null ? address.port : port }
    },
    /** Accepts no new connection, and finishes the requests that are under way or arriving. */
    async close() {
      closing = true
      const ended = stopListening(app.server)
      secure?.announceEnd()
      await Promise.race([ended, pause(FAREWELL_MS)])
      app.server.closeIdleConnections()
      secure?.endSessions()
      const cut = setTimeout(
        secure?.cut ?? (() => app.server.closeAllConnections()),
        LONGEST_REQUEST_MS,
      )
      await ended
      clearTimeout(cut)
      await app.close()
    },
  }
}

/**
 * Resolves when all connections have ended. Node's HTTP server would at once close those that are
 * idle, also under a request that is just arriving; a server of plain connections leaves them.
 */
function stopListening(server: App['server']): Promise<void> {
  return new Promise((resolve) => Server.prototype.close.call(server, () => resolve()))
}
