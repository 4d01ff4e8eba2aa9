/** Opens and closes what the program listens on. */

import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '#kit/http.ts'
import { codeOf, lineOf, StartError } from '#kit/start-error.ts'

/** A server on an address of this machine. */
export type Listener = { listen: () => Promise<{ port: number }>; close: () => Promise<void> }

/** Clients that are about to reuse a connection get an answer that tells them not to. */
const FAREWELL_MS = 250
/** Requests that have not ended by then are cut. */
const LONGEST_REQUEST_MS = 4_000

type Address = { host: string; port: number }

/** Calls `listen`; what the system refuses becomes a StartError that names the variable to change. */
export async function listenOrExplain(
  listener: Pick<Listener, 'listen'>,
  { host, port }: Address,
  variable: string,
): Promise<number> {
  try {
    return (await listener.listen()).port
  } catch (error) {
    throw new StartError(explanation(codeOf(error), { host, port }, variable) ?? lineOf(error))
  }
}

function explanation(code: string | undefined, { host, port }: Address, variable: string) {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} of ${host} is in use: stop what uses it, or set ${variable} to another`
    case 'EACCES':
      return `port ${port} may not be opened by this account: set ${variable} to one above 1023`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is not an address of this machine: set HOST to one, or leave it out`
  }
  return undefined
}

export function httpListener(app: App, { host, port }: Address): Listener {
  let closing = false
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close')
  })
  return {
    async listen() {
      await app.listen({ host, port })
      const address = app.server.address()
      return { port: typeof address === 'object' && address !== null ? address.port : port }
    },
    /** Finishes the requests under way, and those that come while clients learn of it. */
    async close() {
      closing = true
      if ((await openConnections(app)) > 0) await pause(FAREWELL_MS)
      const cut = setTimeout(() => app.server.closeAllConnections(), LONGEST_REQUEST_MS)
      await app.close()
      clearTimeout(cut)
    },
  }
}

function openConnections({ server }: App): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count ?? 0)))
}
