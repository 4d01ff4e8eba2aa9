/**
 * The connections that this process makes to a network, and makes again when one is lost (D-1030).
 */

import { createConnection, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Address } from '#kit/settings/shapes.ts'

export type Dialing = {
  /** Makes no more connections. */
  stop(): void
}

export type DialingOptions = {
  addresses: readonly Address[]
  /** Serves the connection; resolves when it is closed. */
  serve: (socket: Socket) => Promise<void>
  /** A connection could not be made, or was closed. */
  onLost: (address: Address, reason: string) => void
}

/** Milliseconds before the next try, which double while none succeeds. */
const FIRST_PAUSE = 250
const LONGEST_PAUSE = 15_000
/** A connection that lasted so long is no failure: the next try comes soon. */
const LASTED_MS = 30_000

/** One connection to each address, at all times. */
export function startDialing({ addresses, serve, onLost }: DialingOptions): Dialing {
  const stopped = new AbortController()
  const keep = async (address: Address) => {
    for (let pause = FIRST_PAUSE; !stopped.signal.aborted; ) {
      const began = performance.now()
      const reason = await connectOnce(address, serve)
      if (stopped.signal.aborted) return
      onLost(address, reason)
      if (performance.now() - began > LASTED_MS) pause = FIRST_PAUSE
      await wait(pause, undefined, { ref: false, signal: stopped.signal }).catch(() => {})
      pause = Math.min(2 * pause, LONGEST_PAUSE)
    }
  }
  for (const address of addresses) void keep(address)
  return { stop: () => stopped.abort() }
}

/** Resolves with the reason of the end. */
async function connectOnce(
  { host, port }: Address,
  serve: (socket: Socket) => Promise<void>,
): Promise<string> {
  const socket = createConnection({ host, port, noDelay: true, keepAlive: true })
  const failure = await new Promise<string | undefined>((resolve) => {
    socket.once('connect', () => resolve(undefined))
    socket.once('error', (error) => resolve('code' in error ? String(error.code) : error.name))
  })
  if (failure !== undefined) {
    socket.destroy()
    return failure
  }
  await serve(socket)
  return 'closed'
}
