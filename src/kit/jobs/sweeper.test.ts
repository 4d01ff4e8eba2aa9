import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Context, transact } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'
import { FIRST_ID, tenantsWith, tenantsWithDue } from './due_tenants.ts'
import { dueBy, dueKind } from './due_work.ts'
import type { Sweep } from './sweep.ts'
import { createSweeper } from './sweeper.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** The pace of a sweep whose own look at all tenants would hide that a channel did not wake it. */
const SELDOM = { channel: 'planted', every_ms: 3_600_000 }

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const sweeperOf = (...sweeps: Sweep[]) =>
  createSweeper({ db: world.db, log: world.log, contextOf: (id) => world.ctx(id), sweeps })

/** A sweep over tenants that a test names; `run` gets the context of the tenant. */
function sweepOver(
  tenants: () => string[],
  run: (ctx: Context) => Promise<boolean>,
  more: Partial<Sweep> = {},
): Sweep {
  return {
    name: 'planted',
    dueTenants: async () => tenants(),
    run: async (ctx) => ({ more: await run(ctx) }),
    ...more,
  }
}

describe('runDueJobs', () => {
  test('does portions of that tenant until none is left, on its own clock', async () => {
    const { id } = await world.otherTenant()
    await world.db
      .updateTable('tenants')
      .set({ clock_offset_ms: BigInt(DAY_MS) })
      .where('id', '=', id)
      .execute()
    const turns: Context[] = []
    const sweep = sweepOver(
      () => [],
      async (ctx) => turns.push(ctx) < 3,
    )
    await sweeperOf(sweep).runDueJobs(id)
    assert.equal(turns.length, 3)
    for (const { tenant_id, now, actor } of turns) {
      assert.equal(tenant_id, id)
      assert.ok(Math.abs(now.getTime() - Date.now() - DAY_MS) < 60_000)
      assert.equal(actor.kind, 'system')
    }
  })

  test('runs the sweeps in their order, and awaits none that calls the outside', async () => {
    const order: string[] = []
    const named = (name: string, more?: Partial<Sweep>) =>
      sweepOver(
        () => [],
        async () => {
          order.push(name)
          return false
        },
        more,
      )
    const outside = named('outside', { outside: true })
    await sweeperOf(named('first'), outside, named('second')).runDueJobs(world.tenant.id)
    assert.deepEqual(order, ['first', 'second'])
  })

  test('reports a failed sweep to the caller', async () => {
    const sweep = sweepOver(
      () => [],
      async () => assert.fail('planted'),
    )
    await assert.rejects(sweeperOf(sweep).runDueJobs(world.tenant.id), /planted/)
  })
})

describe('runDueJobs waits', () => {
  test('for a turn in hand in another process, and runs what that leaves', async () => {
    const { id } = await world.otherTenant()
    // Another process has the work in hand: it is due, and no portion finds it.
    let in_hand = 3
    let done = 0
    const sweep = sweepOver(
      () => (in_hand > 0 || done === 0 ? [id] : []),
      async () => {
        in_hand -= 1
        if (in_hand < 0) done += 1
        return false
      },
    )
    assert.deepEqual(await sweeperOf(sweep).runDueJobs(id), [])
    assert.equal(done, 1)
  })

  test('for a turn of its own rounds, also of a sweep that calls the outside', async () => {
    const { id } = await world.otherTenant()
    const [begun, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let due = [id]
    let ended = false
    const sweep = sweepOver(
      () => due.splice(0),
      async () => {
        begun.resolve()
        await answered.promise
        ended = true
        return false
      },
      { outside: true },
    )
    const sweeper = sweeperOf(sweep)
    sweeper.start()
    try {
      await begun.promise
      const moved = sweeper.runDueJobs(id)
      due = []
      answered.resolve()
      assert.deepEqual([await moved, ended], [[], true])
    } finally {
      await sweeper.stop()
    }
  })

  test('within a bound, and names what goes on: claimed work too, but none of real time', async () => {
    const { id } = await world.otherTenant()
    const idle = async () => false
    const named = (name: string, more: Partial<Sweep>) =>
      sweepOver(() => [id], idle, { name, outside: true, ...more })
    const claimed = { dueTenants: async () => [], unfinished: async () => [id] }
    const sweeps = [
      named('calls', {}),
      named('claimed', claimed),
      named('scans', { realTime: true }),
    ]
    const bounds = { in_hand_ms: 0, outside_ms: 0 }
    const locked = sweepOver(() => [id], idle, { name: 'locked' })
    const sweeper = createSweeper({
      db: world.db,
      log: world.log,
      contextOf: (one) => world.ctx(one),
      bounds,
      sweeps: [...sweeps, locked],
    })
    assert.deepEqual(await sweeper.runDueJobs(id), ['calls', 'claimed', 'locked'])
  })
})

describe('work that is in due_work', () => {
  test('is found at its time, and a turn that leaves none settles it', async () => {
    const { id } = await world.otherTenant()
    const kind = dueKind({ name: 'planted', table: 'document_looks' })
    const turns: string[] = []
    const done = Promise.withResolvers<void>()
    const sweep: Sweep = {
      ...kind,
      async run({ tenant_id, db }) {
        turns.push(tenant_id)
        await sql`delete from document_looks where tenant_id = ${tenant_id}`.execute(db)
        done.resolve()
        return { more: false }
      },
    }
    await transact(await world.ctx(id), async (tx) => {
      await sql`insert into document_looks (tenant_id, due) values (${id}, ${tx.now})`.execute(
        tx.db,
      )
      await dueBy(tx, kind, tx.now)
    })
    const sweeper = sweeperOf(sweep)
    sweeper.start()
    try {
      await done.promise
      const left = () => sql`select from due_work where tenant_id = ${id}`.execute(world.db)
      await until('the time is deleted', async () => (await left()).rows.length === 0)
      assert.deepEqual(turns, [id])
    } finally {
      await sweeper.stop()
    }
  })

  test('that nobody has noted fails a test whose clock moves', async () => {
    const { id } = await world.otherTenant()
    await sql`
      insert into document_looks (tenant_id, due) values (${id}, '2030-01-01')`.execute(world.db)
    const kind = dueKind({ name: 'planted', table: 'document_looks' })
    const sweep: Sweep = { ...kind, run: async () => ({ more: false }) }
    const sweeper = createSweeper({
      db: world.db,
      log: world.log,
      contextOf: (one) => world.ctx(one),
      sweeps: [sweep],
      checksDueWork: true,
    })
    await assert.rejects(sweeper.runDueJobs(id), /"planted" would not find what is due at 2030/)
  })
})

test('a tenant whose turn has failed has another one without being named or found', async () => {
  const { id } = await world.otherTenant()
  let tries = 0
  const done = Promise.withResolvers<void>()
  const sweep = sweepOver(
    () => [],
    async () => {
      tries += 1
      if (tries < 2) throw new Error('planted failure')
      done.resolve()
      return false
    },
    SELDOM,
  )
  const sweeper = sweeperOf(sweep)
  sweeper.start()
  try {
    sweeper.notify('planted', id)
    await done.promise
    assert.equal(tries, 2)
  } finally {
    await sweeper.stop()
  }
})

describe('start', () => {
  test('runs what is due, and a channel wakes it long before its next poll', async () => {
    let due = [world.tenant.id]
    let done = Promise.withResolvers<string>()
    const sweep = sweepOver(
      () => due.splice(0),
      async ({ tenant_id }) => {
        done.resolve(tenant_id)
        return false
      },
      SELDOM,
    )
    const sweeper = sweeperOf(sweep)
    sweeper.start()
    try {
      assert.equal(await done.promise, world.tenant.id)
      for (let turn = 0; turn < 5; turn++) {
        done = Promise.withResolvers()
        due = [world.tenant.id]
        sweeper.notify('planted')
        await done.promise
      }
    } finally {
      await sweeper.stop()
    }
  })

  test('the fault of one tenant holds up no other, is logged, and is tried again', async () => {
    const [bad, good] = [await world.otherTenant(), await world.otherTenant()]
    let tries = 0
    const again = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    const sweep = sweepOver(
      () => [bad.id, good.id],
      async ({ tenant_id }) => {
        if (tenant_id === good.id) done.resolve()
        else {
          tries += 1
          if (tries > 1) again.resolve()
          throw new Error('planted fault')
        }
        return false
      },
      SELDOM,
    )
    const sweeper = sweeperOf(sweep)
    sweeper.start()
    try {
      await done.promise
      sweeper.notify('planted')
      await again.promise
      const line = world.logged.find((text) => text.includes('planted fault'))
      assert.ok(line?.includes(bad.id))
      // Each round serves the other one.
      await until('one that waits', () => sweeper.measure()[0]?.tenants === 1)
      const [{ sweep: name, seconds } = assert.fail()] = sweeper.measure()
      assert.equal(name, 'planted')
      assert.ok(seconds > 0, String(seconds))
    } finally {
      await sweeper.stop()
    }
  })

  test('stop waits for the portion that runs and starts no other', async () => {
    const [started, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let portions = 0
    const sweep = sweepOver(
      () => [world.tenant.id],
      async () => {
        portions += 1
        started.resolve()
        await released.promise
        return true
      },
    )
    const sweeper = sweeperOf(sweep)
    sweeper.start()
    await started.promise
    let stopped = false
    const stopping = sweeper.stop().then(() => {
      stopped = true
    })
    await world.ctx()
    assert.equal(stopped, false)
    released.resolve()
    await stopping
    assert.equal(portions, 1)
  })
})

test('tenantsWithDue compares with the clock of each tenant', async () => {
  const [now, ahead] = [await world.otherTenant(), await world.otherTenant()]
  await world.db
    .updateTable('tenants')
    .set({ clock_offset_ms: BigInt(2 * DAY_MS) })
    .where('id', '=', ahead.id)
    .execute()
  const real = new Date()
  const due = new Date(real.getTime() + DAY_MS)
  for (const { id } of [now, ahead]) {
    const webhook_id = newId()
    const times = { created: real, modified: real }
    await world.db
      .insertInto('webhooks')
      .values({
        tenant_id: id,
        id: webhook_id,
        endpoint: 'https://a.example',
        events: [],
        status: 'ACTIVE',
        sealed_config: Buffer.of(0),
        sealed_secret: Buffer.of(0),
        ...times,
      })
      .execute()
    await world.db
      .insertInto('deliveries')
      .values({
        tenant_id: id,
        id: newId(),
        webhook_id,
        event_id: newId(),
        object_id: newId(),
        event: 'TRANSACTION',
        sequence: 1,
        status: 'PENDING',
        due,
        ...times,
      })
      .execute()
  }
  const dueTenants = tenantsWithDue('deliveries', 'due')
  assert.deepEqual(await dueTenants(world.db, FIRST_ID, 100), [ahead.id])
  await world.db.updateTable('deliveries').set({ due: real }).execute()
  const [first = '', second = ''] = [now.id, ahead.id].sort()
  assert.deepEqual(await dueTenants(world.db, FIRST_ID, 100), [first, second])
  assert.deepEqual(await dueTenants(world.db, FIRST_ID, 1), [first])
  assert.deepEqual(await dueTenants(world.db, first, 100), [second])
})

test('every tenant has its turn, though the first hundred always find more to do', async () => {
  await using crowded = await openWorld()
  const real = new Date()
  const ids = Array.from({ length: 250 }, () => newId())
  await crowded.db
    .insertInto('tenants')
    .values(ids.map((id) => ({ id, name: id, settings: '{}', created: real, modified: real })))
    .execute()
  await crowded.db
    .insertInto('tenant_anchors')
    .values(ids.map((tenant_id) => ({ tenant_id })))
    .execute()
  const portions = new Map<string, number>()
  const endless = new Set(ids.slice(0, 100))
  const all = Promise.withResolvers<void>()
  const sweeper = createSweeper({
    db: crowded.db,
    log: crowded.log,
    contextOf: (id) => crowded.ctx(id),
    sweeps: [
      {
        name: 'planted',
        // All that a test made before have ids below those of this test.
        dueTenants: tenantsWith(sql`t.id >= ${ids[0]}::uuid`),
        async run({ tenant_id }) {
          portions.set(tenant_id, (portions.get(tenant_id) ?? 0) + 1)
          if (portions.size === ids.length) all.resolve()
          return { more: endless.has(tenant_id) }
        },
      },
    ],
  })
  sweeper.start()
  try {
    await Promise.race([all.promise, pause(30_000, undefined, { ref: false })])
  } finally {
    await sweeper.stop()
  }
  assert.deepEqual([...portions.keys()].sort(), ids)
})

test('while it is paused nothing begins, and afterwards the sweeps go on', async () => {
  let [isPaused, turns] = [true, 0]
  const done = Promise.withResolvers<void>()
  const sweep = sweepOver(
    () => [world.tenant.id],
    async () => {
      turns += 1
      done.resolve()
      return false
    },
    SELDOM,
  )
  const parts = { db: world.db, log: world.log, contextOf: (id: string) => world.ctx(id) }
  const sweeper = createSweeper({ ...parts, sweeps: [sweep], isPaused: () => isPaused })
  sweeper.start()
  try {
    for (let round = 0; round < 5; round++) {
      sweeper.notify('planted')
      await world.ctx()
    }
    assert.equal(turns, 0)
    isPaused = false
    sweeper.notify('planted')
    await done.promise
  } finally {
    await sweeper.stop()
  }
})

test('sweeps that look by themselves do so one after another, also behind one that fails', async () => {
  let [looking, most] = [0, 0]
  const seen: string[] = []
  const done = Promise.withResolvers<void>()
  const looker = (name: string): Sweep => ({
    name,
    every_ms: 60_000,
    async dueTenants() {
      looking += 1
      most = Math.max(most, looking)
      await sql`select 1`.execute(world.db)
      looking -= 1
      seen.push(name)
      if (seen.length === 3) done.resolve()
      if (name === 'b') throw new Error('planted')
      return []
    },
    run: async () => ({ more: false }),
  })
  const sweeper = sweeperOf(looker('a'), looker('b'), looker('c'))
  sweeper.start()
  await done.promise
  await sweeper.stop()
  assert.equal(most, 1)
  assert.deepEqual(new Set(seen), new Set(['a', 'b', 'c']))
})
