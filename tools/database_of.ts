/** The database that a command works on: DATABASE_URL, or the embedded one of DATA_DIR. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { clusterOf, startEmbedded } from '#embedded_postgres/embedded_postgres.ts'
import { StartError } from '#kit/start_error.ts'
import type { Config } from '#src/config/config.ts'

/** A command never creates a database: there would be nothing to read in it. */
export async function databaseOf({
  database_url,
  data_dir,
}: Config): Promise<{ url: string; stop: () => Promise<void> }> {
  if (database_url) return { url: database_url.reveal(), stop: async () => {} }
  if (!existsSync(data_dir) || !existsSync(join(clusterOf(data_dir), 'PG_VERSION'))) {
    throw new StartError(`there is no database in ${data_dir}: set DATA_DIR or DATABASE_URL`)
  }
  return startEmbedded({ data_dir, onProgress: console.log })
}
