/**
 * Tells the other processes that this one is at work, and how its networks are connected, every
 * five seconds (D-630, D-1310).
 */

import { deleteLines, type NetworkState, upsertLines } from '#issuing/networks/networks.ts'
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
  read: () => Pick<Heartbeat, 'connections' | 'jobs'> & { networks: readonly NetworkState[] }
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
      const { networks, ...own } = read()
      await recordProcess(db, { id, name, version, roles, ...own })
      if (networks.length > 0) await upsertLines(db, id, networks)
    } catch (err) {
      log.debug({ err }, 'the heartbeat was not written')
    }
    timer?.refresh()
  }

  async function forget(): Promise<void> {
    await forgetProcess(db, id)
    if (read().networks.length > 0) await deleteLines(db, id)
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
      await forget().catch((err: unknown) => {
        log.debug({ err }, 'the heartbeat was not deleted')
      })
    },
  }
}
