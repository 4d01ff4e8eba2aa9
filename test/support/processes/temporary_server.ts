/** A PostgreSQL of a run's own, which ends with the run. */

import { rmSync } from 'node:fs'
import { startEmbedded } from '#embedded_postgres/embedded_postgres.ts'
import { closeAtEndSignal } from '#lib/process/end_signals.ts'
import { scratchFolder } from './scratch.ts'
import { startWithoutSync } from './server_without_sync.ts'

export type TemporaryServer = {
  url: string
  /** Starts it again without waits for a disk, at the same URL. */
  forgoSync: () => Promise<void>
  stop: () => Promise<void>
}

/**
 * Starts it in a new folder whose name begins with `prefix`. `stop` removes both, and so does a
 * signal that ends the process: the server is detached and would go on.
 */
export async function openTemporaryServer(
  prefix: string,
  settings: Record<string, string> = {},
): Promise<TemporaryServer> {
  const data_dir = scratchFolder(prefix)
  let opening = startEmbedded({ data_dir, settings })
  const stop = () =>
    opening
      .then((server) => server.stop())
      .finally(() => rmSync(data_dir, { recursive: true, force: true }))
  const stopListening = closeAtEndSignal(() => {
    // The run fails as its server ends, and would end this process before the folder is removed.
    process.on('uncaughtException', () => {})
    return stop()
  })
  const { url } = await opening
  return {
    url,
    async forgoSync() {
      const durable = await opening
      opening = durable.stop().then(() => startWithoutSync(data_dir, settings))
      await opening
    },
    stop: () => stop().finally(stopListening),
  }
}
