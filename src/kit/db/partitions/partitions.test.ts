/** Partitions by month, on a table of the test's own. */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { firstIdAt, newId } from '#lib/id.ts'
import { isSpread, spreadTable } from '#test/support/cluster/forms.ts'
import { createTestDatabase, onServer } from '#test/support/processes/server.ts'
import { openDatabase } from '../database.ts'
import type { Partitioned } from './partition_months.ts'
import { dropLeaves, isComplete, makeLeaves } from './partitions.ts'

const DAYS = 60
/** A statement that waited for a lock would take far longer than this. */
/** A statement behind the drop would wait until the session ends, which is after this is asked. */
const PROMPT_MS = 10_000
const TENANT = newId()
/** The suffix that Citus adds to the name of a table for that of a shard. */
const SHARD = /_\d{6,}$/

const database = await createTestDatabase()
const isCluster = await isSpread(database.url)
const { db, pool, close } = openDatabase(database.url, 12)
after(async () => {
  await close()
  await database.drop()
})

let tables = 0

/** A new partitioned table, whose leaves were made in `first`. */
async function openTable(first: string, more: Partial<Partitioned> = {}): Promise<Partitioned> {
  tables += 1
  const table = `notes${tables}`
  const made = { table, by: 'id', begins: 1, unique: ['(tenant_id, word)'], ...more } as const
  await sql
    .raw(
      `create table ${table} (tenant_id uuid not null, id uuid not null,
       word text not null check (word <> ''), created timestamptz default now() not null,
       primary key (tenant_id, id)) partition by range (id)`,
    )
    .execute(db)
  await spreadTable(database.url, table)
  await makeLeaves(db, [made], new Date(first))
  return made
}

const at = (instant: string) => Date.parse(instant)
const idAt = (milliseconds: number) =>
  `${firstIdAt(milliseconds).slice(0, 14)}7${newId().slice(15)}`

const add = ({ table }: Partitioned, id: string, word: string) =>
  sql`insert into ${sql.table(table)} (tenant_id, id, word) values (${TENANT}, ${id}, ${word})`.execute(
    db,
  )

async function leafOf({ table }: Partitioned, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ leaf: string }>`
    select tableoid::regclass::text as leaf from ${sql.table(table)}
    where tenant_id = ${TENANT} and id = ${id}`.execute(db)
  return rows[0]?.leaf.replace(SHARD, '')
}

async function leavesOf({ table }: Partitioned): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'r'
      and relname ~ ${`^${table}_`} order by 1`.execute(db)
  return rows.map(({ name }) => name.slice(table.length + 1))
}

/** Another session, in a transaction; the statement has run when this resolves. */
async function openSession(statement: string): Promise<pg.Client> {
  const client = new pg.Client(database.url)
  await client.connect()
  await client.query('begin isolation level repeatable read')
  await client.query(statement)
  return client
}

test('leaves exist for the current month and three more, and go on with the clock', async () => {
  const table = await openTable('2026-01-31T23:59:59.999Z')
  assert.deepEqual(await leavesOf(table), ['2026_01', '2026_02', '2026_03', '2026_04'])
  assert.deepEqual(await makeLeaves(db, [table], new Date('2026-01-01')), [])
  const more = await makeLeaves(db, [table], new Date('2026-03-01T00:00:00Z'))
  assert.deepEqual(more, [`${table.table}_2026_05`, `${table.table}_2026_06`])
  await makeLeaves(db, [table], new Date('2026-12-24'))
  assert.equal((await leavesOf(table)).at(-1), '2027_03')
  assert.equal((await leavesOf(table)).length, 15, 'without a gap')
})

test('each row is in the leaf of its month, and one with an old id in the first', async () => {
  const table = await openTable('2026-01-10')
  const rows: [id: string, leaf: string][] = [
    ['00000000-0000-7000-8000-000000000001', '2026_01'],
    [idAt(at('2026-01-31T23:59:59.999Z')), '2026_01'],
    [firstIdAt(at('2026-02-01T00:00:00.000Z')), '2026_02'],
    [idAt(at('2026-02-28T23:59:59.999Z')), '2026_02'],
    [idAt(at('2026-03-01T00:00:00.000Z')), '2026_03'],
  ]
  for (const [id, leaf] of rows) {
    await add(table, id, id)
    assert.equal(await leafOf(table, id), `${table.table}_${leaf}`)
  }
  await assert.rejects(add(table, idAt(at('2026-05-01')), 'late'), /no partition/)
})

test('a leaf has the constraints of its table and unique indexes of its own', async () => {
  const storage = 'fillfactor = 90'
  const table = await openTable('2026-01-10', { storage })
  const [one, other] = [idAt(at('2026-01-20')), idAt(at('2026-01-20'))]
  await add(table, one, 'same')
  await assert.rejects(add(table, other, 'same'), { code: '23505' })
  await assert.rejects(add(table, one, 'other'), { code: '23505' })
  await assert.rejects(add(table, other, ''), { code: '23514' })
  await add(table, idAt(at('2026-02-20')), 'same')
  const { rows } = await sql<{ options: string[] }>`
    select distinct reloptions as options from pg_class where relkind = 'r'
      and relname ~ ${`^${table.table}_`}`.execute(db)
  assert.deepEqual(rows, [{ options: ['fillfactor=90'] }])
})

test('two processes that make leaves at once make each once', async () => {
  const table = await openTable('2026-01-10')
  const other = openDatabase(database.url, 4)
  const now = new Date('2026-09-10')
  await Promise.all([db, db, other.db, other.db].map((one) => makeLeaves(one, [table], now)))
  await other.close()
  assert.equal((await leavesOf(table)).length, 12)
})

test('leaves past their retention are dropped, the first one too, and no younger ones', async () => {
  const table = await openTable('2026-01-10')
  const old = idAt(at('2026-01-20'))
  const young = idAt(at('2026-02-01'))
  await add(table, old, 'old')
  await add(table, young, 'young')
  const drop = (now: string) => dropLeaves(db, table, DAYS, new Date(now))
  assert.deepEqual(await drop('2026-04-01T23:59:59.999Z'), [])
  assert.equal(await isComplete(db, table.table), true)
  // Sixty days after the end of January.
  assert.deepEqual(await drop('2026-04-02T00:00:00.000Z'), [`${table.table}_2026_01`])
  assert.equal(await isComplete(db, table.table), false)
  assert.deepEqual(await leavesOf(table), ['2026_02', '2026_03', '2026_04'])
  assert.equal(await leafOf(table, old), undefined)
  assert.equal(await leafOf(table, young), `${table.table}_2026_02`)
})

test('a leaf with open rows is kept until they are closed', async () => {
  const table = await openTable('2026-01-10', { open: `word like 'open%'` })
  await add(table, idAt(at('2026-01-20')), 'open')
  const drop = () => dropLeaves(db, table, DAYS, new Date('2026-06-01'))
  const names = (...months: string[]) => months.map((month) => `${table.table}_2026_${month}`)
  assert.deepEqual(await drop(), names('02', '03'))
  await sql`update ${sql.table(table.table)} set word = 'closed'`.execute(db)
  assert.deepEqual(await drop(), names('01'))
})

test('a session that holds the table delays the drop, and nobody waits behind it', async () => {
  const table = await openTable('2026-01-10')
  const session = await openSession(`select from ${table.table}`)
  const dropping = dropLeaves(db, table, DAYS, new Date('2026-04-10'))
  let longest = 0
  for (let turn = 0; turn < 200; turn++) {
    const since = performance.now()
    const id = idAt(at('2026-03-10'))
    await add(table, id, id)
    assert.equal(await leafOf(table, id), `${table.table}_2026_03`)
    longest = Math.max(longest, performance.now() - since)
  }
  assert.ok(longest < PROMPT_MS, `${longest} ms`)
  assert.equal((await leavesOf(table)).length, 4, 'the session may still read it')
  await session.query('commit')
  await session.end()
  assert.deepEqual(await dropping, [`${table.table}_2026_01`])
})

test('two processes that drop at once drop each leaf once', async () => {
  const table = await openTable('2026-01-10')
  await makeLeaves(db, [table], new Date('2026-08-10'))
  const other = openDatabase(database.url, 4)
  const now = new Date('2026-08-10')
  await Promise.all([db, other.db].map((one) => dropLeaves(one, table, DAYS, now)))
  await other.close()
  assert.deepEqual((await leavesOf(table))[0], '2026_06')
})

/** Citus detaches nothing concurrently, so that nothing can be half detached there. */
const onOneServer = { skip: isCluster && 'a detach is whole on a cluster' }
test(
  'a detach that was interrupted is finished, and a leaf left detached is dropped',
  onOneServer,
  async () => {
    const table = await openTable('2026-01-10')
    const session = await openSession(`select from ${table.table}`)
    const name = `${table.table}_2026_01`
    await onServer(database.url, async (client) => {
      await client.query("set lock_timeout = '20ms'")
      const detach = `alter table ${table.table} detach partition ${name} concurrently`
      await assert.rejects(client.query(detach), { code: '55P03' })
    })
    await session.query('commit')
    await session.end()
    const next = `${table.table}_2026_02`
    const drop = () => dropLeaves(db, table, DAYS, new Date('2026-05-10'))
    assert.deepEqual(await drop(), [name, next])

    await pool.query(`alter table ${table.table} detach partition ${table.table}_2026_03`)
    assert.deepEqual(await drop(), [], 'it is young')
    const later = await dropLeaves(db, table, DAYS, new Date('2026-05-31'))
    assert.deepEqual(later, [`${table.table}_2026_03`])
  },
)

test('a table that is not partitioned, or that does not exist, is left as it is', async () => {
  const now = new Date()
  for (const table of ['holds', 'nothing']) {
    const named: Partitioned = { table, by: 'id', begins: 1, unique: [] }
    assert.deepEqual(await makeLeaves(db, [named], now), [])
    assert.deepEqual(await dropLeaves(db, named, 0, now), [])
    assert.equal(await isComplete(db, table), true)
  }
})
