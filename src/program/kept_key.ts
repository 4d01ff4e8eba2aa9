/** The master key that a sandbox keeps in DATA_DIR, before another one is made in its place. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { clusterOf } from '#embedded_postgres/embedded_postgres.ts'
import type { Db } from '#kit/db/database.ts'
import { MASTER_KEY_FILE } from '#kit/keys/master_key.ts'
import { StartError } from '#kit/start_error.ts'
import type { Config } from '#src/config/config.ts'

/**
 * Throws a StartError if the file is missing and the database has keys: one that is made anew opens
 * none of them, and would hide that the file has to be restored (D-912).
 */
export async function assertMasterKeyKept(db: Db, config: Config): Promise<void> {
  if (config.master_key || config.kms) return
  // The file is made before the first data key: a process that starts beside this one has both.
  const key = await db.selectFrom('data_keys').select('purpose').limit(1).executeTakeFirst()
  const path = join(config.data_dir, MASTER_KEY_FILE)
  if (!key || existsSync(path)) return
  throw new StartError(
    `the master key ${path} is missing, and this database has keys that it wrapped: restore the ` +
      `file from a backup, set MASTER_KEY to the key, or, to begin anew, ${anew(config)}`,
  )
}

const anew = ({ database_url, data_dir }: Config): string =>
  database_url ? 'name another database' : `move ${clusterOf(data_dir)} away`
