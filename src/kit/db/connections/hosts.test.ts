/** A primary and a standby behind one address, which change places. */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { type Embedded, startEmbedded } from '#embedded_postgres/embedded_postgres.ts'
import { Write } from '#kit/db/write.ts'
import { scratchFolder } from '#test/support/processes/scratch.ts'
import { openProxy } from '#test/support/services/proxy.ts'
import { until } from '#test/support/services/receiver.ts'
import { CommitInDoubt, DatabaseUnavailable, type Db, openDatabase } from '../database.ts'
import { serversOf } from './hosts.ts'

const folder = scratchFolder('bezant-hosts-')
// The account of the servers enters it.
chmodSync(folder, 0o711)
const opened: { stop: () => Promise<void> }[] = []
after(async () => {
  await Promise.all(opened.map(({ stop }) => stop()))
  rmSync(folder, { recursive: true, force: true })
})

async function start(name: string): Promise<Embedded> {
  const data_dir = join(folder, name)
  const server = await startEmbedded({ data_dir, settings: { shared_buffers: '16MB' } })
  opened.push(server)
  return server
}

/** A server, and one in recovery on a copy of its files, which it does not follow. */
async function startBoth() {
  const first = await start('one')
  const { db, close } = openDatabase(first.url, 1)
  await sql`create table written (n int)`.execute(db)
  await close()
  await first.stop()
  // `cp -a` keeps the owner of the files, which is an account of its own if the tests run as root.
  execFileSync('cp', ['-a', join(folder, 'one'), join(folder, 'two')])
  writeFileSync(join(folder, 'two', 'postgres', 'standby.signal'), '')
  return { primary: await start('one'), standby: await start('two') }
}

const writing = sql`insert into written values (1)`
const write = (db: Db) => writing.execute(db)
const isOutage = (error: unknown) =>
  error instanceof DatabaseUnavailable && !(error instanceof CommitInDoubt)

test('an address names one server, or several in the syntax of libpq', () => {
  const own = 'postgresql://me@/cards?host=/run/pg,x'
  assert.deepEqual(serversOf(own), { urls: [own], takesWrites: false })
  const attrs = 'target_session_attrs=read-write'
  assert.equal(serversOf(`postgresql://one/cards?a=b&${attrs}`).takesWrites, true)
  assert.deepEqual(serversOf('postgresql://me:a%40,b@one:1,[fe80::1]:2/cards?sslmode=require'), {
    urls: [
      'postgresql://me:a%40,b@one:1/cards?sslmode=require',
      'postgresql://me:a%40,b@[fe80::1]:2/cards?sslmode=require',
    ],
    takesWrites: true,
  })
})

describe('of a primary and a standby', async () => {
  const { primary, standby } = await startBoth()
  const [one, two] = await Promise.all([openProxy(primary.url), openProxy(standby.url)])
  opened.push({ stop: () => one.close() }, { stop: () => two.close() })
  const both = (first: { url: string }, second: { url: string }) =>
    first.url.replace(/(:\d+)\/(?=\w+$)/, `$1,127.0.0.1:${new URL(second.url).port}/`)

  async function using(
    url: string,
    work: (db: Db, all: ReturnType<typeof openDatabase>) => Promise<void>,
  ) {
    const all = openDatabase(url, 2)
    try {
      await work(all.db, all)
    } finally {
      await all.close()
    }
  }

  test('the one that takes writes gets all connections, wherever it is named', async () => {
    const closed = { url: 'postgresql://bezant@127.0.0.1:1/bezant' }
    for (const url of [both(one, two), both(two, one), both(closed, one)]) {
      await using(url, async (db, { pool }) => {
        await pool.query('select')
        await db.runTransaction(write)
      })
    }
  })

  test('without one that takes writes all is an outage', () =>
    using(`${two.url}?target_session_attrs=read-write`, async (db) => {
      await assert.rejects(write(db), isOutage)
      await assert.rejects(db.runTransaction(write), isOutage)
    }))

  for (const explicit of [false, true]) {
    test(`a write that a standby refuses is one, and not in doubt (${explicit})`, async () => {
      const { db, close } = openDatabase(two.url, 1, { explicit })
      await sql`select count(*) from written`.execute(db)
      await assert.rejects(write(db), isOutage)
      await assert.rejects(db.runTransaction(write), isOutage)
      const line = await db.openLine()
      await assert.rejects(
        line.send((on) => Write.of(on, writing, writing)),
        isOutage,
      )
      line.release()
      await close()
    })
  }

  test('a connection on which a write was refused is not used again', () =>
    using(two.url, async (db) => {
      const pid = async () =>
        (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid
      const before = await pid()
      assert.equal(await pid(), before)
      await assert.rejects(write(db), isOutage)
      assert.notEqual(await pid(), before)
    }))

  test('work goes on at the standby once it is promoted, and stays there', () =>
    using(both(one, two), async (db, { listen, pool }) => {
      const heard: string[] = []
      listen('channel', (payload) => heard.push(payload))
      await db.runTransaction(write)
      one.cut()
      await assert.rejects(db.runTransaction(write), DatabaseUnavailable)
      const { db: there, close } = openDatabase(two.url, 1)
      await sql`select pg_promote()`.execute(there)
      await close()
      const written = () =>
        db.runTransaction(write).then(
          () => true,
          () => false,
        )
      await until('the promoted one takes writes', written)
      // The former primary is back, and still takes writes.
      one.mend()
      const { rows } = await pool.query('select count(*)::int as n from written')
      assert.deepEqual(rows, [{ n: 1 }])
      const notified = async () => {
        await pool.query("notify channel, 'word'")
        return heard.length > 0
      }
      await until('a notification is heard there', notified)
    }))
})
