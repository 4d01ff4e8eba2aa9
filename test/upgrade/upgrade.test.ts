/**
 * A database that 1.0.0 has filled and left with open work: this version takes it over. Nothing of
 * it depends on the day: the clock of the tenant moves past all that waits for a time.
 */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import type { SandboxFile } from '#sandbox/seed/file.ts'
import { keeper } from '#test/support/keeper.ts'
import { dataFolder, type Launched, launch, sandboxIn } from '#test/support/processes/process.ts'
import { databaseUrl, onServer } from '#test/support/processes/server.ts'
import { openReceiver, until } from '#test/support/services/receiver.ts'
import { rowsOf, tablesOf } from './dump.ts'
import { fixtureMasterKey, loadFixture, readDump } from './fixture.ts'
import { NOT_ENDED, OPEN_WORK } from './open_work.ts'

/**
 * The folder of the program that serves beside this one: that of the release before, where
 * TEST_OLDER names it (CONTRIBUTING.md). Without it both are this version, and what is proved is
 * that two processes share the database.
 */
const OLDER = process.env['TEST_OLDER'] ?? process.cwd()
const NEWER = process.cwd()
/** Beyond the deadline of everything that is open. */
const MOVES = ['P45D', 'P45D']

/**
 * Tables in which the fixture has no row: those that a job writes while it runs for longer than one
 * portion, those written at the second attempt of something, and counts of other moments.
 */
const EMPTY = [
  'public.backtest_counters',
  'public.backtest_open',
  'public.card_verification_tries',
  'public.chain_counters',
  'public.decision_counts',
  'public.delivery_attempts',
  'public.loose_blobs',
  'public.sandbox_media',
  'public.sandbox_webhook_requests',
  'public.shadow_counts',
  'public.unanswered_approvals',
  'public.unlinked_credits',
  'public.user_counters',
]

type Process = { running: Launched; sandbox: SandboxFile; data_dir: string }

const keep = keeper()
const receiver = keep(await openReceiver())
const SERVER = process.env['TEST_SERVER_URL'] ?? ''
const name = `t_upgrade_${randomBytes(6).toString('hex')}`
const url = databaseUrl(SERVER, name)
const folders = [dataFolder(), dataFolder()] as const
let older: Process
let newer: Process
let tenant_id = ''
let found: Map<string, Set<string>>

before(async () => {
  await onServer(SERVER, (client) => client.query(`create database ${name}`))
  await loadFixture(url)
  tenant_id = await onServer(url, tenantOf)
  found = await openWork()
})
after(async () => {
  for (const one of [older, newer]) one?.running.kill('SIGKILL')
  for (const one of [older, newer]) await one?.running.ended
  await onServer(SERVER, (client) => client.query(`drop database if exists ${name} with (force)`))
})

/** The tenant with one of everything, whose jobs have not run. */
async function tenantOf(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ tenant_id: string }>(
    'select tenant_id from widget_tokens order by created desc limit 1',
  )
  return rows[0]?.tenant_id ?? ''
}

async function openWork(): Promise<Map<string, Set<string>>> {
  return onServer(url, async (client) => {
    const work = new Map<string, Set<string>>()
    for (const [what, query] of Object.entries(OPEN_WORK)) {
      const { rows } = await client.query<{ id: string }>(query, [tenant_id])
      work.set(what, new Set(rows.map(({ id }) => id)))
    }
    return work
  })
}

async function unexpanded(): Promise<number> {
  return onServer(url, async (client) => {
    const { rowCount } = await client.query(
      'select from events where place is not null and to_deliver is not null',
    )
    return rowCount ?? 0
  })
}

async function begin(program: string, data_dir: string, roles: string): Promise<Process> {
  const env = { DATABASE_URL: url, DATA_DIR: data_dir, MASTER_KEY: fixtureMasterKey() }
  const running = launch({ ...env, ROLES: roles }, [join(program, 'src/main.ts')])
  await running.ready
  return { running, data_dir, sandbox: sandboxIn(data_dir) }
}

type Call = { key?: string; token?: string; body?: object }

async function ask({ sandbox }: Process, method: string, path: string, call: Call = {}) {
  const { key = sandbox.operator_key, token, body } = call
  const caller = token === undefined ? { apikey: key } : { authorization: `Bearer ${token}` }
  const headers = { ...caller, ...(body && { 'content-type': 'application/json' }) }
  const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  const reply = await fetch(`${sandbox.base_url}${path}`, sent)
  const text = await reply.text()
  assert.ok(reply.ok, `${method} ${path}: ${reply.status} ${text}`)
  return text === '' ? {} : JSON.parse(text)
}

/** A key of the tenant, whose own ones are nowhere but with their owners. */
async function keyOf(process: Process): Promise<string> {
  const body = { permissions: ['read', 'write'] }
  const made = await ask(process, 'POST', `/v1/operator/tenants/${tenant_id}/keys`, { body })
  return String(made.key)
}

/** A token of the tenant's merchant. */
async function merchantOf(process: Process): Promise<string> {
  const list = `/v1/operator/merchants?tenant_id=${tenant_id}`
  const { data } = await ask(process, 'GET', list)
  const pair = await ask(process, 'POST', `/v1/operator/merchants/${data[0].id}/keys`)
  const body = { public_key: pair.public_key, private_key: pair.private_key }
  const { token } = await ask(process, 'POST', '/api/v1.0/merchant/authentication', { body })
  return String(token)
}

/** `due` names what doctor finds on a later day because its job has not run yet. */
async function assertSoundByDoctor(program = NEWER, due: readonly string[] = []): Promise<void> {
  const command = join(program, 'apps/cli/bezant.mjs')
  const doctor = launch({ DATABASE_URL: url }, [command, 'doctor', '--json'])
  await doctor.ended
  const { checks } = JSON.parse(doctor.output())
  const found = checks.filter(
    ({ name, ok }: { name: string; ok: boolean }) => !ok && !due.includes(name),
  )
  assert.ok(checks.length > 0)
  assert.deepEqual(found, [])
}

test('the fixture has a row in each table, and work of each job', async () => {
  const filled = rowsOf(readDump())
  const tables = await onServer(url, tablesOf)
  const empty = tables.filter((table) => !filled.has(table.name)).map((table) => table.name)
  assert.deepEqual(empty, EMPTY)
  for (const [what, ids] of found) assert.ok(ids.size > 0, what)
})

test('the older program and this one start on it, and doctor finds nothing', async () => {
  older = await begin(OLDER, folders[0], 'api,network')
  // Every process makes them, once it looks; doctor reports those that wait since the release.
  await until('deliveries of batches are made', async () => (await unexpanded()) === 0)
  await assertSoundByDoctor(OLDER, ['payments in doubt'])
})

test('deliveries go to where their subscriptions point from now on', async () => {
  const key = await keyOf(older)
  const { data } = await ask(older, 'GET', '/v1/webhooks', { key })
  assert.ok(data.length > 0)
  for (const { id } of data) {
    await ask(older, 'PUT', `/v1/webhooks/${id}`, { key, body: { endpoint: receiver.url } })
  }
  const token = await merchantOf(older)
  const { data: endpoints } = await ask(older, 'GET', '/api/v1.0/webhooks', { token })
  assert.ok(endpoints.length > 0)
  for (const { webhook_id } of endpoints) {
    const body = { url: receiver.url }
    await ask(older, 'PUT', `/api/v1.0/webhooks/${webhook_id}`, { token, body })
  }
})

test('every open job ends as its clock moves on, beside the older program', async () => {
  newer = await begin(NEWER, folders[1], 'api,network,worker')
  const key = await keyOf(newer)
  for (const [at, advance] of MOVES.entries()) {
    const by = at % 2 === 0 ? newer : older
    await ask(by, 'PUT', '/v1/simulate/clock', { key, body: { advance } })
  }
  for (const [what, ids] of found) {
    await until(what, async () => {
      const left = (await openWork()).get(what) ?? new Set()
      return [...ids].every((id) => !left.has(id))
    })
  }
  await onServer(url, async (client) => {
    for (const [what, query] of Object.entries(NOT_ENDED)) {
      const { rows } = await client.query(query, [tenant_id, [...(found.get(what) ?? [])]])
      assert.deepEqual(rows, [], what)
    }
  })
})

test('the demo passes at both programs, and doctor finds nothing', async () => {
  await assertSoundByDoctor()
  for (const { data_dir } of [older, newer]) {
    const demo = launch({ DATA_DIR: data_dir }, ['apps/cli/bezant.mjs', 'demo'])
    assert.equal(await demo.ended, 0, `${demo.output()}${demo.errors().join('\n')}`)
  }
  await assertSoundByDoctor()
})

test('both end as they are asked to', async () => {
  for (const { running } of [older, newer]) {
    running.kill('SIGTERM')
    assert.equal(await running.ended, 0, running.output())
  }
})
