/** The time that the port's limits are measured in; a test has one that it moves itself. */

export type PortClock = {
  /** Milliseconds since some moment; never backwards. */
  now: () => number
  /** Calls again and again; answers what ends it. It keeps no process alive. */
  every(ms: number, call: () => void): () => void
}

export const systemClock: PortClock = {
  now: () => performance.now(),
  every(ms, call) {
    const timer = setInterval(call, ms).unref()
    return () => clearInterval(timer)
  },
}
