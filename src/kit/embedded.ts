/** A PostgreSQL of our own for whoever sets no DATABASE_URL: real, durable, and looked after. */

import { setTimeout as pause } from 'node:timers/promises'
import { type Lease, takeLease } from './embedded/lease.ts'
import { notePlace, placeOf } from './embedded/place.ts'
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

/** How often a server that died under us is started again, with pauses from 0.1 to 5 s between. */
const RESTARTS = 10

/** How often a server that came up and at once turned us away is looked for again. */
const RISES = 3

/**
 * Starts the server of `data_dir` or adopts the one that runs there, making both at first. Any
 * number of processes may do this at once. It listens on a Unix socket that only its account
 * reaches, outlives Ctrl-C and a killed Node, and is started again if it dies. As root it runs as
 * "postgres" or "nobody". Throws a StartError with one line that says what to do.
 *
 * `settings` are PostgreSQL's own and count for whoever starts the server; those that make it
 * durable cannot be changed. `onProgress` hears, a line at a time, what takes long or goes wrong.
 */
export async function startEmbedded({
  data_dir,
  settings = {},
  onProgress = () => {},
}: {
  data_dir: string
  settings?: Settings
  onProgress?: (line: string) => void
}): Promise<Embedded> {
  const rise = () => riseUp({ data_dir, settings, onProgress }, onLost)
  let up = await rise()
  let recovery = Promise.resolve()
  let stopped: Promise<void> | undefined

  function onLost(): void {
    if (!stopped) recovery = recover()
  }

  async function recover(): Promise<void> {
    onProgress('PostgreSQL has gone; starting it again')
    for (let attempt = 0; attempt < RESTARTS; attempt += 1) {
      await pause(Math.min(100 * 2 ** attempt, 5_000))
      if (stopped) return
      try {
        up = await rise()
        return onProgress('PostgreSQL is back')
      } catch (error) {
        onProgress(lineOf(error))
      }
    }
    onProgress(`PostgreSQL did not come back in ${RESTARTS} attempts: restart the program`)
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
      stopped ??= recovery.then(() => leave(up))
      return stopped
    },
  }
}

type Options = { data_dir: string; settings: Settings; onProgress: (line: string) => void }
type Up = { cluster: string; running: Running; lease: Lease }

/** The place is chosen again under the lock, for another process may just have made the cluster. */
function riseUp(options: Options, onLost: () => void): Promise<Up> {
  const { data_dir, settings, onProgress } = options
  return withStartLock(placeOf(data_dir).cluster, async () => {
    const place = placeOf(data_dir)
    for (let attempt = 1; ; attempt += 1) {
      const running = await bringUp(place, settings, onProgress)
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
