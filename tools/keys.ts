/**
 * Rotates the keys of a database, also while the program runs. Uses its environment.
 *
 *   npm run keys:rotate                  the next data keys, for everything that is sealed
 *   npm run keys:rotate -- --remove-old  deletes keys that were retired an hour ago or earlier
 *   npm run keys:rewrap                  the data keys under MASTER_KEY_NEW, or KMS_URL_NEW
 *
 * An interrupted command does no harm and continues when it is run again. Exit code 1 when it
 * could not finish.
 */

import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { type Db, openDatabase } from '#kit/db/database.ts'
import { MIGRATIONS, migrationNames } from '#kit/db/migration_files.ts'
import { findFaultOfSchema } from '#kit/db/migrations.ts'
import { rewrapKeys } from '#kit/keys/rewrapping.ts'
import { removeOldKeys, rotateKeys } from '#kit/keys/rotation.ts'
import { createLog, type Log } from '#kit/log.ts'
import { StartError } from '#kit/start_error.ts'
import { type Config, readConfig } from '#src/config/config.ts'
import { keyWrapperOf, newKeyWrapper } from '#src/config/key_wrapper.ts'
import { databaseUnusable, explain } from '#src/program/explain.ts'
import { refuseOtherRecordedMode } from '#src/program/mode.ts'
import { sealedColumns } from '#src/program/sealed.ts'
import { databaseOf } from './database_of.ts'

/** A statement may read all of a large table. */
const LONGEST_STATEMENT_MS = 60 * 60_000
const CONNECTIONS = 2
/** The id of the advisory lock that lets one run at a time. */
const LOCK = '5176408811283394271'
const LOCK_WAIT_MS = 5_000
const USAGE = 'unknown command: use rotate, rotate --remove-old, or rewrap'

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  for (const line of explain(error)) console.error(`the keys cannot be changed: ${line}`)
  return 1
})

async function main(args: readonly string[]): Promise<number> {
  const config = readConfig(process.env)
  const log = createLog('info')
  const { url, stop } = await databaseOf(config)
  const { batches, pool, close } = openDatabase(url, CONNECTIONS, {
    longest_ms: LONGEST_STATEMENT_MS,
  })
  try {
    await alone(pool, async () => {
      await assertSchema(batches)
      await refuseOtherRecordedMode(pool, config.mode)
      await perform(args.join(' '), { config, db: batches, log })
    })
    return 0
  } finally {
    await close()
    await stop()
  }
}

type Services = { config: Config; db: Db; log: Log }

async function perform(command: string, { config, db, log }: Services): Promise<void> {
  const wrapper = keyWrapperOf(config)
  const time = { clock: () => new Date(), pause: (ms: number) => pause(ms) }
  const parts = { db, wrapper, log, columns: sealedColumns, ...time }
  if (command === 'rotate') return rotateKeys(parts)
  if (command === 'rotate --remove-old') return removeOldKeys(parts)
  if (command !== 'rewrap') throw new StartError(USAGE)
  const target = newKeyWrapper(process.env, config)
  await rewrapKeys({ db, log, from: wrapper, to: target })
}

async function alone(pool: pg.Pool, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect().catch((error: unknown) => {
    throw databaseUnusable(error)
  })
  try {
    // The lock of a run that was just killed ends within this time.
    await client.query(`set lock_timeout = ${LOCK_WAIT_MS}`)
    await client.query('select pg_advisory_lock($1)', [LOCK]).catch(() => {
      throw new StartError('another run of this command is in progress: wait for it')
    })
    await work()
  } finally {
    // The lock ends with its connection.
    client.release(true)
  }
}

/** Processes of another version may not know how keys rotate. */
async function assertSchema(db: Db): Promise<void> {
  if ((await findFaultOfSchema(db, migrationNames(MIGRATIONS))) === undefined) return
  throw new StartError('the database is of another version: start this version of the program once')
}
