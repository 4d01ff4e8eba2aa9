/** Starts and stops the program from a configuration; the last opened part is closed first. */

import type pg from 'pg'
import { startEmbedded } from '#embedded_postgres/embedded_postgres.ts'
import { readClock } from '#kit/clock.ts'
import {
  type Database,
  DatabaseUnavailable,
  OWN_CONNECTIONS,
  openDatabase,
} from '#kit/db/database.ts'
import { assertClock, assertDurable, assertNodesDurable } from '#kit/db/migrations.ts'
import { openKeyring } from '#kit/keys/keyring.ts'
import type { Log } from '#kit/log.ts'
import { codeOf, StartError } from '#kit/start_error.ts'
import type { Config } from '#src/config/config.ts'
import { keyWrapperOf } from '#src/config/key_wrapper.ts'
import { forgetAnswers, keepTables, watchBacklogs } from './chores.ts'
import { assertConnections } from './connection_limit.ts'
import { VERSION } from './documents.ts'
import { databaseUnusable } from './explain.ts'
import { assertMasterKeyKept } from './kept_key.ts'
import { bindMode, refuseOtherMode } from './mode.ts'
import { bindCustody, custodyIn, openCustody, type RecordedCustody } from './modes/custody.ts'
import { loadMode } from './modes/load.ts'
import type { Made } from './modes/mode.ts'
import { bringUpToDate } from './partitioned.ts'
import { assemble } from './program.ts'

/** A step that takes longer is reported. */
const PATIENCE_MS = 2_000

export type Report = (line: string) => void
export type Running = {
  /** The configuration with the ports that the system chose. */
  config: Config
  /** The keys that this start found or made. */
  made: Made
  /** Finishes work under way and closes everything. */
  stop: () => Promise<void>
}

type Undo = (() => Promise<void>)[]
type Start = {
  config: Config
  log: Log
  report: Report
  /**
   * Ends the start behind the step under way: the opened parts are closed, and the promise rejects.
   */
  signal: AbortSignal
}

/**
 * Starts the program. An error is thrown after everything that was opened is closed again.
 * `report` gets a line for each step that takes long.
 */
export async function start(options: Start): Promise<Running> {
  const opened: Undo = []
  const stop = async () => {
    for (let close = opened.pop(); close; close = opened.pop()) await close()
  }
  try {
    return { ...(await open(options, opened)), stop }
  } catch (error) {
    // The error of the start matters more than one of closing.
    await stop().catch((err: unknown) => options.log.error({ err }, 'closing failed as well'))
    throw error
  }
}

async function open(start: Start, opened: Undo): Promise<Omit<Running, 'stop'>> {
  const { config, report } = start
  if (config.database_url) return openOn(config.database_url.reveal(), start, opened)
  const { data_dir } = config
  const { url, panic, stop } = await startEmbedded({ data_dir, onProgress: report })
  opened.push(stop)
  try {
    return await openOn(url, start, opened)
  } catch (error) {
    const reason = error instanceof DatabaseUnavailable ? panic() : undefined
    if (reason === undefined) throw error
    throw new StartError(`PostgreSQL has crashed (${reason}): mend that, or set DATABASE_URL`)
  }
}

async function openOn(
  url: string,
  { config, log, report, signal }: Start,
  opened: Undo,
): Promise<Omit<Running, 'stop'>> {
  signal.throwIfAborted()
  if (config.tracing) {
    const { startExport } = await import('#kit/tracing/otlp.ts')
    opened.push(startExport(config.tracing, VERSION, log))
  }
  const database = openDatabase(url, config.database_connections - OWN_CONNECTIONS, {
    role: config.database_role,
    onTurn: namingNodes(log),
  })
  const { db, batches, listen, close } = database
  opened.push(close)
  const recorded = await prepareDatabase(database, config, report)
  signal.throwIfAborted()
  await assertMasterKeyKept(db, config)
  const now = await readClock(db)
  const keys = await openKeyring(db, keyWrapperOf(config), now)
  opened.push(keys.watch(log))
  const { custody, close: closeModules } = await openCustody(
    config,
    log,
    now,
    recorded === 'MOVING',
  )
  opened.push(async () => closeModules())

  const mode = await loadMode(config.mode)
  const program = assemble({ config, mode, db, batches, listen, keys, custody, log })
  opened.push(program.close)
  const made = await mode.make(program.services, config)
  signal.throwIfAborted()
  const bound = await program.listen()
  const shown = mode.record(bound, made)
  if (config.roles.includes('worker')) {
    const { records, backlogs } = program
    const chores = { log, records }
    opened.push(forgetAnswers(db, mode, chores), keepTables(database, config, chores))
    opened.push(watchBacklogs(db, backlogs, chores))
  }
  return { config: bound, made: shown }
}

/** Once when a node of a cluster ceases to answer, and once when it does again. */
const namingNodes = (log: Log) => (node: string, answers: boolean) => {
  if (answers) log.info({ node }, 'the node of the cluster answers again')
  else log.error({ node }, 'a node of the cluster does not answer: its tenants wait')
}

async function prepareDatabase(
  database: Pick<Database, 'owner' | 'pool' | 'entries'>,
  config: Config,
  report: Report,
): Promise<RecordedCustody> {
  const slow = setTimeout(report, PATIENCE_MS, 'bringing the database to this version')
  const { pool } = database
  try {
    await reach(pool)
    await refuseOtherMode(pool, config.mode)
    await assertConnections(pool, config.database_connections)
    await bringUpToDate(database, config.database_role, report).catch((error: unknown) => {
      throw isUnusable(error) ? databaseUnusable(error) : error
    })
    await assertDurable(pool)
    await assertNodesDurable(await database.entries())
    await assertClock(pool)
    await bindMode(pool, config.mode)
    return await bindCustody(pool, custodyIn(config))
  } finally {
    clearTimeout(slow)
  }
}

/** Its user may not change it, or it is a standby. */
const isUnusable = (error: unknown): boolean => /^(42501|25006)$/.test(codeOf(error) ?? '')

async function reach(pool: pg.Pool): Promise<void> {
  try {
    await pool.query('select')
  } catch (error) {
    throw databaseUnusable(error)
  }
}
