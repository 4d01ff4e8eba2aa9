/**
 * Rotates the keys of a database, also while programs run on it. Takes their environment.
 *
 *   npm run keys:rotate                  the next data key for everything that is sealed
 *   npm run keys:rotate -- --remove-old  deletes what was retired an hour ago or earlier
 *   npm run keys:rewrap                  the data keys under MASTER_KEY_NEW, or KMS_URL_NEW
 *
 * Each is ended by any interruption without harm and taken up by running it again. Exit code 1
 * where it could not finish.
 */

import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { type Db, openDatabase } from '#kit/database.ts'
import { createLog, type Log } from '#kit/log.ts'
import { hasMigrations, MIGRATIONS, migrationNames } from '#kit/migrations.ts'
import { rewrapKeys } from '#kit/rewrapping.ts'
import { removeOldKeys, rotateKeys } from '#kit/rotation.ts'
import { StartError } from '#kit/start-error.ts'
import { type Config, readConfig } from '#src/config.ts'
import { databaseUnusable, explain } from '#src/explain.ts'
import { keyWrapperOf, newKeyWrapper } from '#src/key_wrapping.ts'
import { refuseOtherRecordedMode } from '#src/mode.ts'
import { sealedColumns } from '#src/sealed.ts'
import { databaseOf } from './database_of.ts'

/** Reading a large table whole takes its time. */
const LONGEST_STATEMENT_MS = 60 * 60_000
const CONNECTIONS = 2
/** Known to this command only: one of it runs at a time. It ends with the connection. */
const LOCK = '5176408811283394271'
const LOCK_WAIT_MS = 5_000
const NOTHING_TO_DO = 'say what: rotate, rotate --remove-old, or rewrap'

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  for (const line of explain(error)) console.error(`the keys cannot be changed: ${line}`)
  return 1
})

async function main(words: readonly string[]): Promise<number> {
  const config = readConfig(process.env)
  const log = createLog('info')
  const { url, stop } = await databaseOf(config)
  const { batches, pool, close } = openDatabase(url, CONNECTIONS, LONGEST_STATEMENT_MS)
  try {
    await alone(pool, async () => {
      await assertSchema(batches)
      await refuseOtherRecordedMode(pool, config.mode)
      await perform(words.join(' '), { config, db: batches, log })
    })
    return 0
  } finally {
    await close()
    await stop()
  }
}

type Given = { config: Config; db: Db; log: Log }

async function perform(words: string, { config, db, log }: Given): Promise<void> {
  const wrapper = keyWrapperOf(config)
  const time = { clock: () => new Date(), pause: (ms: number) => pause(ms) }
  const parts = { db, wrapper, log, columns: sealedColumns, ...time }
  if (words === 'rotate') return rotateKeys(parts)
  if (words === 'rotate --remove-old') return removeOldKeys(parts)
  if (words !== 'rewrap') throw new StartError(NOTHING_TO_DO)
  const target = newKeyWrapper(process.env, config)
  await rewrapKeys({ db, log, from: wrapper, to: target })
}

async function alone(pool: pg.Pool, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect().catch((error: unknown) => {
    throw databaseUnusable(error)
  })
  try {
    // A run that was just killed is gone in a moment.
    await client.query(`set lock_timeout = ${LOCK_WAIT_MS}`)
    await client.query('select pg_advisory_lock($1)', [LOCK]).catch(() => {
      throw new StartError('another run of this command is at work: wait for it')
    })
    await work()
  } finally {
    // The lock ends with its connection.
    client.release(true)
  }
}

/** Processes of another version may not know how keys rotate. */
async function assertSchema(db: Db): Promise<void> {
  if (await hasMigrations(db, migrationNames(MIGRATIONS))) return
  throw new StartError('the database is of another version: start this version of the program once')
}
