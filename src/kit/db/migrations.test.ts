import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Embedded, startEmbedded } from '#embedded_postgres/embedded_postgres.ts'
import { StartError } from '#kit/start_error.ts'
import {
  assertClock,
  assertDurable,
  assertDurableSetting,
  assertServerVersion,
  clockSkew,
  migrate,
} from './migrations.ts'

const MODULE = new URL('./migrations.ts', import.meta.url).href
const data_dir = mkdtempSync(join(tmpdir(), 'bezant-migrations-'))
let server: Embedded
before(async () => {
  server = await startEmbedded({ data_dir, settings: { shared_buffers: '16MB' } })
})
after(async () => {
  await server.stop()
  rmSync(data_dir, { recursive: true })
})

const ONE = { '0001_one.sql': 'create table one (id int);\ninsert into one values (1);\n' }
const TWO = { '0002_two.sql': 'create table two (id int);\n' }

test('migrations are applied once, in order', async (t) => {
  const { pool } = await scratch(t)
  assert.deepEqual(await migrate(pool, folderOf(t, { ...TWO, ...ONE })), {
    applied: ['0001_one.sql', '0002_two.sql'],
  })
  assert.deepEqual(await migrate(pool, folderOf(t, { ...ONE, ...TWO })), { applied: [] })
  assert.deepEqual(await rowsOf(pool, 'select id from one'), [{ id: 1 }])
})

test('a released file that was edited is rejected, but for its ends of lines', async (t) => {
  const { pool } = await scratch(t)
  await migrate(pool, folderOf(t, ONE))
  const windows = { '0001_one.sql': ONE['0001_one.sql'].replaceAll('\n', '\r\n') }
  assert.deepEqual(await migrate(pool, folderOf(t, windows)), { applied: [] })
  const edited = folderOf(t, { '0001_one.sql': `${ONE['0001_one.sql']} ` })
  await assert.rejects(migrate(pool, edited), startError(/^0001_one\.sql was edited after/))
})

test('a database that is newer than the program is rejected', async (t) => {
  const { pool } = await scratch(t)
  await migrate(pool, folderOf(t, { ...ONE, ...TWO }))
  const older = migrate(pool, folderOf(t, ONE))
  await assert.rejects(older, startError(/newer than this program.* 0002_two\.sql/))
})

/** Needs no more than the program of ONE, and the program of ADDED. */
const ADDED = { '0002_two.sql': `-- migrate:needs-program 0001\n${TWO['0002_two.sql']}` }
const DROPPED = { '0003_three.sql': '-- migrate:needs-program 0002\ndrop table one;\n' }

test('an older program starts beside a newer one that leaves what it needs', async (t) => {
  const { pool } = await scratch(t)
  await migrate(pool, folderOf(t, { ...ONE, ...ADDED }))
  let finished = 0
  const finish = async () => {
    finished += 1
  }
  assert.deepEqual(await migrate(pool, folderOf(t, ONE), finish), { applied: [] })
  assert.equal(finished, 0, 'roles and policies are the newer program’s')
  const next = await migrate(pool, folderOf(t, { ...ONE, ...ADDED, ...DROPPED }), finish)
  assert.deepEqual([next, finished], [{ applied: ['0003_three.sql'] }, 1])
})

test('an older program is rejected where a newer migration takes away what it needs', async (t) => {
  const { pool } = await scratch(t)
  await migrate(pool, folderOf(t, { ...ONE, ...ADDED, ...DROPPED }))
  assert.deepEqual(await migrate(pool, folderOf(t, { ...ONE, ...ADDED })), { applied: [] })
  const tooOld = migrate(pool, folderOf(t, ONE))
  await assert.rejects(tooOld, startError(/newer than this program.* know 0003_three\.sql and/))
})

test('beside a newer program an edited, missing or reordered migration is rejected too', async (t) => {
  const { pool } = await scratch(t)
  await migrate(pool, folderOf(t, { ...ONE, ...ADDED, '0004_four.sql': 'select 4' }))
  const edited = folderOf(t, { '0001_one.sql': 'select 1' })
  await pool.query(`update schema_migrations set needs_program = '0001' where name > '0001'`)
  await assert.rejects(migrate(pool, edited), startError(/^0001_one\.sql was edited after/))
  const removed = folderOf(t, { ...ONE, '0003_three.sql': 'select 3' })
  await assert.rejects(migrate(pool, removed), startError(/has the migration 0002_two\.sql/))
  const late = folderOf(t, { ...ONE, ...ADDED, '0003_three.sql': 'select 3' })
  await assert.rejects(migrate(pool, late), startError(/^0003_three\.sql comes before 0004_four/))
})

test('a head that says nothing known, or names no earlier migration, is rejected', async (t) => {
  const { pool } = await scratch(t)
  for (const said of ['needs-program 0002', 'needs-program 0009', 'needs-program', 'no-transact']) {
    const wrong = { '0002_two.sql': `-- migrate:no-transaction\n-- migrate:${said}\nselect 1` }
    const expected = startError(new RegExp(`^0002_two\\.sql begins with "-- migrate:${said}"`))
    await assert.rejects(migrate(pool, folderOf(t, { ...ONE, ...wrong })), expected)
  }
  assert.deepEqual(await rowsOf(pool, `select to_regclass('one')::text as one`), [{ one: null }])
})

test('a head behind other lines is rejected: it would not be read', async (t) => {
  const { pool } = await scratch(t)
  const wrong = { '0002_two.sql': '-- A table.\n-- migrate:needs-program 0001\nselect 1' }
  const expected = startError(/^0002_two\.sql has a line "-- migrate:" behind others/)
  await assert.rejects(migrate(pool, folderOf(t, { ...ONE, ...wrong })), expected)
})

test('a database of a program that recorded no needs is taken over', async (t) => {
  const { pool } = await scratch(t)
  await migrate(pool, folderOf(t, ONE))
  await pool.query('alter table schema_migrations drop column needs_program')
  const next = await migrate(pool, folderOf(t, { ...ONE, ...ADDED }))
  assert.deepEqual(next, { applied: ['0002_two.sql'] })
  assert.deepEqual(await migrate(pool, folderOf(t, ONE)), { applied: [] })
})

test('a database with a migration that the program no longer has is rejected, unchanged', async (t) => {
  const { pool } = await scratch(t)
  await migrate(pool, folderOf(t, ONE))
  const replaced = { '0010_all.sql': 'create table one_again (id int)', ...TWO }
  const rejected = migrate(pool, folderOf(t, replaced))
  const expected =
    /has the migration 0001_one\.sql.*before the first release.*new database \(DATABASE_URL\).*new data folder \(DATA_DIR\)$/
  await assert.rejects(rejected, startError(expected))
  assert.deepEqual(await rowsOf(pool, 'select name from schema_migrations'), [
    { name: '0001_one.sql' },
  ])
})

test('a file that comes before an applied one is rejected', async (t) => {
  const { pool } = await scratch(t)
  await migrate(pool, folderOf(t, TWO))
  const late = migrate(pool, folderOf(t, { ...ONE, ...TWO }))
  await assert.rejects(late, startError(/^0001_one\.sql comes before 0002_two\.sql/))
})

test('files that are misnamed or share a number are rejected', async (t) => {
  const { pool } = await scratch(t)
  const misnamed = folderOf(t, { '1_one.sql': 'select 1' })
  await assert.rejects(migrate(pool, misnamed), startError(/not named as a migration/))
  const twice = folderOf(t, { ...ONE, '0001_other.sql': 'select 1' })
  await assert.rejects(migrate(pool, twice), startError(/have one number/))
  assert.deepEqual(await migrate(pool, folderOf(t, { 'schema.sql': 'wrong' })), { applied: [] })
})

test('a migration that fails leaves nothing behind and is named', async (t) => {
  const { pool } = await scratch(t)
  const broken = { '0002_broken.sql': 'create table half (id int); select wrong;' }
  const files = { ...ONE, ...broken, '0003_three.sql': 'select 1' }
  const run = migrate(pool, folderOf(t, files))
  await assert.rejects(
    run,
    startError(/0002_broken\.sql failed.*column "wrong" does not exist\): mend that and start/),
  )
  assert.deepEqual(await rowsOf(pool, `select to_regclass('half')::text as half`), [{ half: null }])
  const mended = migrate(pool, folderOf(t, { ...ONE, ...TWO }))
  assert.deepEqual(await mended, { applied: ['0002_two.sql'] })
})

test('what cannot run in a transaction runs statement by statement', async (t) => {
  const { pool } = await scratch(t)
  const text = `-- migrate:no-transaction
    drop index concurrently if exists one_by_id;
    -- A comment; with a semicolon.
    create index concurrently one_by_id on one (id);`
  await migrate(pool, folderOf(t, { ...ONE, '0002_index.sql': text }))
  const found = await rowsOf(pool, `select to_regclass('one_by_id')::text as index`)
  assert.deepEqual(found, [{ index: 'one_by_id' }])
})

/**
 * The catalog of Citus, and what keeps the statements that change the schema; the extension is
 * looked for without its schema.
 */
const CLUSTER = `create schema imitated;
  create table imitated.pg_extension as select 'citus' as extname;
  create table imitated.pg_dist_partition as select 'feeds'::regclass as logicalrelid;
  create table imitated.sent (place serial, text text);
  create function imitated.keep() returns event_trigger language plpgsql as
    $$begin insert into imitated.sent (text) values (current_query()); end$$;
  create event trigger keep on ddl_command_end when tag in ('ALTER TABLE')
    execute function imitated.keep();
  set search_path = public, imitated, pg_catalog`
const CHANGES =
  'alter table feeds add column a int, add column b int;\nalter table feeds add c int;\n'

for (const [name, head] of Object.entries({ within: '', outside: '-- migrate:no-transaction\n' })) {
  test(`a cluster gets one change of a table in a statement, ${name} a transaction`, async (t) => {
    const { pool } = await scratch(t)
    const one = { '0001_one.sql': 'create table feeds (id int primary key);\n' }
    const both = folderOf(t, { ...one, '0002_two.sql': `${head}${CHANGES}` })
    await migrate(pool, folderOf(t, one))
    const client = await pool.connect()
    try {
      await client.query(CLUSTER)
      await migrate(client, both)
      const { rows } = await client.query('select text from imitated.sent order by place')
      const sent = rows.map(({ text }) => text)
      assert.deepEqual(sent, [
        'alter table feeds add column a int',
        'alter table feeds add column b int',
        'alter table feeds add c int',
      ])
    } finally {
      client.release(true)
    }
  })
}

test('processes that migrate at once apply each file once between them', async (t) => {
  const { pool } = await scratch(t)
  const index = '-- migrate:no-transaction\ncreate index concurrently one_by_id on one (id);'
  const folder = folderOf(t, { ...ONE, ...TWO, '0003_index.sql': index })
  const runs = await Promise.all([migrate(pool, folder), migrate(pool, folder)])
  assert.deepEqual(runs.map(({ applied }) => applied.length).sort(), [0, 3])
})

test('a migration that is killed in the middle goes on at the next start', async (t) => {
  const { pool, url } = await scratch(t)
  const slow = { '0002_slow.sql': 'create table two (id int); select pg_sleep(30);' }
  const program = `import { migrate } from ${JSON.stringify(MODULE)}
    import pg from ${JSON.stringify(import.meta.resolve('pg'))}
    const folder = ${JSON.stringify(folderOf(t, { ...ONE, ...slow }))}
    await migrate(new pg.Pool({ connectionString: ${JSON.stringify(url)} }), folder)`
  const node = spawn(process.execPath, ['--input-type=module', '-e', program])
  const sleeping = `select pid from pg_stat_activity where query like '%pg_sleep(30)%'
    and state = 'active' and datname = current_database() and pid <> pg_backend_pid()`
  await until(async () => (await rowsOf(pool, sleeping)).length > 0)
  node.kill('SIGKILL')
  await once(node, 'exit')
  // A server notices a vanished client only when it next writes; here it is made to.
  await pool.query(`select pg_terminate_backend(pid) from (${sleeping}) as killed`)
  const run = await migrate(pool, folderOf(t, { ...ONE, ...TWO }))
  assert.deepEqual(run, { applied: ['0002_two.sql'] })
})

test('a table that is busy for a while does not fail the migration', async (t) => {
  const { pool } = await scratch(t)
  await migrate(pool, folderOf(t, ONE))
  const user = await pool.connect()
  await user.query('begin; lock table one')
  const alter = { '0002_alter.sql': 'alter table one add column more int;' }
  const run = migrate(pool, folderOf(t, { ...ONE, ...alter }))
  const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock'
    and datname = current_database()`
  await until(async () => (await rowsOf(pool, waiting)).length > 0)
  await until(async () => (await rowsOf(pool, waiting)).length === 0)
  await user.query('rollback')
  user.release()
  assert.deepEqual(await run, { applied: ['0002_alter.sql'] })
})

test('a database that need not write to disk before it confirms is rejected', async (t) => {
  const { pool, url } = await scratch(t)
  await assertDurable(pool)
  await pool.query(`do $$ begin
    execute format('alter database %I set synchronous_commit = off', current_database());
  end $$`)
  const fresh = new pg.Client(url)
  await fresh.connect()
  t.after(() => fresh.end())
  await assert.rejects(assertDurable(fresh), startError(/synchronous_commit = off/))
  await assert.rejects(migrate(fresh, folderOf(t, ONE)), startError(/synchronous_commit = off/))
})

test('each durable setting is checked, and only off is rejected', () => {
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    assert.throws(() => assertDurableSetting(name, 'off'), startError(new RegExp(`${name} = off`)))
    assertDurableSetting(name, 'on')
  }
  for (const setting of ['local', 'remote_write', 'remote_apply']) {
    assertDurableSetting('synchronous_commit', setting)
  }
})

test('a server older than PostgreSQL 15 is rejected', () => {
  assert.throws(
    () => assertServerVersion(140_019),
    startError(/PostgreSQL 14, and 15 is the oldest/),
  )
  assertServerVersion(150_000)
})

test('a clock more than 60 s off the database’s is rejected', async (t) => {
  const { pool } = await scratch(t)
  assert.equal(await clockSkew(pool), 0)
  await assertClock(pool)
  await assertClock(pool, () => Date.now() - 59_000)
  const behind = assertClock(pool, () => Date.now() - 61_000)
  await assert.rejects(behind, startError(/clock of this machine is 6[01] s behind/))
  const ahead = assertClock(pool, () => Date.now() + 3_600_000)
  await assert.rejects(ahead, startError(/3600 s ahead of/))
})

/** An empty database of the test's own. */
async function scratch(t: TestContext): Promise<{ pool: pg.Pool; url: string }> {
  scratches += 1
  const database = `scratch_${scratches}`
  const client = new pg.Client(server.url)
  await client.connect()
  await client.query(`create database ${database}`)
  await client.end()
  const url = new URL(server.url)
  url.pathname = `/${database}`
  const pool = new pg.Pool({ connectionString: url.href, max: 4 })
  t.after(() => pool.end())
  return { pool, url: url.href }
}
let scratches = 0

async function rowsOf(pool: pg.Pool, statement: string): Promise<unknown[]> {
  return (await pool.query<Record<string, unknown>>(statement)).rows
}

function folderOf(t: TestContext, files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'bezant-files-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 20_000; !(await holds()); await pause(10)) {
    assert.ok(Date.now() < end, 'it did not happen within 20 s')
  }
}

function startError(pattern: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof StartError, String(error))
    assert.match(error.message, pattern)
    assert.doesNotMatch(error.message, /\n/)
    return true
  }
}
