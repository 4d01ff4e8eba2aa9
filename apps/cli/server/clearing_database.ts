/** The database as a program has it, for commands about clearing files. */

import { softwareCustody } from '#issuing/vault/vault.ts'
import { readClock } from '#kit/clock.ts'
import { openDatabase } from '#kit/db/database.ts'
import type { Services } from '#kit/http/callers/callers.ts'
import { openKeyring } from '#kit/keys/keyring.ts'
import { type Config, readConfig } from '#src/config/config.ts'
import { keyWrapperOf } from '#src/config/key_wrapper.ts'
import { refuseOtherRecordedMode } from '#src/program/mode.ts'
import { PROFILES } from '#src/program/modes/profiles.ts'
import { surroundings } from './command.ts'
import { databaseOf } from './database_of.ts'

const CONNECTIONS = 2

/** The work stores rows alone: a program that runs does what is due because of them. */
export async function asProgram<Result>(
  work: (services: Services & { now: Date }, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(surroundings())
  const { url, stop } = await databaseOf(config)
  const { db, pool, close } = openDatabase(url, CONNECTIONS, { role: config.database_role })
  try {
    await refuseOtherRecordedMode(pool, config.mode)
    const now = await readClock(db)
    const services = {
      ...{ db, now, profile: PROFILES[config.mode], custody: softwareCustody },
      keys: await openKeyring(db, keyWrapperOf(config), now),
      notify: () => {},
      runDueJobs: async () => [],
      react: async () => {},
    }
    return await work(services, config)
  } finally {
    await close()
    await stop()
  }
}
