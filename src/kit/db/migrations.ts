/** Migrates a database to this program's schema, and rejects one that is not durable. */

import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { lineOf, StartError } from '#kit/start_error.ts'
import type { Db, Entry } from './database.ts'
import { change, inTransaction, outsideTransaction } from './ddl.ts'
import { areSpread, listLocal, spreadNew } from './distribution.ts'
import { askEach } from './each_node.ts'
import { type Migration, numberOf, readMigrations } from './migration_files.ts'
import { statementsOf } from './migration_statements.ts'

/** The oldest supported server: PostgreSQL 15. */
const OLDEST_VERSION = 150_000

/** A number that no other program is likely to use for a lock. */
const LOCK = '4702394921427820912'
const LOCK_POLL_MS = 100
const LONGEST_LOCK_WAIT_MS = 5 * 60_000

/** How far the clocks of process and database may be apart at the start. */
const LARGEST_SKEW_MS = 60_000

type Finish = (client: pg.ClientBase) => Promise<void>

/**
 * Applies the files NNNN_name.sql of `folder` that the database does not have, in order, each in
 * one transaction with its own record: a killed run continues at the next start. Any number of
 * processes may do this at once. Throws a StartError if the server is too old or not durable, a
 * released file was edited, or the database is from before the first release or needs a newer
 * program (D-663).
 *
 * A file with `-- migrate:no-transaction` runs statement by statement instead, for statements that
 * PostgreSQL rejects in a transaction (create index concurrently). Its statements end with a
 * semicolon at the end of a line, and after a kill it runs again from its start.
 *
 * `finish` runs at every start behind the migrations, and before any other process goes on; not if
 * a newer program has migrated, whose roles and policies it could undo (D-664).
 */
export async function migrate(
  database: pg.Pool | pg.ClientBase,
  folder: string,
  finish: Finish = async () => {},
): Promise<{ applied: string[] }> {
  const migrations = readMigrations(folder)
  if (!(database instanceof pg.Pool)) return migrateWith(database, migrations, finish)
  const client = await database.connect()
  let failed = true
  try {
    const result = await migrateWith(client, migrations, finish)
    failed = false
    return result
  } finally {
    // A failed session is closed, which also frees its lock.
    client.release(failed)
  }
}

/** A recorded migration. The columns of `Migration`; null if no program is named. */
type Applied = { name: string; sha256: string; needs_program: string | null }

const APPLIED = 'select name, sha256, needs_program from schema_migrations order by name'

/** The names of the migrations of `folder` that the database does not have; it changes nothing. */
export async function listMissing(client: pg.ClientBase, folder: string): Promise<string[]> {
  const { missing } = await compare(client, readMigrations(folder))
  return missing.map(({ name }) => name)
}

/**
 * Why the program that knows the migrations `names` cannot work on the schema of a database;
 * undefined if it can, also beside a newer program.
 */
export async function findFaultOfSchema(
  db: Db,
  names: readonly string[],
): Promise<'lacking' | 'newer' | undefined> {
  const { rows } = await sql.raw<Applied>(APPLIED).execute(db)
  const applied = new Set(rows.map(({ name }) => name))
  if (!names.every((name) => applied.has(name))) return 'lacking'
  return findUnsuitable(rows, names) ? 'newer' : undefined
}

/**
 * Rejects a server on which a confirmed payment could be lost in a power cut.
 * A StartError names the setting.
 */
export async function assertDurable(client: pg.ClientBase | pg.Pool): Promise<void> {
  const { rows } = await client.query<Setting>(DURABILITY)
  for (const { name, setting } of rows) assertDurableSetting(name, setting)
}

/** The same for each node of a cluster that answers. */
export async function assertNodesDurable(entries: readonly Entry[]): Promise<void> {
  const { answers } = await askEach(entries, ({ db }) => sql.raw<Setting>(DURABILITY).execute(db))
  for (const { name: node, result } of answers) {
    for (const { name, setting } of result.rows) {
      assertDurableSetting(`${name} of the node ${node}`, setting)
    }
  }
}

type Setting = { name: string; setting: string }
const DURABILITY = `select name, setting from pg_settings
  where name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name`

/** The other values of synchronous_commit all wait for the server's own disk, so they pass. */
export function assertDurableSetting(name: string, setting: string): void {
  if (setting !== 'off') return
  throw new StartError(
    `the database has ${name} = off, so confirmed payments could be lost: set it to on ` +
      '(for the server, the database and the role) and start again',
  )
}

/**
 * Milliseconds that the database's clock is ahead of this process's (negative: behind), as far as
 * certain: zero while its instant is between the query and its answer.
 */
export async function clockSkew(
  client: pg.ClientBase | pg.Pool,
  clock: () => number = Date.now,
): Promise<number> {
  const queried = clock()
  const result = await client.query<{ instant: string }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::text as instant',
  )
  const answered = clock()
  const instant = Number(result.rows[0]?.instant)
  // This process's clock has whole milliseconds, the database's also fractions.
  return Math.round(instant - Math.min(Math.max(instant, queried), answered + 1))
}

/** Throws a StartError if the clock is more than 60 s off the database's. */
export async function assertClock(
  client: pg.ClientBase | pg.Pool,
  clock?: () => number,
): Promise<void> {
  const skew = await clockSkew(client, clock)
  if (Math.abs(skew) <= LARGEST_SKEW_MS) return
  const direction = skew > 0 ? 'behind' : 'ahead of'
  throw new StartError(
    `the clock of this machine is ${Math.round(Math.abs(skew) / 1000)} s ${direction} the ` +
      'database’s: set both by the same time service and start again',
  )
}

/** Rejects a server that is too old. `version` is its server_version_num. */
export function assertServerVersion(version: number): void {
  if (version >= OLDEST_VERSION) return
  throw new StartError(
    `the database is PostgreSQL ${Math.floor(version / 10_000)}, and 15 is the oldest that ` +
      'works here: upgrade it, or set DATABASE_URL to another',
  )
}

async function migrateWith(client: pg.ClientBase, migrations: Migration[], finish: Finish) {
  const version = await client.query<{ server_version_num: string }>('show server_version_num')
  assertServerVersion(Number(version.rows[0]?.server_version_num))
  await assertDurable(client)
  await lock(client)
  try {
    await client.query('set statement_timeout = 0')
    await client.query(
      `create table if not exists schema_migrations (
        name text primary key,
        sha256 text not null,
        applied timestamptz not null,
        needs_program text
      )`,
    )
    await recordNeeds(client)
    const { missing, isNewer } = await compare(client, migrations)
    for (const migration of missing) await apply(client, migration)
    if (!isNewer) await finish(client)
    return { applied: missing.map(({ name }) => name) }
  } finally {
    // Fails only on a lost connection, which has lost its lock too; the first error matters more.
    await client
      .query(`reset statement_timeout; select pg_advisory_unlock(${LOCK})`)
      .catch(() => {})
  }
}

/**
 * Polls instead of waiting: a session that waits inside pg_advisory_lock holds a snapshot, for
 * which another's `create index concurrently` would wait: a deadlock.
 */
async function lock(client: pg.ClientBase): Promise<void> {
  for (const end = Date.now() + LONGEST_LOCK_WAIT_MS; Date.now() < end; await pause(LOCK_POLL_MS)) {
    const result = await client.query<{ got: boolean }>(
      `select pg_try_advisory_lock(${LOCK}) as got`,
    )
    if (result.rows[0]?.got) return
  }
  throw new StartError(
    'another process has been migrating the database for five minutes: see to it',
  )
}

/** The table of a database from before D-663 has no such column. */
async function recordNeeds(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(
    `select from pg_attribute where attrelid = 'schema_migrations'::regclass
      and attname = 'needs_program' and not attisdropped`,
  )
  if (rows.length > 0) return
  await inTransaction(client, () =>
    client.query('alter table schema_migrations add column needs_program text'),
  )
}

/** The missing migrations, and whether a newer program has applied others. */
async function compare(client: pg.ClientBase, migrations: Migration[]) {
  const { rows } = await client.query<Applied>(APPLIED)
  const applied = new Map(rows.map(({ name, sha256 }) => [name, sha256]))
  const names = migrations.map(({ name }) => name)
  assertKnown(rows, names)
  const last = rows.at(-1)?.name ?? ''
  for (const { name, sha256 } of migrations) {
    if (applied.has(name) && applied.get(name) !== sha256) {
      throw new StartError(
        `${name} was edited after this database had applied it: restore the file, and put the ` +
          'change into a new migration',
      )
    }
    if (!applied.has(name) && name < last) {
      throw new StartError(`${name} comes before ${last}, which is applied: give it a later number`)
    }
  }
  return {
    missing: migrations.filter(({ name }) => !applied.has(name)),
    isNewer: last > (names.at(-1) ?? ''),
  }
}

/**
 * An unknown migration after all known ones is of a newer program, beside which this one works if
 * it leaves the objects that this one needs (D-663). One between them is of a program from before
 * the first release, whose database cannot be taken over, or of a newer one that has a slice more
 * (D-375).
 */
function assertKnown(applied: readonly Applied[], names: readonly string[]): void {
  const last = names.at(-1) ?? ''
  const removed = applied.find(({ name }) => name < last && !names.includes(name))
  if (removed !== undefined) {
    throw new StartError(
      `the database was made by another program, which has the migration ${removed.name}: start ` +
        'that program if it is a newer one; if it is from before the first release, its schema ' +
        'cannot be brought to this version, so start with a new database (DATABASE_URL) or a new ' +
        'data folder (DATA_DIR)',
    )
  }
  const unsuitable = findUnsuitable(applied, names)
  if (unsuitable === undefined) return
  throw new StartError(
    `the database is newer than this program, which does not know ${unsuitable} and cannot work ` +
      'beside it: start the newer program, or restore the backup from before its first start',
  )
}

/** The first unknown migration that needs a newer program than that of `names`. */
function findUnsuitable(applied: readonly Applied[], names: readonly string[]): string | undefined {
  const newest = numberOf(names.at(-1) ?? '')
  return applied.find(
    ({ name, needs_program }) =>
      !names.includes(name) && (needs_program === null || needs_program > newest),
  )?.name
}

async function apply(client: pg.ClientBase, migration: Migration): Promise<void> {
  try {
    if (await areSpread(client)) await applyToCluster(client, migration)
    else if (migration.bare) await applyBare(client, migration, bareStatementsOf(migration.text))
    else await applyWhole(client, migration)
  } catch (error) {
    throw new StartError(
      `the migration ${migration.name} failed, and nothing after it was tried ` +
        `(${lineOf(error)}): mend that and start again, which goes on from there`,
      { cause: error },
    )
  }
}

const bareStatementsOf = (text: string): string[] => text.split(/;[ \t]*(?:\n|$)/)

async function applyBare(
  client: pg.ClientBase,
  migration: Migration,
  statements: readonly string[],
): Promise<void> {
  for (const statement of statements) await outsideTransaction(client, statement)
  await record(client, migration)
}

const applyWhole = (client: pg.ClientBase, migration: Migration): Promise<void> =>
  inTransaction(client, async () => {
    await change(client, migration.text)
    await record(client, migration)
  })

/** Tables that it makes are spread as their keys declare (D-685), before any row is written. */
async function applyToCluster(client: pg.ClientBase, migration: Migration): Promise<void> {
  const before = await listLocal(client)
  if (migration.bare) {
    await applyBare(client, migration, statementsOf(migration.text))
    await spreadNew(client, before)
    return
  }
  await inTransaction(client, async () => {
    // Citus refuses what follows a change that it has made on several connections to a node.
    await client.query("set local citus.multi_shard_modify_mode = 'sequential'")
    for (const statement of statementsOf(migration.text)) await change(client, statement)
    await spreadNew(client, before)
    await record(client, migration)
  })
}

async function record(client: pg.ClientBase, migration: Migration): Promise<void> {
  const { name, sha256, needs_program } = migration
  await client.query(
    `insert into schema_migrations (name, sha256, applied, needs_program)
    values ($1, $2, $3, $4)`,
    [name, sha256, new Date(), needs_program],
  )
}
