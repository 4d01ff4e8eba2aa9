import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { isOfCluster } from '#kit/db/connections/cluster.ts'
import { StartError } from '#kit/start_error.ts'
import { createTestDatabase } from '#test/support/processes/server.ts'
import { bindMode, refuseOtherMode, refuseOtherRecordedMode } from './mode.ts'

const DEMO = '00000000-0000-7000-8000-000000000001'
const OTHER = '0197dddd-0000-7000-8000-00000000000a'
const EARLY = '2026-01-01T00:00:00Z'
const LATE = '2026-02-01T00:00:00Z'

const tenant = (id: string, created: string, offset = 0) =>
  `insert into tenants (id, name, clock_offset_ms, created, modified)
    values ('${id}', 'A', ${offset}, '${created}', '${created}')`
const operatorKey = (created: string) =>
  `insert into api_keys (id, key_hash, hint, permissions, created)
    values (gen_random_uuid(), sha256('${created}'), 'x', '{operator}', '${created}')`

async function openPool() {
  const { url, drop } = await createTestDatabase()
  const pool = new pg.Pool({ connectionString: url })
  // A session that was closed after a failure may be ended with its database.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return Object.assign(pool, {
    async [Symbol.asyncDispose]() {
      await pool.end()
      await drop()
    },
  })
}

function saying(words: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof StartError, String(error))
    assert.doesNotMatch(error.message, /\n/)
    assert.match(error.message, words)
    return true
  }
}

for (const [mode, other] of [
  ['live', 'sandbox'],
  ['sandbox', 'live'],
] as const) {
  test(`an empty database becomes ${mode} by its first start and stays so`, async () => {
    await using pool = await openPool()
    await refuseOtherMode(pool, mode)
    await bindMode(pool, mode)
    await bindMode(pool, mode)
    const words = saying(new RegExp(`MODE is ${other}, .* belongs to a ${mode} platform: set MODE`))
    await assert.rejects(bindMode(pool, other), words)
    await assert.rejects(refuseOtherMode(pool, other), words)
    await assert.rejects(refuseOtherRecordedMode(pool, other), words)
    await refuseOtherRecordedMode(pool, mode)
  })
}

test('of many first starts in both modes, one mode wins for all', async () => {
  await using pool = await openPool()
  const modes = ['live', 'sandbox', 'live', 'sandbox', 'live', 'sandbox'] as const
  const bound = await Promise.allSettled(modes.map((mode) => bindMode(pool, mode)))
  const winners = modes.filter((_, index) => bound[index]?.status === 'fulfilled')
  assert.deepEqual([winners.length, new Set(winners).size], [3, 1])
})

const held: [what: string, rows: string[], mode: 'live' | 'sandbox', other: 'live' | 'sandbox'][] =
  [
    ['with tenants and no demo', [tenant(OTHER, EARLY)], 'live', 'sandbox'],
    ['with an operator’s key alone', [operatorKey(EARLY)], 'live', 'sandbox'],
    ['with the demo tenant', [tenant(DEMO, EARLY), operatorKey(EARLY)], 'sandbox', 'live'],
    ['with a clock that was moved', [tenant(OTHER, EARLY, 1)], 'sandbox', 'live'],
  ]

for (const [what, rows, mode, other] of held) {
  test(`a database of before the record ${what} is ${mode}`, async () => {
    await using pool = await openPool()
    for (const row of rows) await pool.query(row)
    await assert.rejects(bindMode(pool, other), saying(/belongs to/))
    const { rows: recorded } = await pool.query('select mode from installation')
    assert.deepEqual(recorded, [])
    // The database is as the migrations of an earlier program left it.
    await pool.query('drop table installation')
    await assert.rejects(refuseOtherMode(pool, other), saying(/belongs to/))
    await refuseOtherMode(pool, mode)
    await refuseOtherRecordedMode(pool, other)
  })
}

test('a demo tenant that came after other keys is not decided: the operator must state the mode', async () => {
  await using pool = await openPool()
  for (const row of [operatorKey(EARLY), tenant(DEMO, LATE)]) await pool.query(row)
  await refuseOtherMode(pool, 'live')
  const ask = saying(/not certain what it is: say it with "insert into installation \(mode\)/)
  for (const mode of ['live', 'sandbox'] as const) await assert.rejects(bindMode(pool, mode), ask)
  await pool.query("insert into installation (mode) values ('live')")
  await bindMode(pool, 'live')
  await assert.rejects(bindMode(pool, 'sandbox'), saying(/belongs to a live platform/))
})

test('a database without any table is not refused', async (t) => {
  await using pool = await openPool()
  if (await isOfCluster(pool)) return t.skip('one of a cluster has tables')
  await pool.query('drop schema public cascade')
  await refuseOtherMode(pool, 'sandbox')
  await refuseOtherMode(pool, 'live')
})
