/**
 * `keys` rotates or moves the keys of a database, also while the program runs. It uses the settings
 * of the program. An interrupted command does no harm and continues when it is run again. With
 * --json the result is one document (D-866), and the steps are logged to standard error.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { Command } from 'commander'
import type pg from 'pg'
import { type Db, openDatabase } from '#kit/db/database.ts'
import { MIGRATIONS, migrationNames } from '#kit/db/migration_files.ts'
import { findFaultOfSchema } from '#kit/db/migrations.ts'
import { openKeyring } from '#kit/keys/keyring.ts'
import { type ListedKey, listDataKeys } from '#kit/keys/listing.ts'
import { rewrapKeys } from '#kit/keys/rewrapping.ts'
import { RETIRED_FOR_MS, removeOldKeys, rotateKeys } from '#kit/keys/rotation.ts'
import { createLog, type Log } from '#kit/log.ts'
import { StartError } from '#kit/start_error.ts'
import { type Config, readConfig } from '#src/config/config.ts'
import { keyWrapperOf, newKeyWrapper } from '#src/config/key_wrapper.ts'
import { databaseUnusable } from '#src/program/explain.ts'
import { printJson } from '#src/program/json_output.ts'
import { assertMasterKeyKept } from '#src/program/kept_key.ts'
import { refuseOtherRecordedMode } from '#src/program/mode.ts'
import type { RecordedCustody } from '#src/program/modes/custody.ts'
import { moveKeys } from '#src/program/moving_keys.ts'
import { sealedColumns } from '#src/program/sealed.ts'
import { withExamples } from '../kit/command.ts'
import { exitWith, type Json, surroundings } from './command.ts'
import { databaseOf } from './database_of.ts'

/** A statement may read all of a large table. */
const LONGEST_STATEMENT_MS = 60 * 60_000
const CONNECTIONS = 2
/** The id of the advisory lock that lets one run at a time. */
const LOCK = '5176408811283394271'
const LOCK_WAIT_MS = 5_000
const FORMAT = 'keys 1'

type Services = { config: Config; db: Db; log: Log }

function partsOf({ config, db, log }: Services) {
  const time = { clock: () => new Date(), pause: (ms: number) => pause(ms) }
  return { db, log, wrapper: keyWrapperOf(config), columns: sealedColumns, ...time }
}

/** Each returns the ids of the keys that it has wrapped anew. */
const changes = {
  async rotate(services: Services): Promise<string[]> {
    await rotateKeys(partsOf(services))
    return []
  },
  async 'rotate --remove-old'(services: Services): Promise<string[]> {
    await removeOldKeys(partsOf(services))
    return []
  },
  rewrap({ config, db, log }: Services): Promise<string[]> {
    const to = newKeyWrapper(surroundings(), config)
    return rewrapKeys({ db, log, from: keyWrapperOf(config), to })
  },
}
type Change = keyof typeof changes

export function command(): Command {
  const command = new Command('keys').description(
    'Rotates data keys, wraps them anew, or moves the keys of cards.',
  )
  withExamples(command.command('rotate'), ['keys rotate', 'keys rotate --remove-old --json'])
    .summary('the next data keys, for everything that is sealed')
    .option('--remove-old', 'delete the keys that were retired an hour ago or earlier')
    .option('--json', 'print JSON; the steps go to standard error')
    .action(({ removeOld = false, json = false }: Json & { removeOld?: boolean }) =>
      run(removeOld ? 'rotate --remove-old' : 'rotate', json),
    )
  withExamples(command.command('rewrap'), ['keys rewrap', 'keys rewrap --json'])
    .summary('the data keys under MASTER_KEY_NEW, or KMS_URL_NEW')
    .option('--json', 'print JSON; the steps go to standard error')
    .action(({ json = false }: Json) => run('rewrap', json))
  withExamples(command.command('move'), ['keys move --to hsm', 'keys move --to hsm --json'])
    .summary('the keys of cards to the security modules of HSM_ADDRESS')
    .requiredOption('--to <custody>', 'where to: hsm')
    .option('--json', 'print JSON; the steps go to standard error')
    .action(({ to, json = false }: Json & { to: string }) => move(to, json))
  return withExamples(command, ['keys rotate', 'keys rewrap', 'keys move --to hsm'])
}

function run(change: Change, isJson: boolean): Promise<void> {
  const format = isJson ? FORMAT : undefined
  return exitWith({ failed: 'the keys cannot be changed', format }, () => make(change, isJson))
}

function move(to: string, isJson: boolean): Promise<void> {
  const format = isJson ? FORMAT : undefined
  return exitWith({ failed: 'the keys are not moved', format }, async () => {
    if (to !== 'hsm') throw new StartError('--to hsm is the only way: keys do not come back')
    const config = readConfig(surroundings())
    const log = isJson ? createLog('info', process.stderr) : createLog('info')
    const moved = await onDatabase(config, async ({ batches, pool, url }) => {
      const { db, close } = openDatabase(url, CONNECTIONS, { role: config.database_role })
      try {
        const now = new Date()
        const keys = await openKeyring(batches, keyWrapperOf(config), now)
        return await moveKeys({ config, db, pool, keys, log, now })
      } finally {
        await close()
      }
    })
    if (isJson) printJson({ format: FORMAT, ok: true, command: 'move', ...moved })
    else console.log(said[moved.custody](moved.moved))
    return 0
  })
}

const said: Readonly<Record<RecordedCustody, (moved: number) => string>> = {
  SOFTWARE: () => 'The keys are in software.',
  MOVING: () =>
    'Keys may be moved now. Restart every process with HSM_ADDRESS, one after the other, and run ' +
    'this command again.',
  MODULE: (moved) => `The keys are in the security modules: ${moved} card products were moved.`,
}

async function make(change: Change, isJson: boolean): Promise<number> {
  const config = readConfig(surroundings())
  const log = isJson ? createLog('info', process.stderr) : createLog('info')
  await onDatabase(config, async ({ batches }) => {
    const before = await listDataKeys(batches)
    const rewrapped = await changes[change]({ config, db: batches, log })
    if (!isJson) return
    printJson(documentOf(change, { before, after: await listDataKeys(batches), rewrapped }))
  })
  return 0
}

type Opened = { batches: Db; pool: pg.Pool; url: string }

/** Alone on a database of this program, mode and master key. */
async function onDatabase<Result>(
  config: Config,
  work: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  const { url, stop } = await databaseOf(config)
  const { batches, pool, close } = openDatabase(url, CONNECTIONS, {
    longest_ms: LONGEST_STATEMENT_MS,
  })
  try {
    return await alone(pool, async () => {
      await assertSchema(batches)
      await refuseOtherRecordedMode(pool, config.mode)
      await assertMasterKeyKept(batches, config)
      return work({ batches, pool, url })
    })
  } finally {
    await close()
    await stop()
  }
}

type Keys = {
  before: readonly ListedKey[]
  after: readonly ListedKey[]
  rewrapped: readonly string[]
}

/** Changes of this run, and the present keys. Ids of keys are no secrets. */
function documentOf(command: Change, { before, after, rewrapped }: Keys): object {
  const had = new Map(before.map((key) => [key.id, key]))
  const has = new Set(idsOf(after))
  const isRetired = (key: ListedKey | undefined) => (key?.retired ?? null) !== null
  return {
    format: FORMAT,
    ok: true,
    command,
    made: idsOf(after.filter(({ id }) => !had.has(id))),
    retired: idsOf(after.filter((key) => isRetired(key) && !isRetired(had.get(key.id)))),
    removed: idsOf(before.filter(({ id }) => !has.has(id))),
    rewrapped,
    keys: after.map(presentKey),
  }
}

function idsOf(keys: readonly ListedKey[]): string[] {
  return keys.map(({ id }) => id)
}

function presentKey(key: ListedKey): object {
  const removable = key.retired && new Date(key.retired.getTime() + RETIRED_FOR_MS)
  return { ...key, removable }
}

async function alone<Result>(pool: pg.Pool, work: () => Promise<Result>): Promise<Result> {
  const client = await pool.connect().catch((error: unknown) => {
    throw databaseUnusable(error)
  })
  try {
    // The lock of a run that was just killed ends within this time.
    await client.query(`set lock_timeout = ${LOCK_WAIT_MS}`)
    await client.query('select pg_advisory_lock($1)', [LOCK]).catch(() => {
      throw new StartError('another run of this command is in progress: wait for it')
    })
    return await work()
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
