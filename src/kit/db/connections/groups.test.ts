/**
 * The promises of a group of statements, in both of its forms: as the server commits it at its Sync
 * (PostgreSQL), and with `begin` and `commit` (Citus).
 */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { Write } from '#kit/db/write.ts'
import { hasCode } from '#kit/start_error.ts'
import { newId } from '#lib/id.ts'
import { formsOf, spreadTable } from '#test/support/cluster/forms.ts'
import { onEachNode, urlOfTenant } from '#test/support/cluster/nodes.ts'
import { createTestDatabase } from '#test/support/processes/server.ts'
import { openProxy } from '#test/support/services/proxy.ts'
import { CommitInDoubt, type Db, openDatabase } from '../database.ts'
import { USUAL_ROLE } from '../security/program_role.ts'

const database = await createTestDatabase()
const forms = await formsOf(database.url)
const [mine, other] = [newId(), newId()].sort() as [string, string]
const proxy = await openProxy(await urlOfTenant(database.url, mine))
const owner = openDatabase(database.url, 2)
after(async () => {
  await owner.close()
  await proxy.close()
  await database.drop()
})
await sql`create table kept (tenant_id uuid, n int, late int, primary key (tenant_id, n),
  unique (tenant_id, late) deferrable initially deferred)`.execute(owner.db)
await spreadTable(database.url, 'kept')
await sql.raw(`grant all on kept to ${USUAL_ROLE}`).execute(owner.db)

const inserting = (n: number, late = n) => sql`insert into kept values (${mine}, ${n}, ${late})`
const insert = (on: Db, n: number, late = n) => inserting(n, late).execute(on)
/** The numbers that the transactions of a test have left, which are deleted. */
async function kept(): Promise<number[]> {
  const { rows } = await sql<{ n: number }>`
    with gone as (delete from kept where tenant_id = ${mine} returning n) select n from gone order by n`.execute(
    owner.db,
  )
  return rows.map(({ n }) => n)
}
const failing = sql`select 1 / 0`
const fail = (on: Db) => failing.execute(on)
const seenTenants = sql<{ tenant_id: string }>`select tenant_id from feeds order by 1`
const tenantsSeen = async (on: Db) =>
  (await on.selectFrom('feeds').select('tenant_id').execute()).map((row) => row.tenant_id).sort()
const isRefused = (error: unknown) => !(error instanceof CommitInDoubt) && hasCode(error, '23505')

for (const explicit of forms) {
  const hasBegin = explicit ?? true
  const options = { role: USUAL_ROLE, ...(explicit !== undefined && { explicit }) }
  const { db: program, batches, close } = openDatabase(database.url, 1, options)
  const far = openDatabase(proxy.url, 1, options)
  after(() => Promise.all([close(), far.close()]))
  const ofTenant = program.forTenant(mine)

  async function withLine(
    work: (line: Awaited<ReturnType<Db['openLine']>>) => Promise<void>,
    on: Db = batches.forTenant(mine),
  ) {
    const line = await on.openLine()
    try {
      await work(line)
    } finally {
      line.release()
    }
  }

  describe(hasBegin ? 'a group with begin and commit' : 'a group that the server commits', () => {
    test('is kept or not as a whole, and the one behind a failed one starts clean', () =>
      withLine(async (line) => {
        const send = (...numbers: number[]) =>
          line.send((on) => Write.of(on, ...numbers.map((n) => inserting(n))))
        const sent = [send(1, 2), send(3, 2), send(4), line.send((on) => Write.of(on, seenTenants))]
        const [first, second, third, fourth] = await Promise.allSettled(sent)
        assert.deepEqual([first?.status, third?.status], ['fulfilled', 'fulfilled'])
        assert.ok(second?.status === 'rejected' && isRefused(second.reason))
        assert.ok(fourth?.status === 'fulfilled')
        assert.deepEqual(await kept(), [1, 2, 4])
      }))

    test('that fails in the middle leaves nothing before and behind it', () =>
      withLine(async (line) => {
        for (let time = 0; time < 2; time++) {
          const sent = line.send((on) => Write.of(on, inserting(1), failing, inserting(2)))
          await assert.rejects(sent, /division by zero/)
        }
        assert.deepEqual(await kept(), [])
      }))

    test('fails where the database refuses the commit itself', async () => {
      const both = (on: Db) => Promise.all([insert(on, 1, 7), insert(on, 2, 7)])
      await withLine((line) =>
        assert.rejects(
          line.send((on) => Write.of(on, inserting(1, 7), inserting(2, 7))),
          isRefused,
        ),
      )
      await assert.rejects(ofTenant.runTransaction(both), isRefused)
      await insert(ofTenant, 1, 7)
      await assert.rejects(insert(ofTenant, 2, 7), isRefused, 'a statement by itself')
      assert.deepEqual(await kept(), [1])
    })

    test('is in doubt where its answer is lost', async () => {
      for (const [fate, left] of [
        ['answer lost', [1, 2, 3]],
        ['never sent', []],
      ] as const) {
        await far.db.runTransaction(async () => {})
        const lost = proxy.lose(fate)
        await withLine(async (line) => {
          const sent = line.send((on) => Write.of(on, ...[1, 2, 3].map((n) => inserting(n))))
          await assert.rejects(sent, CommitInDoubt)
          await lost
          await assert.rejects(
            line.send((on) => Write.of(on, inserting(4))),
            /not available/,
          )
        }, far.db.forTenant(mine))
        assert.deepEqual(await kept(), left, fate)
      }
    })

    test('is not sent at all where a statement cannot be made or sent', () =>
      withLine(async (line) => {
        const sent = line.send((on) => {
          Write.of(on, inserting(1))
          throw new Error('no text')
        })
        await assert.rejects(sent, /no text/)
        const cyclic: Record<string, unknown> = {}
        cyclic['self'] = cyclic
        const unsendable = line.send((on) =>
          Write.of(on, inserting(1), sql`select ${cyclic}::jsonb`),
        )
        await assert.rejects(
          unsendable,
          (error: Error) => !(error instanceof CommitInDoubt) && /circular/.test(error.message),
        )
        await line.send((on) => Write.of(on, inserting(2)))
        assert.deepEqual(await kept(), [2])
      }))

    test('that the server ends is not kept, and the line takes no other', () =>
      withLine(async (line) => {
        const sent = line.send((on) => Write.of(on, inserting(1), sql`select pg_sleep(30)`))
        const failed = assert.rejects(sent, (error) => !(error instanceof CommitInDoubt))
        for (let ended = 0; ended === 0; ) {
          const found = await onEachNode(database.url, (client) =>
            client.query(`select pg_terminate_backend(pid) from pg_stat_activity
              where query like '%pg_sleep%' and pid <> pg_backend_pid()
                and datname = current_database()`),
          )
          ended = found.reduce((sum, { rows }) => sum + rows.length, 0)
        }
        await failed
        await assert.rejects(
          line.send((on) => Write.of(on, inserting(3))),
          /not available/,
        )
        assert.deepEqual(await kept(), [])
      }))

    test('sees the rows of its tenant, and none of it is left on the connection', async () => {
      for (const id of [mine, other]) {
        await sql`insert into feeds (tenant_id) values (${id})`.execute(program.forTenant(id))
      }
      const wide = async (on: Db) => {
        assert.deepEqual(await tenantsSeen(on), [mine])
        assert.deepEqual(await tenantsSeen(on.overAllTenants()), [mine, other])
        assert.deepEqual(await tenantsSeen(on), [mine])
      }
      const ways: (() => Promise<unknown>)[] = [
        () => tenantsSeen(ofTenant),
        () => tenantsSeen(program.forTenant(mine.toUpperCase())),
        () => ofTenant.runSession(wide),
        () => ofTenant.runTransaction(wide),
        () => assert.rejects(ofTenant.runSession((on) => Promise.all([wide(on), fail(on)]))),
        () => assert.rejects(ofTenant.runTransaction((on) => Promise.all([wide(on), fail(on)]))),
        () =>
          withLine(async (line) => {
            const [found] = await line.send((on) => Write.of(on, seenTenants))
            assert.deepEqual(found?.rows, [{ tenant_id: mine }])
          }, ofTenant),
        () =>
          withLine((line) => assert.rejects(line.send((on) => Write.of(on, failing))), ofTenant),
      ]
      for (const way of ways) {
        await way()
        // There is one connection: a setting that stays would be seen by these.
        assert.deepEqual(await tenantsSeen(program), [])
        assert.deepEqual(await program.runTransaction(tenantsSeen), [])
        assert.deepEqual(await tenantsSeen(program.forTenant(other)), [other])
      }
      assert.deepEqual(await tenantsSeen(program.overAllTenants()), [mine, other])
      await program.overAllTenants().deleteFrom('feeds').execute()
    })

    test('and a transaction of several do not write the rows of another tenant', async () => {
      const writing = sql`insert into feeds (tenant_id) values (${other})`
      const write = (on: Db) => writing.execute(on)
      for (const attempt of [
        () => write(ofTenant),
        () => ofTenant.runTransaction(write),
        () => withLine((line) => line.send((on) => Write.of(on, writing)).then(() => {})),
      ]) {
        await assert.rejects(attempt(), { code: '42501' })
      }
      assert.deepEqual(await tenantsSeen(program.overAllTenants()), [])
    })

    test('is a block of a transaction where it has begin and commit', () =>
      withLine(async (line) => {
        const sent = line.send((on) => Write.of(on, inserting(1), sql`savepoint a`))
        if (hasBegin) await sent
        else await assert.rejects(sent, /SAVEPOINT can only be used in transaction blocks/)
        assert.deepEqual(await kept(), hasBegin ? [1] : [])
      }))

    test('of reads gives each statement its rows, as often as it is asked', async () => {
      const numbers = async (on: Db, n: number) => {
        const { rows } = await sql<{ at: number }>`
          select at from generate_series(1, ${n}::int) at`.execute(on)
        return rows.map(({ at }) => at)
      }
      await ofTenant.runSession(async (on) => {
        for (let time = 0; time < 3; time++) {
          const asked = [numbers(on, 2), numbers(on, 0), numbers(on, 1)]
          assert.deepEqual(await Promise.all(asked), [[1, 2], [], [1]])
        }
      })
    })
  })
}
