/** Due work of tenants while the node of one of them does not answer, on an imitated cluster. */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '#kit/db/database.ts'
import { USUAL_ROLE } from '#kit/db/security/program_role.ts'
import { imitateCluster } from '#test/support/cluster/imitation.ts'
import { openProxy } from '#test/support/services/proxy.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'
import { measureBacklogs } from './backlogs.ts'
import { tenantsWith } from './due_tenants.ts'
import { createSweeper } from './sweeper.ts'

const world = await openWorld()
const proxy = await openProxy(world.url)
const database = openDatabase(world.url, 4, { role: USUAL_ROLE, explicit: true })
const { db } = database
after(async () => {
  await database.close()
  await proxy.close()
  await world[Symbol.asyncDispose]()
})

const [here, far] = [await world.otherTenant(), await world.otherTenant()]
await imitateCluster(world.db, [
  { tenant: here.id, port: 0 },
  { tenant: far.id, port: Number(new URL(proxy.url).port) },
])
const everyone = db.overAllTenants()
/** By a pulse that is kept awake. */
const isAway = async () => {
  await sql`select`.execute(db.forTenant(far.id)).catch(() => {})
  return everyone.isNodeAway()
}

const find = tenantsWith(sql`t.id in (${here.id}, ${far.id})`)

test('a tenant whose node is away waits without a line, all others are served, and then it is', async () => {
  const served = new Set<string>()
  const sweep = {
    name: 'planted',
    every_ms: 1_000,
    dueTenants: find,
    run: async ({ tenant_id }: { tenant_id: string }) => {
      await sql`select`.execute(db.forTenant(tenant_id))
      served.add(tenant_id)
      return { more: false }
    },
  }
  const contextOf = (id: string) => world.ctx(id)
  const sweeper = createSweeper({ db, log: world.log, contextOf, sweeps: [sweep] })
  sweeper.start()
  try {
    await until('both are served', () => served.has(here.id) && served.has(far.id))
    proxy.cut()
    await until('the node is away', isAway)
    // A turn that began before has ended by the second time.
    for (let time = 0; time < 2; time += 1) {
      served.clear()
      await until('the other is served', () => served.has(here.id))
    }
    assert.equal(served.has(far.id), false)
    proxy.mend()
    await until('it is served again', () => served.has(far.id))
  } finally {
    await sweeper.stop()
  }
  assert.deepEqual(
    world.logged.filter((line) => line.includes('a sweep failed')),
    [],
  )
})

test('looks and the measures of queues name the tenants of the nodes that answer', async () => {
  proxy.cut()
  await until('the node is away', isAway)
  const first = '00000000-0000-0000-0000-000000000000'
  assert.deepEqual(await find(everyone, first, 10), [here.id])
  const conditions: string[] = []
  await measureBacklogs(everyone, [
    {
      queue: 'planted',
      rows: (reached) => {
        const condition = reached('where', 'id')
        conditions.push(condition.compile(everyone).sql)
        return sql`select null::timestamptz as since from tenants${condition}`
      },
    },
  ])
  assert.deepEqual(conditions, [' where "id" = any ($1::uuid[])'])
  proxy.mend()
  await until('it answers again', async () => !(await isAway()))
  assert.deepEqual((await find(everyone, first, 10)).sort(), [here.id, far.id].sort())
})
