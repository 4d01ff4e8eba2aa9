/** Transactions of one group of statements, sent one behind the other. */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { hasCode } from '#kit/start_error.ts'
import { createTestDatabase } from '#test/support/processes/server.ts'
import { CommitInDoubt, type Db, openDatabase } from '../database.ts'

const database = await createTestDatabase()
const { db, close } = openDatabase(database.url, 2)
after(async () => {
  await close()
  await database.drop()
})
await sql`create table kept (n int primary key,
  late int unique deferrable initially deferred)`.execute(db)

const insert = (on: Db, n: number, late = n) =>
  sql`insert into kept values (${n}, ${late})`.execute(on)
const kept = async () => {
  const { rows } = await sql<{ n: number }>`select n from kept order by n`.execute(db)
  await sql`delete from kept`.execute(db)
  return rows.map(({ n }) => n)
}

async function withLine(work: (line: Awaited<ReturnType<Db['openLine']>>) => Promise<void>) {
  const line = await db.openLine()
  try {
    await work(line)
  } finally {
    line.release()
  }
}

describe('transactions of a line', () => {
  test('that are sent behind each other are each kept or not as a whole', () =>
    withLine(async (line) => {
      const send = (...numbers: number[]) =>
        line.send(async (on) => void (await Promise.all(numbers.map((n) => insert(on, n)))))
      const [first, second, third] = await Promise.allSettled([send(1, 2), send(3, 2), send(4)])
      assert.deepEqual([first.status, third.status], ['fulfilled', 'fulfilled'])
      assert.ok(second.status === 'rejected' && hasCode(second.reason, '23505'))
      assert.deepEqual(await kept(), [1, 2, 4])
    }))

  test('fail where the database refuses the commit itself', () =>
    withLine(async (line) => {
      const sent = line.send((on) => Promise.all([insert(on, 1, 7), insert(on, 2, 7)]))
      await assert.rejects(
        sent,
        (error) => !(error instanceof CommitInDoubt) && hasCode(error, '23505'),
      )
      assert.deepEqual(await kept(), [])
    }))

  test('are not sent at all where a statement cannot be made', () =>
    withLine(async (line) => {
      const sent = line.send(async (on) => {
        void insert(on, 1).catch(() => {})
        throw new Error('no text')
      })
      await assert.rejects(sent, /no text/)
      assert.deepEqual(await kept(), [])
    }))

  test('never contain a statement that is started after they were sent', () =>
    withLine(async (line) => {
      const sent = line.send(async (on) => {
        await insert(on, 1)
        await insert(on, 2)
      })
      await assert.rejects(sent, CommitInDoubt)
      assert.deepEqual(await kept(), [1])
    }))

  test('that the server ends are not kept, and the line takes no other', () =>
    withLine(async (line) => {
      const sent = line.send((on) =>
        Promise.all([insert(on, 1), sql`select pg_sleep(30)`.execute(on)]),
      )
      const failed = assert.rejects(sent)
      for (let ended = 0; ended === 0; ) {
        const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
          where query like '%pg_sleep%' and pid <> pg_backend_pid() and datname = current_database()
        `.execute(db)
        ended = rows.length
      }
      await failed
      await assert.rejects(
        line.send((on) => insert(on, 3)),
        /not available/,
      )
      assert.deepEqual(await kept(), [])
    }))
})
