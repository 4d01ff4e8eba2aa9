import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { createTestDatabase } from '#test/support/processes/server.ts'
import { type Db, openDatabase } from '../database.ts'

const database = await createTestDatabase()
const { db, close } = openDatabase(database.url, 4)
after(async () => {
  await close()
  await database.drop()
})

const rowsOf = async (query: RawBuilder<unknown>, on: Db) => (await query.execute(on)).rows
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: Error) => error.message,
  )

test('each statement of a group gets its own rows, at its first use and later', async () => {
  const instant = new Date('2026-01-31T12:00:00.123Z')
  const ask = (on: Db) =>
    Promise.all([
      rowsOf(sql`select ${instant}::timestamptz as at, ${'2026-01-31'}::date as day`, on),
      rowsOf(sql`select ${2n ** 60n}::int8 as large, ${null}::text as none, ${'ü"\\'} as text`, on),
      rowsOf(sql`select where false`, on),
      rowsOf(sql`select ${Buffer.of(0, 255)}::bytea as bytes, ${['a', 'b,"']}::text[] as list`, on),
      rowsOf(sql`select ${{ a: [1] }}::jsonb as json, n from generate_series(1, 3) n`, on),
    ])
  const expected = [
    [{ at: instant, day: '2026-01-31' }],
    [{ large: 2n ** 60n, none: null, text: 'ü"\\' }],
    [],
    [{ bytes: Buffer.of(0, 255), list: ['a', 'b,"'] }],
    [1, 2, 3].map((n) => ({ json: { a: [1] }, n })),
  ]
  await db.runSession(async (on) => {
    for (let time = 0; time < 3; time++) assert.deepEqual(await ask(on), expected)
  })
  assert.deepEqual(await db.runTransaction(ask), expected)
})

test('where a statement fails those behind it do, and all of them can be asked again', async () => {
  const ask = (on: Db, divisor: number) =>
    Promise.all([
      failureOf(rowsOf(sql`select 'before' as one`, on)),
      failureOf(rowsOf(sql`select 6 / ${divisor}::int as two`, on)),
      failureOf(rowsOf(sql`select 'behind' as three`, on)),
    ])
  await db.runSession(async (on) => {
    const failed = [undefined, 'division by zero', 'division by zero']
    assert.deepEqual(await ask(on, 0), failed, 'before they are prepared')
    assert.deepEqual(await ask(on, 1), [undefined, undefined, undefined])
    assert.deepEqual(await ask(on, 0), failed, 'as prepared statements')
    assert.deepEqual(await ask(on, 2), [undefined, undefined, undefined])
  })
})

test('a statement whose columns have changed works again after one failure', async () => {
  await sql`create table changing (a int)`.execute(db)
  await db.runSession(async (on) => {
    const read = () => rowsOf(sql`select * from changing`, on)
    await read()
    await sql`alter table changing add column b text default 'b'`.execute(db)
    await sql`insert into changing values (1)`.execute(db)
    assert.match((await failureOf(read())) ?? '', /cached plan/)
    assert.deepEqual(await read(), [{ a: 1, b: 'b' }])
  })
})

describe('a column that is added under prepared statements fails no', () => {
  const CONNECTIONS = 4
  const ways: readonly [name: string, ask: (work: (on: Db) => Promise<unknown>) => unknown][] = [
    ['statement by itself', (work) => work(db)],
    ['transaction', (work) => db.runTransaction(work)],
    ['session', (work) => db.runSession(work)],
  ]
  for (const [at, [name, ask]] of ways.entries()) {
    test(name, async () => {
      const table = sql.table(`growing_${at}`)
      await sql`create table ${table} (a int)`.execute(db)
      await sql`insert into ${table} values (1)`.execute(db)
      const read = async (on: Db) => [
        await rowsOf(sql`select * from ${table}`, on),
        await rowsOf(sql`select g.*, 2 as c from ${table} g`, on),
      ]
      const everywhere = (one: () => unknown) =>
        Promise.all(Array.from({ length: CONNECTIONS }, async () => one()))
      const before = [[{ a: 1 }], [{ a: 1, c: 2 }]]
      const prepared = await everywhere(() => db.runTransaction(read))
      assert.deepEqual(prepared, Array(CONNECTIONS).fill(before))
      await everywhere(() => ask(read))
      await sql`alter table ${table} add column b text default 'b'`.execute(db)
      const behind = [[{ a: 1, b: 'b' }], [{ a: 1, b: 'b', c: 2 }]]
      assert.deepEqual(await everywhere(() => ask(read)), Array(CONNECTIONS).fill(behind))
    })
  }
})

test('a value that can not be sent fails its group and leaves the connection as it was', async () => {
  await db.runSession(async (on) => {
    const cyclic: Record<string, unknown> = {}
    cyclic['self'] = cyclic
    await assert.rejects(rowsOf(sql`select ${cyclic}::jsonb`, on), /circular/)
    assert.deepEqual(await rowsOf(sql`select 1 as one`, on), [{ one: 1 }])
  })
})

describe('what is started', () => {
  test('when its transaction fails is not run behind it', async () => {
    await sql`create table written (a int)`.execute(db)
    const fails = db.runTransaction(async (tx) => {
      await sql`insert into written values (1)`.execute(tx)
      sql`insert into written values (2)`.execute(tx).catch(() => {})
      throw new Error('the work failed')
    })
    await assert.rejects(fails, /the work failed/)
    assert.deepEqual(await rowsOf(sql`select * from written`, db), [])
  })

  test('after the end of its transaction or session fails', async () => {
    const [late, later] = [
      await db.runTransaction(async (tx) => tx),
      await db.runSession(async (on) => on),
    ]
    for (const ended of [late, later]) {
      await assert.rejects(rowsOf(sql`select 1`, ended), /after the end of its transaction/)
    }
  })
})
