/** The connections of a network at one process, and its messages without effect (D-1310). */

import type { NetworkState } from '#issuing/networks/networks.ts'
import { metrics } from '../metrics.ts'
import type { PortClock } from './clock.ts'

export type PortState = Omit<NetworkState, 'name'>

/** Faults of a connection, in place of a message. */
const OF_LINE: ReadonlySet<string> = new Set([
  ...['cut', 'unsigned', 'slow_frame', 'silent', 'stalled', 'not_connected', 'handshake'],
  ...['not_allowed', 'connections', 'connections_per_address'],
])

/** The reports of one connection. */
export type LineTally = {
  /** A message has come that could be read. */
  came(): void
  /** A message had no effect, or the connection a fault. */
  fault(reason: string): void
}

type Line = { address: string; opened: number; isSignedOn: () => boolean; came?: number }

export class Tally {
  readonly #network: string
  readonly #clock: PortClock
  readonly #lines = new Set<Line>()
  #mac_failures = 0
  #refused = 0

  constructor(network: string, clock: PortClock) {
    this.#network = network
    this.#clock = clock
  }

  readonly fault = (reason: string): void => {
    metrics.networkFaults.inc({ network: this.#network, reason })
    if (reason === 'mac') this.#mac_failures += 1
    if (!OF_LINE.has(reason)) this.#refused += 1
  }

  /** The reports of a connection to be opened. `begin` is called when it is there, `end` when it is closed. */
  line(address: string, opened: number) {
    const line: Line = { address, opened, isSignedOn: () => false }
    const tally: LineTally = {
      came: () => {
        line.came = this.#clock.now()
      },
      fault: this.fault,
    }
    return {
      tally,
      begin: (isSignedOn: () => boolean) => {
        line.isSignedOn = isSignedOn
        this.#lines.add(line)
      },
      end: () => void this.#lines.delete(line),
    }
  }

  state(): PortState {
    const now = this.#clock.now()
    const lines = [...this.#lines].map(({ address, opened, isSignedOn, came }) => ({
      address,
      signed_on: isSignedOn(),
      open_ms: Math.round(now - opened),
      silent_ms: came === undefined ? null : Math.round(now - came),
    }))
    return { lines, mac_failures: this.#mac_failures, refused: this.#refused }
  }
}
