/** A PostgreSQL of our own for whoever sets no DATABASE_URL: real, durable, and looked after. */

import { setTimeout as pause } from 'node:timers/promises'
import { type Lease, takeLease } from './embedded/lease.ts'
import { notePlace, placeOf } from './embedded/place.ts'
import { bringUp, type Running, shutDown, USER } from './embedded/server.ts'
import type { Settings } from './embedded/settings.ts'
import { withStartLock } from './embedded/start-lock.ts'
import { lineOf } from './start-error.ts'

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

/**
 * Starts the server of `data_dir` or adopts the one that runs there, making both at first. Any
 * number of processes may do this at once. It listens on a Unix socket that only its account
 * reaches, outlives Ctrl-C and a killed Node, and is started again if it dies. As root it runs as
 * "postgres" or "nobody". Throws a StartError with one line that says what to do.
 *
 * `settings` are PostgreSQL's own and count for whoever starts the server; those that make it
 * durable cannot be changed. `onProgress` hears, a line at a time, what takes long or goes wrong.
 */
export async function startEmbedded(options: {
  data_dir: string
  settings?: Settings
  onProgress?: (line: string) => void
}): Promise<Embedded> {
  const { data_dir, settings = {}, onProgress = () => {} } = options
  const { cluster } = placeOf(data_dir)
  let up = await rise()
  let recovery = Promise.resolve()
  let stopped: Promise<void> | undefined

  const host = up.running.socket_folder
  return {
    // The folder counts, not the host's name; with a name, any parser of URLs takes it.
    url: `postgresql://${USER}@localhost/${USER}?host=${encodeURIComponent(host)}`,
    connection: { host, port: 5432, user: USER, database: USER },
    get pid() {
      return up.running.pid
    },
    get adopted() {
      return up.running.adopted
    },
    stop() {
      stopped ??= recovery.then(() => withStartLock(cluster, leave))
      return stopped
    },
  }

  function rise(): Promise<{ running: Running; lease: Lease }> {
    return withStartLock(cluster, async () => {
      const place = placeOf(data_dir)
      const running = await bringUp(place, settings, onProgress)
      notePlace(data_dir, place)
      return { running, lease: await takeLease(running.socket_folder, onLost) }
    })
  }

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
        onProgress('PostgreSQL is back')
        return
      } catch (error) {
        onProgress(lineOf(error))
      }
    }
    onProgress(`PostgreSQL did not come back in ${RESTARTS} attempts: restart the program`)
  }

  async function leave(): Promise<void> {
    const others = await up.lease.others()
    await up.lease.release()
    if (others === 0 || others === null) await shutDown(cluster, up.running)
  }
}
