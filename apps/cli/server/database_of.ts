/** The database that a command works on: DATABASE_URL, or the embedded one of DATA_DIR. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { clusterOf, startEmbedded } from '#embedded_postgres/embedded_postgres.ts'
import { type Database, type Db, openDatabase } from '#kit/db/database.ts'
import { StartError } from '#kit/start_error.ts'
import { closeAtEndSignal } from '#lib/process/end_signals.ts'
import type { Config } from '#src/config/config.ts'
import { databaseUnusable } from '#src/program/explain.ts'
import { refuseOtherRecordedMode } from '#src/program/mode.ts'
import { note } from '../kit/print.ts'

/** A command never creates a database: there would be nothing to read in it. */
export async function databaseOf({
  database_url,
  data_dir,
}: Config): Promise<{ url: string; stop: () => Promise<void> }> {
  if (database_url) return { url: database_url.reveal(), stop: async () => {} }
  if (!existsSync(data_dir) || !existsSync(join(clusterOf(data_dir), 'PG_VERSION'))) {
    throw new StartError(`there is no database in ${data_dir}: set DATA_DIR or DATABASE_URL`)
  }
  // Standard output is for what the command finds.
  const embedded = startEmbedded({ data_dir, onProgress: note })
  // The server is detached: it would outlive the command.
  const stopListening = closeAtEndSignal(() => embedded.then(({ stop }) => stop()))
  const { url, stop } = await embedded
  return { url, stop: () => stop().finally(stopListening) }
}

/**
 * Does the work of a command that only reads, on one connection on which a statement may take
 * `longest_ms`. Throws if the database cannot be used or is of the other mode.
 */
export async function onDatabase<Result>(
  config: Config,
  longest_ms: number,
  work: (db: Db, database: Database) => Promise<Result>,
): Promise<Result> {
  const { url, stop } = await databaseOf(config)
  const database = openDatabase(url, 1, { longest_ms })
  const { pool, close } = database
  try {
    await pool.query('select').catch((error: unknown) => {
      throw databaseUnusable(error)
    })
    await refuseOtherRecordedMode(pool, config.mode)
    return await work(database.db, database)
  } finally {
    await close()
    await stop()
  }
}
