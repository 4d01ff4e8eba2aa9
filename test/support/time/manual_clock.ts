/** A clock that changes only when a test moves it. */

import type { PortClock } from '#issuing/authorization/port/clock.ts'

export type ManualClock = PortClock & {
  /** Moves on in steps of a second at most, calling what has become due at each. */
  advance(ms: number): void
}

const STEP = 1_000

export function manualClock(): ManualClock {
  let now = 0
  const repeated = new Set<{ ms: number; due: number; call: () => void }>()
  const step = (ms: number) => {
    now += ms
    for (const timer of [...repeated]) {
      if (timer.due > now) continue
      timer.due = now + timer.ms
      timer.call()
    }
  }
  return {
    now: () => now,
    every(ms, call) {
      const timer = { ms, due: now + ms, call }
      repeated.add(timer)
      return () => void repeated.delete(timer)
    },
    advance(ms) {
      for (let left = ms; left > 0; left -= STEP) step(Math.min(left, STEP))
    },
  }
}
