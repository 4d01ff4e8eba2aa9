/** A PostgreSQL of our own for whoever sets no DATABASE_URL: real, durable, and looked after. */

import { setTimeout as pause } from 'node:timers/promises'
import { type Lease, takeLease } from './embedded/lease.ts'
import { notePlace, placeOf, refuseMissingCluster } from './embedded/place.ts'
import { bringUp, type Running, shutDown, USER } from './embedded/server.ts'
import type { Settings } from './embedded/settings.ts'
import { withStartLock } from './embedded/start-lock.ts'
import { lineOf, StartError } from './start-error.ts'

export type Embedded = {
  /** For `new pg.Pool({ connectionString })`. */
  url: string
  connection: { host: string; port: number; user: string; database: string }
  readonly pid: number
  /** The server ran already: another process started it, or one that was killed left it behind. */
  readonly adopted: boolean
  /** Stops the server, unless another process still uses it. The last one to leave stops it. */
  stop(): Promise<void>
}

/**
 * Milliseconds between two tries to start a server again that died under us: each pause is twice
 * the last, up to the longest. It is tried for as long as the program runs (D-331), for a full disk
 * or a volume that is away may be mended after hours.
 */
const PAUSES: Pauses = { first: 100, longest: 10_000 }

/** How often a server that came up and at once turned us away is looked for again. */
const RISES = 3

/**
 * Starts the server of `data_dir` or adopts the one that runs there, making both at first. Any
 * number of processes may do this at once. It listens on a Unix socket that only its account
 * reaches, outlives Ctrl-C and a killed Node, and is started again whenever it dies. As root it
 * runs as "postgres" or "nobody". Throws a StartError with one line that says what to do.
 *
 * `settings` are PostgreSQL's own and count for whoever starts the server; those that make it
 * durable cannot be changed. `onProgress` hears, a line at a time, what takes long or goes wrong.
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
    ...addressOf(up.running),
    get pid() {
      return up.running.pid
    },
    get adopted() {
      return up.running.adopted
    },
    stop() {
      stopping.abort()
      stopped ??= recovery.then(() => leave(up))
      return stopped
    },
  }
}

export type Pauses = { first: number; longest: number }
type Options = {
  data_dir: string
  settings: Settings
  onProgress: (line: string) => void
  /** A cluster that is not there is made. Not while the program runs: its data must be somewhere. */
  make: boolean
}
type Up = { cluster: string; running: Running; lease: Lease }

/** The place is chosen again under the lock, for another process may just have made the cluster. */
function riseUp(options: Options, onLost: () => void): Promise<Up> {
  const { data_dir, make } = options
  return withStartLock(placeOf(data_dir).cluster, async () => {
    const place = placeOf(data_dir)
    if (!make) refuseMissingCluster(place)
    for (let attempt = 1; ; attempt += 1) {
      const running = await bringUp(place, options.settings, options.onProgress)
      notePlace(data_dir, place)
      try {
        const lease = await takeLease(running.socket_folder, onLost)
        return { cluster: place.cluster, running, lease }
      } catch (error) {
        // What was adopted may have been dying, as after the kill that brought us here.
        if (attempt < RISES) continue
        throw new StartError(`PostgreSQL runs but refuses its own program: ${lineOf(error)}`)
      }
    }
  })
}

function leave({ cluster, running, lease }: Up): Promise<void> {
  return withStartLock(cluster, async () => {
    const others = await lease.others()
    await lease.release()
    if (others === 0 || others === null) await shutDown(cluster, running)
  })
}

function addressOf({ socket_folder: host }: Running): Pick<Embedded, 'url' | 'connection'> {
  return {
    // The folder counts, not the host's name; with a name, any parser of URLs takes it.
    url: `postgresql://${USER}@localhost/${USER}?host=${encodeURIComponent(host)}`,
    connection: { host, port: 5432, user: USER, database: USER },
  }
}
