/**
 * The node that gets a tenant's work on a cluster. The nodes are ways to one PostgreSQL, whose
 * database has tables and a function like those by which Citus shows the place of rows.
 */

import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { Write } from '#kit/db/write.ts'
import { newId } from '#lib/id.ts'
import { imitateCluster } from '#test/support/cluster/imitation.ts'
import { createTestDatabase } from '#test/support/processes/server.ts'
import { openProxy } from '#test/support/services/proxy.ts'
import { until } from '#test/support/services/receiver.ts'
import { type Db, openDatabase } from '../database.ts'
import { USUAL_ROLE } from '../security/program_role.ts'
import { type Ask, Nodes, urlOf } from './nodes.ts'

const portOf = (url: string): number => Number(new URL(url).port)

type Row = { shard: string; host: string | null; port: number }
const [ONE, OTHER] = [
  { host: 'one', port: 5432 },
  { host: 'other', port: 5432 },
]

/** A cluster that says what it is asked. */
function clusterOf(placed: Row[], shards: Record<string, string>) {
  const asked: string[] = []
  const ask: Ask = async <Answer>(text: string, [tenant_id]: readonly unknown[]) => {
    asked.push(text.includes('pg_dist_shard') ? 'nodes' : 'shard')
    const shard = shards[String(tenant_id)]
    const rows = text.includes('pg_dist_shard') ? placed : shard ? [{ shard }] : []
    return structuredClone(rows) as Answer[]
  }
  return { asked, nodes: new Nodes(ask) }
}

describe('the node of a tenant', () => {
  test('is asked for once, as are the nodes of all shards', async () => {
    const placed = [
      { shard: '1', ...ONE },
      { shard: '2', ...OTHER },
    ]
    const { asked, nodes } = clusterOf(placed, { a: '1', b: '2' })
    for (let time = 0; time < 3; time++) {
      assert.deepEqual(await nodes.of('a'), ONE)
      assert.deepEqual(await nodes.of('b'), OTHER)
    }
    assert.deepEqual(asked, ['nodes', 'shard', 'shard'])
  })

  test('is the server that was asked where its rows are there', async () => {
    const { nodes } = clusterOf([{ shard: '1', host: null, port: 5432 }], { a: '1' })
    assert.equal(await nodes.of('a'), null)
  })

  test('is another after the shard has been split', async () => {
    const placed = [{ shard: '1', ...ONE }]
    const shards = { a: '1' }
    const { nodes } = clusterOf(placed, shards)
    assert.deepEqual(await nodes.of('a'), ONE)
    placed.splice(0, 1, { shard: '3', ...OTHER })
    shards.a = '3'
    await nodes.listTenants([])
    assert.deepEqual(await nodes.of('a'), OTHER)
  })

  test('is any where the tables are on one server, and where it cannot be asked for', async () => {
    const { asked, nodes } = clusterOf([], { a: '1' })
    assert.equal(await nodes.of('a'), null)
    assert.equal(await nodes.of('a'), null)
    assert.deepEqual(asked, ['nodes'])
    const failing = new Nodes(() => Promise.reject(new Error('no')))
    assert.equal(await failing.of('a'), null)
  })

  test('is left alone for a while after it could not be reached', async () => {
    const { nodes } = clusterOf([{ shard: '1', ...ONE }], { a: '1' })
    nodes.avoid(ONE)
    assert.equal(await nodes.of('a'), null)
    assert.deepEqual(await nodes.withRowsOf('a'), ONE)
  })
})

test('the address of a node is that of the database with another host', () => {
  const node = { host: '10.0.0.2', port: 6432 }
  const of = (url: string, at = node) => urlOf(url, at)
  assert.equal(
    of('postgres://me:p%40@db:1/cards?sslmode=require'),
    'postgres://me:p%40@10.0.0.2:6432/cards?sslmode=require',
  )
  assert.equal(
    of('postgresql://me:pw@/cards?host=/run/pg'),
    'postgresql://me:pw@10.0.0.2:6432/cards',
  )
  assert.equal(of('postgres:///cards?host=/run&port=5'), 'postgres://10.0.0.2:6432/cards')
  assert.equal(of('postgres://u@db/c', { host: 'fe80::1', port: 1 }), 'postgres://u@[fe80::1]:1/c')
})

describe('on a cluster', async () => {
  const database = await createTestDatabase()
  const [one, other] = await Promise.all([openProxy(database.url), openProxy(database.url)])
  const owner = openDatabase(database.url, 1)
  const turned: string[] = []
  const program = openDatabase(database.url, 2, {
    role: USUAL_ROLE,
    explicit: true,
    onTurn: (server, answers) => turned.push(`${server} ${answers}`),
  })
  const { db, batches, entries } = program
  after(async () => {
    await Promise.all([owner.close(), program.close()])
    await Promise.all([one.close(), other.close()])
    await database.drop()
  })
  const [here, there, far] = [newId(), newId(), newId()]
  const placed = [
    { tenant: here, port: 0 },
    { tenant: there, port: portOf(one.url) },
    { tenant: far, port: portOf(other.url) },
  ]
  await imitateCluster(owner.db, placed)
  beforeEach(() => {
    one.mend()
    other.mend()
  })

  const statedTenant = sql<{ tenant: string }>`select current_setting('bezant.tenant') as tenant`
  const stated = async (on: Db) => {
    const { rows } = await statedTenant.execute(on)
    return rows[0]?.tenant
  }

  /** Whether a node is away, by pulses that are kept awake. */
  const turnsOf = async (on: Db) => {
    await stated(on.forTenant(there)).catch(() => {})
    return on.isNodeAway()
  }

  test('a tenant is served where its rows are, whatever becomes of other nodes', async () => {
    for (const on of [db, batches]) {
      assert.equal(await stated(on.forTenant(there)), there)
      assert.equal(await stated(on.forTenant(far)), far)
    }
    one.cut()
    assert.equal(await stated(db.forTenant(far)), far)
    assert.equal(await stated(db.forTenant(here)), here)
    await stated(db.overAllTenants())
  })

  test('a node that cannot be reached is passed by', async () => {
    other.cut()
    // The next borrower finds that an open connection was cut.
    await until('it is passed by', () => stated(db.forTenant(far)).then(Boolean, () => false))
    const line = await batches.forTenant(far).openLine()
    try {
      const [found] = await line.send((on) => Write.of(on, statedTenant))
      assert.deepEqual(found?.rows, [{ tenant: far }])
    } finally {
      line.release()
    }
    assert.equal(await db.forTenant(far).runTransaction(stated), far)
  })

  test('each node is an entry of its own, by its name', async () => {
    const names = (await entries()).map(({ name }) => name)
    const ports = placed.slice(1).map(({ port }) => `127.0.0.1:${port}`)
    assert.equal(names[0], 'the database')
    assert.deepEqual(names.slice(1).sort(), ports.sort())
  })

  test('a node that does not answer is named once, and its tenants are not reached until it does', async () => {
    for (const id of [here, far]) {
      await sql`insert into tenants (id, name, created, modified)
        values (${id}, 'planted', now(), now())`.execute(owner.db)
    }
    const everyone = db.overAllTenants()
    await until('all answer', async () => !(await turnsOf(everyone)))
    assert.equal(await everyone.listReached(), undefined)
    turned.length = 0
    other.cut()
    await until('it is away', () => turnsOf(everyone))
    assert.deepEqual(await everyone.listReached(), [here])
    assert.deepEqual(await Promise.all([here, there, far].map((id) => everyone.isAway(id))), [
      false,
      false,
      true,
    ])
    const outage = Object.assign(new Error('connection failed'), { code: '08006' })
    assert.equal(await everyone.isOfNode(outage), true)
    assert.equal(await everyone.isOfNode(new Error('a fault')), false)
    other.mend()
    await until('it answers again', async () => !(await turnsOf(everyone)))
    assert.equal(await everyone.listReached(), undefined)
    const name = `127.0.0.1:${portOf(other.url)}`
    assert.deepEqual(turned, [`${name} false`, `${name} true`])
  })

  test('what all processes are to hear is sent to the server of the address', async () => {
    one.cut()
    await sql`select 1`.execute(db.forTenant(there).atEntry())
  })
})
