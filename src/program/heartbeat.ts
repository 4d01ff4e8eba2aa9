/** Tells the other processes that this one is at work, every five seconds (D-630). */

import { forgetProcess, type Heartbeat, recordProcess } from '#issuing/processes/processes.ts'
import type { Db } from '#kit/db/database.ts'
import type { Log } from '#kit/log.ts'
import { newId } from '#lib/id.ts'

const EVERY_MS = 5_000
/** The digits of the id in the name of the process. */
const NAME_DIGITS = 4

type HeartbeatParts = {
  db: Db
  log: Log
  roles: readonly string[]
  version: string
  /** The present state of the process. */
  read: () => Pick<Heartbeat, 'connections' | 'jobs'>
}

export type HeartbeatLoop = {
  /** Writes at once, then every five seconds. Never rejects. */
  start: () => Promise<void>
  /** Writes no more, and deletes what it has written. */
  stop: () => Promise<void>
}

export function createHeartbeat({ db, log, roles, version, read }: HeartbeatParts): HeartbeatLoop {
  const id = newId()
  const name = `${roles.join('+')} ${id.slice(-NAME_DIGITS)}`
  let timer: NodeJS.Timeout | undefined
  let beating = Promise.resolve()

  /** A database that is away is noticed and logged elsewhere. */
  async function beat(): Promise<void> {
    try {
      await recordProcess(db, { id, name, version, roles, ...read() })
    } catch (err) {
      log.debug({ err }, 'the heartbeat was not written')
    }
    timer?.refresh()
  }

  return {
    start() {
      timer = setTimeout(() => {
        beating = beat()
      }, EVERY_MS)
      timer.unref()
      beating = beat()
      return beating
    },
    async stop() {
      if (!timer) return
      clearTimeout(timer)
      timer = undefined
      await beating
      await forgetProcess(db, id).catch((err: unknown) => {
        log.debug({ err }, 'the heartbeat was not deleted')
      })
    },
  }
}
