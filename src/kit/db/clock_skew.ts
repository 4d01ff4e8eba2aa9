/**
 * The difference of this process's clock from the database's. No stored time comes from the
 * process's clock (D-350), but a wrong one indicates a badly maintained machine: such a process
 * runs no sweeps and reports that, until its clock is right again.
 */

import { readClock } from '#kit/clock.ts'
import type { Log } from '#kit/log.ts'
import { metrics } from '#kit/metrics.ts'
import type { Db } from './database.ts'

const CHECK_MS = 1_000
/** Beyond this a process does not sweep and is not ready; past 60 s it does not start. */
const LARGEST_MS = 2_000

export type ClockWatch = {
  /** Real time by the database's clock, as it runs on from the last check. */
  now: () => Date
  /** Why this process may not sweep; undefined when it may. */
  fault: () => string | undefined
  /** Reads the database's clock once. Rejects if it does not answer. */
  check: () => Promise<void>
  /** Checks now and from then on; rejects if the first check does. */
  start: () => Promise<void>
  stop: () => Promise<void>
}

/** `wall` is this process's own clock, in milliseconds since 1970. */
export function watchClock(db: Db, log: Log, wall: () => number = Date.now): ClockWatch {
  let isOff = false
  let from: { database: number; passed: number } | undefined
  let timer: NodeJS.Timeout | undefined
  let checking = Promise.resolve()

  async function check(): Promise<void> {
    const [own, started] = [wall(), performance.now()]
    const database = (await readClock(db)).getTime()
    const half = (performance.now() - started) / 2
    // The database read its clock at some time during the round trip.
    const skew_ms = Math.round(own + half - database)
    from = { database: database + half, passed: performance.now() }
    metrics.clockSkew.set(skew_ms / 1000)
    const was = isOff
    // A slow answer proves little: then the state does not change.
    if (Math.abs(skew_ms) - half > LARGEST_MS) isOff = true
    else if (Math.abs(skew_ms) + half <= LARGEST_MS) isOff = false
    if (isOff && !was)
      log.error({ skew_ms }, 'this clock is off the database’s: no sweep runs here')
    if (was && !isOff) log.info({ skew_ms }, 'this clock is right again: the sweeps go on')
  }

  async function goOn(): Promise<void> {
    // Without the database the state does not change.
    await check().catch(() => {})
    timer?.refresh()
  }

  return {
    now: () => new Date(from ? from.database + performance.now() - from.passed : wall()),
    fault: () =>
      isOff ? `the clock is more than ${LARGEST_MS / 1000} s off the database's` : undefined,
    check,
    async start() {
      await check()
      timer = setTimeout(() => {
        checking = goOn()
      }, CHECK_MS)
      timer.unref()
    },
    async stop() {
      clearTimeout(timer)
      timer = undefined
      await checking
    },
  }
}
