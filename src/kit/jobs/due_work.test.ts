/** Due times under two transactions at one time: no wake-up is lost, and nobody waits for long. */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { type Tx, transact } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { lockWaitsIn } from '#test/support/cluster/nodes.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld, type TestTenant } from '#test/support/world.ts'
import { createDueFinder, portionsOf } from './due_finder.ts'
import { FIRST_ID } from './due_tenants.ts'
import { dueBy, dueKind, listUnrecorded, settle } from './due_work.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const MINUTE_MS = 60_000
const START = new Date('2030-01-01T00:00:00.000Z')
const at = (minutes: number) => new Date(START.getTime() + minutes * MINUTE_MS)

/** Any table with rows of a tenant and a due time. */
const kind = dueKind({ name: 'planted', table: 'document_looks' })

async function insertRow({ db, tenant_id }: Pick<Tx, 'db' | 'tenant_id'>, due: Date) {
  await sql`
    insert into document_looks (tenant_id, due) values (${tenant_id}, ${due})
    on conflict (tenant_id) do update set due = excluded.due`.execute(db)
}

async function recorded({ id }: TestTenant): Promise<Date | undefined> {
  const { rows } = await sql<{ due: Date }>`
    select due from due_work where tenant_id = ${id} and kind = 'planted'`.execute(world.db)
  return rows[0]?.due
}

/** A writer of a row, which is held open until `release` is called. */
async function openWriter({ id }: TestTenant, due: Date) {
  const [written, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done = world.ctx(id).then((ctx) =>
    transact(ctx, async (tx) => {
      await insertRow(tx, due)
      // As with the COMMIT, and before it.
      const { dueTimes: _, ...own } = tx
      await dueBy(own, kind, due)
      written.resolve()
      await released.promise
    }),
  )
  await Promise.race([written.promise, done])
  return async () => {
    released.resolve()
    await done
  }
}

const settled = async ({ id }: TestTenant) =>
  transact(await world.ctx(id), (tx) => settle(tx, kind))

describe('a due time', () => {
  test('is the least of what transactions write, and is written with their commit', async () => {
    const tenant = await world.otherTenant()
    const ctx = await world.ctx(tenant.id)
    await transact(ctx, async (tx) => {
      await dueBy(tx, kind, at(5))
      await dueBy(tx, kind, at(3))
      await dueBy(tx, kind, at(4))
    })
    assert.deepEqual(await recorded(tenant), at(3))
    await transact(ctx, (tx) => dueBy(tx, kind, at(9)))
    assert.deepEqual(await recorded(tenant), at(3))
    await transact(ctx, (tx) => dueBy(tx, kind, at(1)))
    assert.deepEqual(await recorded(tenant), at(1))
    const rolledBack = transact(ctx, async (tx) => {
      await dueBy(tx, kind, at(0))
      throw new Error('planted')
    })
    await assert.rejects(rolledBack, /planted/)
    assert.deepEqual(await recorded(tenant), at(1))
  })

  test('of real time is counted from now', async () => {
    const tenant = await world.otherTenant()
    await transact(await world.ctx(tenant.id), (tx) => dueBy(tx, kind, MINUTE_MS))
    const due = (await recorded(tenant))?.getTime() ?? 0
    assert.ok(Math.abs(due - Date.now() - MINUTE_MS) < 30_000, String(due))
  })

  test('is settled to that of the earliest row, and deleted with the last one', async () => {
    const tenant = await world.otherTenant()
    await (await openWriter(tenant, at(1)))()
    await insertRow({ db: world.db, tenant_id: tenant.id }, at(7))
    await settled(tenant)
    assert.deepEqual(await recorded(tenant), at(7))
    await sql`delete from document_looks where tenant_id = ${tenant.id}`.execute(world.db)
    await settled(tenant)
    assert.equal(await recorded(tenant), undefined)
    await settled(tenant)
    assert.equal(await recorded(tenant), undefined)
  })
})

describe('a writer and a settling that overlap', () => {
  test('a writer that relies on the time and has not committed: the time stays', async () => {
    const tenant = await world.otherTenant()
    await transact(await world.ctx(tenant.id), (tx) => dueBy(tx, kind, at(1)))
    const commit = await openWriter(tenant, at(2))
    // Its row is not visible yet: without its lock the time would be deleted here.
    await settled(tenant)
    assert.deepEqual(await recorded(tenant), at(1))
    await commit()
    await settled(tenant)
    assert.deepEqual(await recorded(tenant), at(2))
  })

  test('a settling that has not committed: the writer waits, and makes the time anew', async () => {
    const tenant = await world.otherTenant()
    const ctx = await world.ctx(tenant.id)
    await transact(ctx, (tx) => dueBy(tx, kind, at(1)))
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const settling = transact(ctx, async (tx) => {
      await settle(tx, kind)
      held.resolve()
      await released.promise
    })
    await held.promise
    const writing = openWriter(tenant, at(2))
    await until('a writer that waits', async () => (await lockWaitsIn(world.url)) > 0)
    released.resolve()
    await settling
    await (await writing)()
    assert.deepEqual(await recorded(tenant), at(2))
    assert.deepEqual(await listUnrecorded({ db: world.db, tenant_id: tenant.id }, [kind]), [])
  })

  test('two writers do not wait for each other where the time is early enough', async () => {
    const tenant = await world.otherTenant()
    await transact(await world.ctx(tenant.id), (tx) => dueBy(tx, kind, at(1)))
    const first = await openWriter(tenant, at(2))
    await transact(await world.ctx(tenant.id), (tx) => dueBy(tx, kind, at(3)))
    await first()
    assert.deepEqual(await recorded(tenant), at(1))
  })
})

test('what no sweep would find in time is listed', async () => {
  const tenant = await world.otherTenant()
  const of = { db: world.db, tenant_id: tenant.id }
  await insertRow(of, at(2))
  assert.deepEqual(await listUnrecorded(of, [kind]), [
    { kind: 'planted', due: at(2), recorded: null },
  ])
  const ctx = await world.ctx(tenant.id)
  await transact(ctx, (tx) => dueBy(tx, kind, at(3)))
  assert.deepEqual(await listUnrecorded(of, [kind]), [
    { kind: 'planted', due: at(2), recorded: at(3) },
  ])
  await transact(ctx, (tx) => dueBy(tx, kind, at(2)))
  assert.deepEqual(await listUnrecorded(of, [kind]), [])
})

describe('a look', () => {
  test('compares with the clock of each tenant, but real times with the real one', async () => {
    await using own = await openWorld()
    const [now, ahead] = [await own.otherTenant(), await own.otherTenant()]
    const real = { ...kind, name: 'real', realTime: true } as const
    const look = createDueFinder(own.db, true)
    for (const { id } of [now, ahead]) {
      const hour = 60 * MINUTE_MS
      await transact(await own.ctx(id), async (tx) => {
        await dueBy(tx, kind, hour)
        await dueBy(tx, real, hour)
      })
    }
    const find = () => Promise.all([look(kind, FIRST_ID), look(real, FIRST_ID)])
    assert.deepEqual(await find(), [{ found: [] }, { found: [] }])
    await sql`
      update tenants set clock_offset_ms = ${2 * 60 * MINUTE_MS} where id = ${ahead.id}`.execute(
      own.db,
    )
    assert.deepEqual(await find(), [{ found: [ahead.id] }, { found: [] }])
    await sql`update due_work set due = now()`.execute(own.db)
    const both = [now.id, ahead.id].sort()
    assert.deepEqual(await find(), [{ found: both }, { found: both }])
    assert.deepEqual(await look(kind, both[0] ?? ''), { found: [both[1]] })
  })

  test('gives each kind a hundred tenants, and goes on after those that were read whole', () => {
    const ids = Array.from({ length: 120 }, () => newId()).sort()
    const rows = ids.flatMap((tenant_id, n) => [
      { tenant_id, kind: 'many' },
      ...(n % 60 === 5 ? [{ tenant_id, kind: 'few' }] : []),
    ])
    const kinds = [{ name: 'few' }, { name: 'many' }, { name: 'none' }]
    const whole = portionsOf(kinds, rows, rows.length + 1)
    assert.deepEqual(whole.get('many'), { found: ids.slice(0, 100), last: ids[99] })
    assert.deepEqual(whole.get('few'), { found: [ids[5], ids[65]] })
    assert.deepEqual(whole.get('none'), { found: [] })
    const cut = portionsOf(kinds, rows.slice(0, 8), 8)
    assert.deepEqual(cut.get('many'), { found: ids.slice(0, 6), last: ids[5] })
    assert.deepEqual(cut.get('few'), { found: [ids[5]], last: ids[5] })
    assert.deepEqual(cut.get('none'), { found: [], last: ids[5] })
  })
})
