/**
 * The properties that the program rests on, tried at the start (D-646): that transactions see and
 * write the rows of the tenant that they state and no others, and that a group of statements is
 * kept as a whole or not at all. A server, a pooler or a cluster that does otherwise shows no error
 * by itself.
 */

import { type RawBuilder, sql } from 'kysely'
import { Write } from '#kit/db/write.ts'
import { codeOf, hasCode, StartError } from '#kit/start_error.ts'
import { newId } from '#lib/id.ts'
import type { Db, Entry } from '../database.ts'
import { askEach } from '../each_node.ts'
import { ofReached } from '../reached.ts'
import { stating } from './tenants_seen.ts'

/** A table of the kit that needs no value but the tenant. */
const TABLE = 'feeds'
const REFUSED = '42501'

/**
 * Throws a StartError with the first fault. Its writes are rolled back. A node that does not answer
 * is left out, and so are its tenants.
 */
export async function assertIsolation(
  entries: readonly Pick<Entry, 'name' | 'db'>[],
  table = TABLE,
): Promise<void> {
  const { answers, away } = await askEach(entries, ({ db }) => hasTable(db, table))
  const [first] = entries
  if (!first) return
  const among = await first.db.listReached(away)
  // A node that was just added has no tables yet.
  const having = new Set(answers.flatMap(({ name, result }) => (result ? [name] : [])))
  for (const { name, db } of entries.filter((one) => having.has(one.name))) {
    const trial = { db, table, among, newId: () => newIdOf(first.db, away) }
    const fault = (await findFaultOfRows(trial)) ?? (await findFaultOfGroups(trial))
    if (fault === undefined) continue
    throw new StartError(
      `${name} does not keep tenants or transactions apart: ${fault}. Let the program connect ` +
        'to PostgreSQL or Citus itself or by a pooler of transactions, as an ordinary role',
    )
  }
}

async function hasTable(db: Db, table: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select to_regclass(${table}) is not null as has`.execute(db)
  return rows[0]?.has ?? false
}

type Trial = {
  db: Db
  table: string
  /** The tenants whose rows can be read; undefined if all can be. */
  among: readonly string[] | undefined
  newId: () => Promise<string>
}

/** The id of a tenant that nobody has, and that would be at a node that answers. */
async function newIdOf(db: Db, away: readonly string[]): Promise<string> {
  for (;;) {
    const id = newId()
    if (away.length === 0 || !away.includes((await db.nodeOf(id)) ?? '')) return id
  }
}

/** Both are tried on rows that are certainly there, of tenants that nobody has. */
async function findFaultOfRows({ db, table, among, newId }: Trial): Promise<string | undefined> {
  if ((await count(db, table, among)) > 0) return UNSTATED
  const [mine, other] = [await newId(), await newId()]
  const both = among && [mine, other]
  const tried = new Tried()
  try {
    await db.forTenant(mine).runTransaction(async (tx) => {
      await insert(tx, table, mine)
      if ((await count(tx, table, both)) !== 1) throw tried.found(STATED)
      await state(tx, null)
      if ((await count(tx, table, both)) > 0) throw tried.found(UNSTATED)
      await state(tx, mine)
      if (!(await isRefused(insert(tx, table, other)))) throw tried.found(FOREIGN)
      throw tried
    })
  } catch (error) {
    if (error !== tried) return faultOfRefusal(error)
  }
  return tried.fault
}

async function findFaultOfGroups({ db, table, among, newId }: Trial): Promise<string | undefined> {
  const mine = await newId()
  const own_rows = among && [mine]
  const own = db.forTenant(mine)
  const line = await own.openLine()
  try {
    const failing = line.send((on) =>
      Write.of(on, inserting(table, mine), sql`select 1 / 0`, counting(table, own_rows)),
    )
    if (!(await failing.then(() => false, isDivision))) return GROUP
  } finally {
    line.release()
  }
  if ((await count(own, table, own_rows)) === 0) return undefined
  await sql`delete from ${sql.table(table)} where tenant_id = ${mine}`.execute(own)
  return GROUP
}

const UNSTATED = 'rows are seen where no tenant is stated'
const STATED = 'rows of the tenant that a transaction states are not seen or written'
const FOREIGN = 'a row of another tenant can be written'
const GROUP = 'statements that were sent with one that fails are kept'

/** Ends the transaction of the trial. */
class Tried extends Error {
  fault: string | undefined
  found(fault: string): this {
    this.fault = fault
    return this
  }
}

const inserting = (table: string, tenant_id: string) =>
  sql`insert into ${sql.table(table)} (tenant_id) values (${tenant_id})`
const insert = (db: Db, table: string, tenant_id: string) => run(db, inserting(table, tenant_id))

type Among = readonly string[] | undefined

/** The count of visible rows, of these tenants alone where some are named. */
const counting = (table: string, among: Among) => sql<{ seen: number }>`
  select count(*)::int as seen from ${sql.table(table)}${ofReached('where', 'tenant_id', among)}`
async function count(db: Db, table: string, among: Among): Promise<number> {
  const { rows } = await counting(table, among).execute(db)
  return rows[0]?.seen ?? Number.NaN
}

const state = (db: Db, tenant_id: string | null) => run(db, sql.raw(stating(tenant_id)))

async function run(db: Db, statement: RawBuilder<unknown>): Promise<void> {
  await statement.execute(db)
}

async function isRefused(writing: Promise<unknown>): Promise<boolean> {
  try {
    await writing
    return false
  } catch (error) {
    if (codeOf(error) === REFUSED) return true
    throw error
  }
}

function faultOfRefusal(error: unknown): string {
  if (hasCode(error, REFUSED)) return STATED
  throw error
}

function isDivision(error: unknown): true {
  if (hasCode(error, '22012')) return true
  throw error
}
