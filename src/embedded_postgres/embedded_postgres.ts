/** An embedded PostgreSQL for programs without DATABASE_URL: durable, restarted when it dies. */

import { setTimeout as pause } from 'node:timers/promises'
import { lineOf, StartError } from '#kit/start_error.ts'
import { type Lease, takeLease } from './lease.ts'
import { assertClusterExists, notePlace, placeOf } from './place.ts'
import { bringUp, panicOf, type Running, shutDown, USER } from './server.ts'
import type { Settings } from './settings.ts'
import { withStartLock } from './start_lock.ts'

export type Embedded = {
  /** For `new pg.Pool({ connectionString })`. */
  url: string
  /** The postmaster's; another one after a restart. */
  readonly pid: number
  /** Why the server has crashed, by its log; undefined if it has not. */
  panic(): string | undefined
  /** Stops the server, unless another process still uses it. The last one to leave stops it. */
  stop(): Promise<void>
}

/**
 * Milliseconds between two tries to restart a server that died: each pause is twice the last, up to
 * the longest. The tries go on as long as the program runs (D-331), since a full disk or a missing
 * volume may be repaired after hours.
 */
const PAUSES: Pauses = { first: 100, longest: 10_000 }

/** How often a start is repeated when the server rejects the first connection. */
const RISES = 3

/** The folder of the cluster of `data_dir`, which may not exist yet (D-205). */
export const clusterOf = (data_dir: string): string => placeOf(data_dir).cluster

/**
 * Starts the server of `data_dir` or adopts the one that runs there, making both at first. Any
 * number of processes may do this at once. It listens on a Unix socket that only its account
 * reaches, outlives Ctrl-C and a killed Node, and is started again whenever it dies. As root it
 * runs as "postgres" or "nobody". Throws a StartError with one line that says what to do.
 *
 * `settings` are PostgreSQL's own and apply when this process starts the server; those that make it
 * durable cannot be changed. `onProgress` gets a line for each slow step and each failure.
 */
export async function startEmbedded({
  data_dir,
  settings = {},
  onProgress = () => {},
  pauses = PAUSES,
}: {
  data_dir: string
  settings?: Settings
  onProgress?: (line: string) => void
  pauses?: Pauses
}): Promise<Embedded> {
  const options = { data_dir, settings, onProgress }
  const stopping = new AbortController()
  let up = await riseUp({ ...options, make: true }, onLost)
  let recovery = Promise.resolve()
  let stopped: Promise<void> | undefined

  function onLost(): void {
    if (!stopped) recovery = recover()
  }

  async function recover(): Promise<void> {
    onProgress('PostgreSQL has gone; starting it again')
    let ms = pauses.first
    for (let attempt = 1; ; attempt += 1) {
      await pause(ms, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      try {
        up = await riseUp({ ...options, make: false }, onLost)
        return onProgress('PostgreSQL is back')
      } catch (error) {
        ms = Math.min(2 * ms, pauses.longest)
        onProgress(`try ${attempt}: ${lineOf(error)}; the next in ${ms / 1000} s`)
      }
    }
  }

  return {
    url: urlOf(up.running),
    get pid() {
      return up.running.pid
    },
    panic: () => panicOf(up),
    stop() {
      stopping.abort()
      stopped ??= recovery.then(() => leave(up))
      return stopped
    },
  }
}

type Pauses = { first: number; longest: number }
type Options = {
  data_dir: string
  settings: Settings
  onProgress: (line: string) => void
  /** Creates a missing cluster. Not while the program runs, when its data must exist. */
  make: boolean
}
type Up = { cluster: string; running: Running; lease: Lease }

/** The place is chosen again under the lock, since another process may have made the cluster. */
function riseUp(options: Options, onLost: () => void): Promise<Up> {
  const { data_dir, make } = options
  return withStartLock(clusterOf(data_dir), async () => {
    const place = placeOf(data_dir)
    if (!make) assertClusterExists(place)
    for (let attempt = 1; ; attempt += 1) {
      const running = await bringUp(place, options.settings, options.onProgress)
      notePlace(data_dir, place)
      try {
        const lease = await takeLease(running.socket_folder, onLost)
        return { cluster: place.cluster, running, lease }
      } catch (error) {
        // The adopted server may have been stopping.
        if (attempt < RISES) continue
        throw new StartError(`PostgreSQL runs but rejects its own program: ${lineOf(error)}`)
      }
    }
  })
}

function leave({ cluster, running, lease }: Up): Promise<void> {
  return withStartLock(cluster, async () => {
    const others = await lease.others()
    await lease.release()
    if (others === 0 || others === null) await shutDown(cluster, running, others === null)
  })
}

/** The folder counts, not the host's name; with a name, any parser of URLs accepts it. */
const urlOf = ({ socket_folder }: Running): string =>
  `postgresql://${USER}@localhost/${USER}?host=${encodeURIComponent(socket_folder)}`
