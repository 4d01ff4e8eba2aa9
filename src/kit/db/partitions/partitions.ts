/**
 * Partitions by month (D-398): leaves are made ahead of their month and dropped as a whole past
 * their retention. Any number of processes may do so at once. No statement here takes a lock on a
 * parent that reads or writes of rows wait for, and none waits for a lock longer than LOCK_MS.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { readClock } from '#kit/clock.ts'
import { codeOf } from '#kit/start_error.ts'
import type { Db } from '../database.ts'
import { securing } from '../security/row_security.ts'
import type { Database } from '../tables.ts'
import {
  boundOf,
  leafIndex,
  leafName,
  missingMonths,
  monthOfName,
  type Partitioned,
  startOf,
} from './partition_months.ts'

const DAY_MS = 86_400_000
/** Statements behind a lock that waits here are delayed by as long: below 50 ms. */
const LOCK_MS = 40
const ATTEMPTS = 60
const RETRY_MS = 250

/**
 * `attached`: rows go there. `pending`: an interrupted detach has left it. `detached`: it is to be
 * dropped.
 */
type Known = { name: string; month: number; state: 'attached' | 'pending' | 'detached' }

type Runner = Kysely<Database>

/**
 * Makes the leaves of the current month and of MONTHS_AHEAD more by the database's clock. The
 * first leaf of a table begins at the least value, so that rows with old ids have a place.
 * Returns the names of those that were missing.
 */
export async function makeLeaves(
  db: Db,
  tables: readonly Partitioned[],
  now?: Date,
): Promise<string[]> {
  const instant = now ?? (await readClock(db))
  const made: string[] = []
  for (const table of tables) {
    if (!(await isPartitioned(db, table))) continue
    const missing = async () => missingMonths(table, await attachedMonths(db, table), instant)
    for (const month of await missing()) {
      await tryAgain(
        () => makeLeaf(db, table, month),
        async () => !(await missing()).includes(month),
      )
      made.push(leafName(table, month))
    }
  }
  return made
}

/**
 * Drops the leaves whose newest possible row is older than `days` of real time. Each is detached
 * first, which waits for the transactions that use it but blocks none. A leaf that an interrupted
 * run has left is finished. Returns the names of those that it dropped.
 */
export async function dropLeaves(
  db: Db,
  table: Partitioned,
  days: number,
  now?: Date,
): Promise<string[]> {
  if (!(await isPartitioned(db, table))) return []
  const before = (now ?? (await readClock(db))).getTime() - days * DAY_MS
  const dropped: string[] = []
  const drop = (await db.isSpread()) ? dropLeafOfCluster : dropLeaf
  for (const leaf of await listLeaves(db, table)) {
    const isOld = startOf(table, leaf.month + 1).getTime() <= before
    if (leaf.state !== 'pending' && !isOld) continue
    if (isOld && (await hasOpenRows(db, table, leaf.name))) continue
    await tryAgain(
      () => drop(db, table, leaf.name),
      async () => (await listLeaves(db, table)).every(({ name }) => name !== leaf.name),
    )
    dropped.push(leaf.name)
  }
  return dropped
}

/** Whether no leaf of the table was ever dropped, so that it still has all of its rows. */
export async function isComplete(db: Db, table: string): Promise<boolean> {
  const { rows } = await sql<{ complete: boolean }>`
    select not exists (select from pg_inherits where inhparent = to_regclass(${table})) or exists (
      select from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = to_regclass(${table}) and not i.inhdetachpending
        and pg_get_expr(c.relpartbound, c.oid) like '%(MINVALUE)%') as complete`.execute(db)
  return rows[0]?.complete ?? false
}

async function isPartitioned(db: Runner, { table }: Partitioned): Promise<boolean> {
  const { rows } = await sql`
    select from pg_class where oid = to_regclass(${table}) and relkind = 'p'`.execute(db)
  return rows.length > 0
}

/** Oldest first; tables of other names are not this program's. */
async function listLeaves(db: Runner, table: Partitioned): Promise<Known[]> {
  const { rows } = await sql<Omit<Known, 'month'>>`
    select c.relname as name, case when i.inhrelid is null then 'detached'
      when i.inhdetachpending then 'pending' else 'attached' end as state
    from pg_class p
    join pg_class c on c.relnamespace = p.relnamespace and c.relkind = 'r'
      and starts_with(c.relname, ${`${table.table}_`})
    left join pg_inherits i on i.inhrelid = c.oid and i.inhparent = p.oid
    where p.oid = to_regclass(${table.table}) order by c.relname`.execute(db)
  return rows.flatMap((row) => {
    const month = monthOfName(table, row.name)
    return month === undefined ? [] : [{ ...row, month }]
  })
}

async function attachedMonths(db: Runner, table: Partitioned): Promise<number[]> {
  const leaves = await listLeaves(db, table)
  return leaves.filter(({ state }) => state === 'attached').map(({ month }) => month)
}

/**
 * The leaf is made as a table of its own and then attached: `create table … partition of` would
 * lock the parent against every read. It is empty, so that the attachment reads nothing.
 */
async function makeLeaf(db: Db, table: Partitioned, month: number): Promise<void> {
  const leaf = leafName(table, month)
  await db.runTransaction(async (tx) => {
    const isFirst = (await attachedMonths(tx, table)).length === 0
    const from = isFirst ? 'minvalue' : boundOf(table, month)
    const security = await findRowSecurity(tx, table)
    const storage = table.storage === undefined ? '' : ` with (${table.storage})`
    await run(tx, `set local lock_timeout = ${LOCK_MS}`)
    await run(tx, `create table ${leaf} (like ${table.table} including all)${storage}`)
    // A partition that is named itself has its own policies, not those of its table.
    if (security) await runAll(tx, securing(leaf, security.forced))
    for (const [at, index] of table.unique.entries()) {
      await run(tx, `create unique index ${leaf}_unique_${at + 1} on ${leaf} ${index}`)
    }
    for (const [at, index] of (table.indexes ?? []).entries()) {
      await run(tx, `create index ${leafIndex(leaf, at)} on ${leaf} ${index}`)
    }
    if (table.isFoundByUnique) await run(tx, identifying(leaf))
    const to = boundOf(table, month + 1)
    const bounds = `for values from (${from}) to (${to})`
    await run(tx, `alter table ${table.table} attach partition ${leaf} ${bounds}`)
  })
}

const identifying = (leaf: string): string =>
  `alter table ${leaf} replica identity using index ${leaf}_unique_1`

/** Gives the leaves of earlier versions what those have that are made now. */
export async function identifyRows(db: Db, tables: readonly Partitioned[]): Promise<void> {
  for (const table of tables.filter(({ isFoundByUnique }) => isFoundByUnique)) {
    for (const { name } of await listLeaves(db, table)) await run(db, identifying(name))
  }
}

/** Citus detaches no leaf concurrently: reads and writes of the table wait for this one. */
async function dropLeafOfCluster(db: Db, table: Partitioned, name: string): Promise<void> {
  await db.runTransaction(async (tx) => {
    await run(tx, `set local lock_timeout = ${LOCK_MS}`)
    const leaf = (await listLeaves(tx, table)).find((one) => one.name === name)
    if (leaf === undefined) return
    if (leaf.state !== 'detached') {
      await run(tx, `alter table ${table.table} detach partition ${name}`)
    }
    await run(tx, `drop table ${name}`)
  })
}

/**
 * Goes on from the end of an earlier run. A concurrent detach cannot be part of a transaction, so
 * the limit of its waits is one of the session.
 */
async function dropLeaf(db: Db, table: Partitioned, name: string): Promise<void> {
  await db.connection().execute(async (session) => {
    await run(session, `set lock_timeout = ${LOCK_MS}`)
    try {
      const leaf = (await listLeaves(session, table)).find((one) => one.name === name)
      if (leaf === undefined) return
      if (leaf.state !== 'detached') {
        const way = leaf.state === 'pending' ? 'finalize' : 'concurrently'
        await run(session, `alter table ${table.table} detach partition ${name} ${way}`)
      }
      await run(session, `drop table ${name}`)
    } finally {
      await run(session, 'reset lock_timeout')
    }
  })
}

async function findRowSecurity(db: Runner, { table }: Partitioned) {
  const { rows } = await sql<{ forced: boolean }>`
    select relforcerowsecurity as forced from pg_class
    where oid = to_regclass(${table}) and relrowsecurity`.execute(db)
  return rows[0]
}

async function hasOpenRows(db: Runner, { open }: Partitioned, name: string): Promise<boolean> {
  if (open === undefined) return false
  const { rows } = await run(db, `select from ${name} where ${open} limit 1`)
  return rows.length > 0
}

/** `text` is made of the constants of a table and of numbers, never of text from outside. */
const run = (db: Runner, text: string) => sql.raw(text).execute(db)

async function runAll(db: Runner, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await run(db, statement)
}

/** The codes of a lock over its time, and of failures because another process has done the same. */
const PASSING = new Set(['55P03', '57014', '40P01', '42P07', '42P17', '23505', '42P01', '55000'])

/** Repeats `work` until `isDone`, for ATTEMPTS times; then its last error is thrown. */
async function tryAgain(work: () => Promise<void>, isDone: () => Promise<boolean>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (await isDone()) return
      const code = codeOf(error) ?? codeOf(error instanceof Error ? error.cause : undefined) ?? ''
      if (!PASSING.has(code) || attempt === ATTEMPTS) throw error
    }
    await pause(RETRY_MS)
  }
}
