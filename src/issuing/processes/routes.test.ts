import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { JobRecords } from '#kit/jobs/job_records.ts'
import { newId } from '#lib/id.ts'
import { keeper } from '#test/support/keeper.ts'
import { memberWith } from '#test/support/portal/browser.ts'
import { openWorld } from '#test/support/world.ts'
import { forgetOldProcesses, forgetProcess, type Heartbeat, recordProcess } from './processes.ts'

const keep = keeper()
const world = keep(await openWorld())
beforeEach(() => world.db.deleteFrom('processes').execute())

const ask = async (path: string, key = world.operator_key) =>
  world.request('GET', path, undefined, { key })

async function beat(more: Partial<Heartbeat> = {}): Promise<string> {
  const id = newId()
  const usual = { id, name: 'api 0001', version: '1.0.0', roles: ['api'], connections: 0, jobs: [] }
  await recordProcess(world.db, { ...usual, ...more })
  return id
}

/** It was last seen so long ago. */
const age = (id: string, by: string) =>
  sql`update processes set seen = now() - ${by}::interval where id = ${id}`.execute(world.db)

test('getHealth tells of each part, to a key that reads and to a viewer', async () => {
  await beat({ roles: ['api', 'worker'] })
  const stale = await beat({ roles: ['network'] })
  await age(stale, '20 seconds')
  const { status, body } = await ask('/v1/health', world.tenant.api_key)
  assert.equal(status, 200)
  assert.equal(body.status, 'DEGRADED')
  assert.deepEqual(
    body.parts.map((one: { part: string; status: string }) => `${one.part} ${one.status}`),
    ['API UP', 'NETWORK STALE', 'WORKER UP', 'DATABASE UP'],
  )
  const { browser } = await memberWith(world, 'viewer', world.tenant.id)
  assert.equal((await browser.ask('GET', '/v1/health')).status, 200)
})

test('the platform is OK where one process has every role', async () => {
  await beat({ roles: ['api', 'network', 'worker'] })
  assert.equal((await ask('/v1/health', world.tenant.api_key)).body.status, 'OK')
})

test('a heartbeat changes the row of its process, and a process that stops has none', async () => {
  const id = await beat()
  await age(id, '1 hour')
  await beat({ id, connections: 3 })
  const [process, ...others] = (await ask('/v1/operator/processes')).body.processes
  assert.deepEqual(others, [])
  assert.deepEqual([process.id, process.status, process.connections], [id, 'UP', 3])
  assert.equal('jobs' in process, false)
  await forgetProcess(world.db, id)
  assert.deepEqual((await ask('/v1/operator/processes')).body.processes, [])
})

test('a process that was killed is DOWN for a day, and deleted then', async () => {
  const killed = await beat()
  await age(killed, '23 hours')
  const seen = async () => {
    await beat({ name: 'other' })
    await forgetOldProcesses(world.db)
    const { processes } = (await ask('/v1/operator/processes')).body
    return processes.find(({ id }: { id: string }) => id === killed)?.status
  }
  assert.equal(await seen(), 'DOWN')
  await age(killed, '25 hours')
  assert.equal(await seen(), undefined)
})

test('listJobs has the jobs of processes that are there, those that fail first', async () => {
  const records = new JobRecords(() => 0)
  for (const name of ['a', 'b', 'c']) records.add({ name, kind: 'SWEEP', every_ms: 1_000 })
  await records.run('a', async () => {})
  records.fail('c', new Error('secret'))
  const jobs = records.read((await world.ctx()).now)
  const id = await beat({ name: 'worker 0002', roles: ['worker'], jobs })
  const gone = await beat({ roles: ['worker'], jobs })
  await age(gone, '61 seconds')
  const { status, body, text } = await ask('/v1/operator/jobs')
  assert.equal(status, 200)
  assert.deepEqual(
    body.jobs.map((job: Record<string, string>) => [job['name'], job['status'], job['process_id']]),
    [
      ['c', 'FAILING', id],
      ['b', 'WAITING', id],
      ['a', 'OK', id],
    ],
  )
  assert.ok(!text.includes('secret'))
  const [{ last_failed, failures, every_seconds }] = body.jobs
  assert.deepEqual([failures, every_seconds, typeof last_failed], [1, 1, 'string'])
})

test('processes and jobs are for the operator and its team', async () => {
  for (const path of ['/v1/operator/processes', '/v1/operator/jobs']) {
    assert.equal((await ask(path, world.tenant.api_key)).status, 403)
    assert.equal((await ask(path, 'none')).status, 401)
    const { browser } = await memberWith(world, 'operator_support', null)
    assert.equal((await browser.ask('GET', path)).status, 200)
  }
})

test('a program that listens is all UP at once with its jobs, and leaves no row behind', async () => {
  const own = await openWorld()
  try {
    await own.listen()
    const health = await own.request('GET', '/v1/health')
    assert.equal(health.body.status, 'OK', health.text)
    const options = { key: own.operator_key }
    const { body } = await own.request('GET', '/v1/operator/processes', undefined, options)
    const [{ name, roles }] = body.processes
    assert.deepEqual(roles, ['api', 'network', 'worker'])
    assert.match(name, /^api\+network\+worker \w{4}$/)
    await own.close()
    const { rows } = await sql`select from processes`.execute(own.db)
    assert.equal(rows.length, 0)
  } finally {
    await own[Symbol.asyncDispose]()
  }
})
