import assert from 'node:assert/strict'
import { connect, createServer, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { transact } from '#kit/context.ts'
import { rowsWritten, Write } from '#kit/db/write.ts'
import { newId } from '#lib/id.ts'
import { spreadTable } from '#test/support/cluster/forms.ts'
import { keeper } from '#test/support/keeper.ts'
import { openWorld } from '#test/support/world.ts'
import { isConflict } from './conflict.ts'
import { CommitInDoubt, DatabaseUnavailable, type Db, openDatabase } from './database.ts'
import type { WithCommit } from './db.ts'
import { openSavepoint } from './savepoints.ts'

const keep = keeper()
const world = keep(await openWorld())
const { db } = world
const TENANT = newId()
await sql`create table tallies (tenant_id uuid, id int, value int not null, at date,
  primary key (tenant_id, id))`.execute(db)
await spreadTable(world.url, 'tallies')
await sql`insert into tallies select ${TENANT}::uuid, id, 0 from generate_series(1, 11) id`.execute(
  db,
)

const adding = (id: number, amount = 1) => sql`
  update tallies set value = value + ${amount}
  where tenant_id = ${TENANT} and id = ${id}`
const add = (over: Db, id: number, amount = 1) => adding(id, amount).execute(over)
async function counterOf(id: number): Promise<number> {
  const { rows } = await sql<{ value: number }>`
    select value from tallies where tenant_id = ${TENANT} and id = ${id}`.execute(db)
  return rows[0]?.value ?? Number.NaN
}

describe('runTransaction', () => {
  test('commits all or nothing', async () => {
    await db.runTransaction((tx) => Promise.all([add(tx, 1), add(tx, 1)]))
    assert.equal(await counterOf(1), 2)
    const planted = new Error('planted')
    const failing = db.runTransaction(async (tx) => {
      await add(tx, 1)
      throw planted
    })
    await assert.rejects(failing, planted)
    assert.equal(await counterOf(1), 2)
  })

  test('is not seen by others before its end', async () => {
    await db.runTransaction(async (tx) => {
      await add(tx, 2)
      assert.equal(await counterOf(2), 0)
    })
    assert.equal(await counterOf(2), 1)
  })

  test('statements that are started together all count, in their order', async () => {
    await db.runTransaction(async (tx) => {
      const all = Array.from({ length: 50 }, () => add(tx, 3))
      const read = sql<{ value: number }>`
        select value from tallies where tenant_id = ${TENANT} and id = 3`.execute(tx)
      await Promise.all(all)
      assert.equal((await read).rows[0]?.value, 50)
    })
  })

  test('an ignored failed statement does not become a commit', async () => {
    const careless = db.runTransaction(async (tx) => {
      await add(tx, 4)
      await sql`select 1 / 0`.execute(tx).catch(() => {})
    })
    await assert.rejects(careless, /ROLLBACK/)
    assert.equal(await counterOf(4), 0)
  })

  test('a failed statement among others started together ends them all', async () => {
    const failing = db.runTransaction((tx) =>
      Promise.all([add(tx, 4), sql`select 1 / 0`.execute(tx), add(tx, 4)].map((one) => one)),
    )
    await assert.rejects(failing, /division by zero|aborted/)
    assert.equal(await counterOf(4), 0)
    await db.runTransaction((tx) => add(tx, 4))
    assert.equal(await counterOf(4), 1)
  })

  test('a deadlock is tried again until both sides have happened', async () => {
    let attempts = 0
    const met = Promise.withResolvers<void>()
    let waiting = 0
    const cross = (first: number, second: number) =>
      db.runTransaction(async (tx) => {
        attempts += 1
        await add(tx, first)
        waiting += 1
        if (waiting === 2) met.resolve()
        await met.promise
        await add(tx, second)
      })
    await Promise.all([cross(5, 6), cross(6, 5)])
    assert.ok(attempts >= 3)
    assert.deepEqual([await counterOf(5), await counterOf(6)], [2, 2])
  })

  test('what rests on something that has changed is tried again, and thrown in the end', async () => {
    const before = await counterOf(11)
    const untilAttempt = (last: number, seen: { attempts: number }) =>
      db.runTransaction(async (tx, withCommit) => {
        seen.attempts += 1
        await add(tx, 11)
        void withCommit(Write.of(tx, sql`select 1 / ${Number(seen.attempts === last)}::int`))
      })
    const [passes, fails] = [{ attempts: 0 }, { attempts: 0 }]
    await untilAttempt(3, passes)
    await assert.rejects(untilAttempt(4, fails), isConflict)
    assert.deepEqual([passes.attempts, fails.attempts, await counterOf(11)], [3, 3, before + 1])
  })

  test('statements that travel with the COMMIT count, in their order', async () => {
    const before = await counterOf(10)
    for (let turn = 0; turn < 20; turn++) {
      await db.runTransaction(async (tx, withCommit) => {
        void withCommit(Write.of(tx, adding(10)))
        void withCommit(Write.of(tx, adding(10)))
      })
    }
    assert.equal(await counterOf(10), before + 40)
  })

  test('one of them that fails leaves nothing, and its error is thrown', async () => {
    const before = await counterOf(10)
    const failing = db.runTransaction(async (tx, withCommit) => {
      await add(tx, 10)
      void withCommit(Write.of(tx, sql`select 1 / 0`))
      void withCommit(Write.of(tx, adding(10)))
    })
    await assert.rejects(failing, /division by zero/)
    assert.equal(await counterOf(10), before)
    await db.runTransaction((tx) => add(tx, 10))
    assert.equal(await counterOf(10), before + 1)
  })

  test('a statement that could not be sent ends it, also where nothing waits for it', async () => {
    const before = await counterOf(10)
    const cyclic: Record<string, unknown> = {}
    cyclic['self'] = cyclic
    const unsendable = sql`select ${cyclic}::jsonb`
    const ways: ((tx: Db, withCommit: WithCommit) => void)[] = [
      (tx, withCommit) => void withCommit(Write.of(tx, unsendable)),
      (tx, withCommit) => void withCommit(Write.of(tx, adding(10), unsendable, adding(10))),
      (tx) => void unsendable.execute(tx).catch(() => {}),
    ]
    for (const way of ways) {
      const failing = db.runTransaction(async (tx, withCommit) => {
        await add(tx, 10)
        way(tx, withCommit)
        void withCommit(Write.of(tx, adding(10)))
      })
      await assert.rejects(
        failing,
        (error: Error) => !(error instanceof CommitInDoubt) && /circular/.test(error.message),
      )
      assert.equal(await counterOf(10), before)
    }
  })

  test('a write that was made and not started ends it', async () => {
    const before = await counterOf(10)
    const failing = db.runTransaction(async (tx) => {
      await add(tx, 10)
      Write.of(tx, adding(10))
    })
    await assert.rejects(failing, /made and not started/)
    await db.runTransaction((tx) => add(tx, 10))
    assert.equal(await counterOf(10), before + 1)
  })

  test('writes as one are started in their order, and none of them by itself', async () => {
    const before = await counterOf(10)
    await db.runTransaction(async (tx, withCommit) => {
      const parts = [Write.of(tx, adding(10)), undefined, Write.of(tx), Write.of(tx, adding(10))]
      const written = withCommit(Write.all(tx, ...parts))
      void written.then((all) => assert.equal(rowsWritten(all), 2))
    })
    assert.equal(await counterOf(10), before + 2)
  })

  test('a branch that goes on behind a failure writes nothing behind its savepoint', async () => {
    const before = await counterOf(10)
    await db.runTransaction(async (tx) => {
      const savepoint = openSavepoint({ db: tx }, 'branches')
      const failed = sql`select 1`.execute(tx).then(() => {
        throw new Error('refused')
      })
      const goesOn = add(tx, 9).then(() => add(tx, 10))
      await assert.rejects(Promise.all([failed, goesOn]), /refused/)
      await savepoint.rollBack()
      await add(tx, 10, 100)
    })
    assert.equal(await counterOf(10), before + 100)
  })

  test('other errors are not tried again', async () => {
    let attempts = 0
    const failing = db.runTransaction(async (tx) => {
      attempts += 1
      await sql`insert into tallies values (${TENANT}, 1, 1)`.execute(tx)
    })
    await assert.rejects(failing, /duplicate key/)
    assert.equal(attempts, 1)
  })

  test('a connection that ends within is an outage, and the pool goes on', async () => {
    const cut = db.runTransaction(async (tx) => {
      await add(tx, 7)
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      await sql`select pg_terminate_backend(${rows[0]?.pid}::int)`.execute(db)
      await add(tx, 7)
    })
    await assert.rejects(cut, DatabaseUnavailable)
    await db.runTransaction((tx) => add(tx, 7))
    assert.equal(await counterOf(7), 1)
  })

  test('gives its connection back however it ends', async () => {
    const { db: narrow, close } = openDatabase(world.url, 1)
    for (let turn = 0; turn < 5; turn++) {
      await narrow.runTransaction((tx) => add(tx, 8))
      await assert.rejects(narrow.runTransaction(async () => assert.fail('planted')))
      await assert.rejects(narrow.runTransaction((tx) => sql`select 1 / 0`.execute(tx)))
    }
    await close()
    assert.equal(await counterOf(8), 5)
  })
})

describe('transact', () => {
  test('joins the transaction of the caller, and rings after the commit only', async () => {
    const ctx = await world.ctx()
    const notified: string[] = []
    const work = transact(ctx, async (tx) => {
      await transact(tx, async (inner) => {
        assert.equal(inner, tx)
        inner.afterCommit(() => notified.push('inner'))
      })
      assert.deepEqual(notified, [])
    })
    await work
    assert.deepEqual(notified, ['inner'])
  })

  test('does not ring when it is rolled back', async () => {
    const notified: string[] = []
    const failing = transact(await world.ctx(), async (tx) => {
      tx.afterCommit(() => notified.push('never'))
      throw new Error('planted')
    })
    await assert.rejects(failing, /planted/)
    assert.deepEqual(notified, [])
  })
})

describe('values', () => {
  test('dates stay text, whole numbers of 64 bits are exact, instants are Dates', async () => {
    const { rows } = await sql<{ day: string; big: bigint; at: Date }>`
      select '2026-02-28'::date as day, 9007199254740993::int8 as big,
        '2026-02-28 23:59:59.999+00'::timestamptz as at`.execute(db)
    assert.deepEqual(rows, [
      { day: '2026-02-28', big: 9007199254740993n, at: new Date('2026-02-28T23:59:59.999Z') },
    ])
  })

  test('a database that cannot be reached is an outage, soon', async () => {
    const { db: away, close } = openDatabase('postgresql://nobody@127.0.0.1:1/none', 1)
    const started = performance.now()
    await assert.rejects(sql`select 1`.execute(away), DatabaseUnavailable)
    await assert.rejects(
      away.runTransaction(async () => {}),
      DatabaseUnavailable,
    )
    assert.ok(performance.now() - started < 30_000)
    await close()
  })
})

describe('a server that falls silent', () => {
  /** Long enough that nothing but the silence ends a statement. */
  const LONGEST_MS = 600_000

  async function openSilenceable() {
    const { host, port } = new pg.Client({ connectionString: world.url })
    const where = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
    let silent = false
    const sockets = new Set<Socket>()
    const proxy = createServer((near) => {
      const far = connect(where)
      near.on('data', (data) => silent || far.write(data))
      far.on('data', (data) => silent || near.write(data))
      for (const socket of [near, far]) {
        sockets.add(socket)
        socket.on('error', () => {})
      }
      near.on('close', () => far.destroy())
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const address = proxy.address()
    const url = new URL(world.url)
    url.hostname = '127.0.0.1'
    url.port = String(typeof address === 'object' ? address?.port : '')
    url.search = ''
    const { db: through, close } = openDatabase(url.href, 2, { longest_ms: LONGEST_MS })
    return {
      through,
      silence: (on: boolean) => {
        silent = on
      },
      async [Symbol.asyncDispose]() {
        await close()
        for (const socket of sockets) socket.destroy()
        await new Promise((resolve) => proxy.close(resolve))
      },
    }
  }

  /** Waits until the pulse has found the server again. */
  async function untilBack(through: Db): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await sql`select 1`.execute(through)
        return
      } catch (error) {
        if (attempt === 100) throw error
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
  }

  test('is an outage for what runs, waits and comes, and afterwards all is as before', async () => {
    await using silenceable = await openSilenceable()
    const { through, silence } = silenceable
    await add(through, 9)
    silence(true)
    const running = [1, 2, 3].map(() => through.runTransaction((tx) => add(tx, 9)))
    for (const one of await Promise.allSettled(running)) {
      assert.ok(one.status === 'rejected' && one.reason instanceof DatabaseUnavailable)
      assert.equal(one.reason instanceof CommitInDoubt, false)
    }
    await assert.rejects(add(through, 9), /not available/)
    silence(false)
    await untilBack(through)
    await through.runTransaction((tx) => add(tx, 9))
    assert.equal(await counterOf(9), 2)
  })

  test('leaves a COMMIT that it did not answer in doubt', async () => {
    await using silenceable = await openSilenceable()
    const { through, silence } = silenceable
    const inDoubt = through.runTransaction(async (tx) => {
      await add(tx, 9, 0)
      silence(true)
    })
    await assert.rejects(inDoubt, CommitInDoubt)
  })
})

test('a statement that gets no answer in time takes its connection with it, and no other', async () => {
  const { db: narrow, close } = openDatabase(world.url, 1, { longest_ms: 250 })
  const one = () => sql`select 1`.execute(narrow)
  for (const next of [
    async (silent: Promise<unknown>) => {
      await assert.rejects(silent, DatabaseUnavailable)
      await one()
    },
    (silent: Promise<unknown>) => Promise.all([assert.rejects(silent, DatabaseUnavailable), one()]),
  ]) {
    // The server ends no statement of this session: only the client does not wait any longer.
    await sql`set statement_timeout = 0`.execute(narrow)
    await next(sql`select pg_sleep(5)`.execute(narrow))
  }
  await close()
})

describe('places', () => {
  test('one tenant that waits for a locked row leaves connections to the others', async () => {
    const { db: shared, close } = openDatabase(world.url, 4)
    const [busy, other] = [shared.forTenant(newId()), shared.forTenant(newId())]
    await db.runTransaction(async (holder) => {
      await add(holder, 6, 0)
      const stuck = Array.from({ length: 12 }, () => add(busy, 6, 0))
      const ended = Promise.allSettled(stuck)
      for (let turn = 0; turn < 20; turn += 1) await add(other, 7, 0)
      // Past the longest wait for a lock or a place each is an outage, never a queue without end.
      for (const one of await ended) {
        assert.ok(one.status === 'rejected' && one.reason instanceof DatabaseUnavailable)
      }
    })
    await add(busy, 6, 0)
    await close()
  })
})
