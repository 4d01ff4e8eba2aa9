import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from '#test/support/processes/server.ts'
import { until } from '#test/support/services/receiver.ts'
import { change, inTransaction, outsideTransaction } from './ddl.ts'

/** The bounds of the program's connections, made short. */
const BOUNDS = { lock_timeout: 200, query_timeout: 1_000 }
const SLOW = 'select pg_sleep(1.5)'

let database: TestDatabase
let pool: pg.Pool
let observers: pg.Pool
before(async () => {
  database = await createTestDatabase()
  pool = new pg.Pool({ connectionString: database.url, ...BOUNDS })
  observers = new pg.Pool({ connectionString: database.url })
  await observers.query('create table large (id int)')
})
after(async () => {
  await Promise.all([pool.end(), observers.end()])
  await database.drop()
})

async function withClient<Result>(
  of: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await of.connect()
  try {
    return await work(client)
  } finally {
    // Its session may have failed.
    client.release(true)
  }
}

/** A report has read the table and goes on; it ends once `holds`. */
async function besideReader(holds: () => Promise<boolean>, work: () => Promise<unknown>) {
  const { begun: working } = await withClient(observers, async (reader) => {
    await reader.query('begin isolation level repeatable read')
    await reader.query('select from large')
    const begun = work()
    begun.catch(() => {})
    await until('the change waits for the report', holds)
    return { begun }
  })
  await working
}

/** The times that statements have waited for a lock, in milliseconds. */
async function waitsOf(text: string): Promise<number[]> {
  const { rows } = await observers.query<{ ms: number }>(
    `select extract(epoch from clock_timestamp() - query_start)::float8 * 1000 as ms
    from pg_stat_activity where wait_event_type = 'Lock' and query = $1
      and datname = current_database()`,
    [text],
  )
  return rows.map(({ ms }) => ms)
}

test('a change may take longer than a request', async () => {
  const request = withClient(pool, (client) => client.query(SLOW))
  await assert.rejects(request, /Query read timeout/)
  await withClient(pool, (client) => change(client, SLOW))
  await withClient(pool, (client) => inTransaction(client, () => change(client, SLOW)))
})

test('what runs concurrently waits for those who read, beyond the bound of requests', async () => {
  const index = 'create index concurrently large_by_id on large (id)'
  const isLong = async () => (await waitsOf(index)).some((ms) => ms > 2 * BOUNDS.lock_timeout)
  await besideReader(isLong, () => withClient(pool, (client) => outsideTransaction(client, index)))
  const valid = `select indisvalid from pg_index where indexrelid = 'large_by_id'::regclass`
  assert.deepEqual((await observers.query(valid)).rows, [{ indisvalid: true }])
})

for (const [where, run] of [
  [
    'in a transaction',
    (client: pg.ClientBase, text: string) => inTransaction(client, () => change(client, text)),
  ],
  ['outside a transaction', outsideTransaction],
] as const) {
  test(`what locks a table ${where} waits again and again, and others pass`, async () => {
    const text = `alter table large add column "${where}" int`
    let waits = 0
    let isWaiting = false
    const isRepeated = async () => {
      const was = isWaiting
      isWaiting = (await waitsOf(text)).length > 0
      if (isWaiting && !was) waits += 1
      return waits > 2
    }
    await besideReader(isRepeated, () => withClient(pool, (client) => run(client, text)))
    const column = 'select from pg_attribute where attrelid = $1::regclass and attname = $2'
    assert.equal((await observers.query(column, ['large', where])).rows.length, 1)
  })
}
