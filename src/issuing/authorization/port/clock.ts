/** The clock of the port's limits; a test moves its own. */

export type PortClock = {
  /** Milliseconds since some moment; never backwards. */
  now: () => number
  /** Calls at an interval; returns what ends it. It keeps no process alive. */
  every(ms: number, call: () => void): () => void
}

export const systemClock: PortClock = {
  now: () => performance.now(),
  every(ms, call) {
    const timer = setInterval(call, ms).unref()
    return () => clearInterval(timer)
  },
}
