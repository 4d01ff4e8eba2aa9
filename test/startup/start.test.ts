/** The program from its start to its end, as a process. */

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { clusterOf } from '#embedded_postgres/embedded_postgres.ts'
import type { SandboxFile } from '#sandbox/seed/file.ts'
import { dataFolder, type Launched, launch, sandboxIn } from '#test/support/processes/process.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/processes/server.ts'
import { until } from '#test/support/services/receiver.ts'

const MASTER_KEY = randomBytes(32).toString('hex')
let database: TestDatabase
before(async () => {
  database = await createTestDatabase()
})
after(() => database.drop())

async function status(url: string, headers: Record<string, string> = {}): Promise<number> {
  return (await fetch(url, { headers, redirect: 'manual' })).status
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers member by member.
async function json(url: string, headers: Record<string, string> = {}): Promise<any> {
  return (await fetch(url, { headers })).json()
}

/** Whether each key of the file opens what it is for. */
async function assertOpens({ base_url, tenant, operator_key, merchant }: SandboxFile) {
  assert.equal(await status(`${base_url}/v1/cards`, { apikey: tenant.api_key }), 200)
  assert.equal(await status(`${base_url}/v1/operator/tenants`, { apikey: operator_key }), 200)
  const { public_key, private_key } = merchant
  const token = await fetch(`${base_url}/api/v1.0/merchant/authentication/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ public_key, private_key }),
  })
  assert.equal(token.status, 200)
}

function reaches({ host, port }: { host: string; port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

async function stop(started: Launched, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  started.kill(signal)
  assert.equal(await started.ended, 0, started.output())
  assert.deepEqual(started.errors(), [])
}

describe('a sandbox on a given database', () => {
  const DATA_DIR = dataFolder()
  const env = () => ({ DATA_DIR, DATABASE_URL: database.url, MASTER_KEY })
  let started: Launched
  let sandbox: SandboxFile
  before(async () => {
    started = launch(env())
    await started.ready
    sandbox = sandboxIn(DATA_DIR)
  })

  test('creates keys for both APIs and the network port, in a file of its own', async () => {
    assert.match(started.output(), /\n {2}DATA_DIR='.+' npm run demo\n/)
    await assertOpens(sandbox)
    assert.ok(await reaches(sandbox.network))
    assert.equal(statSync(join(DATA_DIR, 'sandbox.json')).mode & 0o777, 0o600)
    assert.ok(!started.output().includes(sandbox.tenant.api_key))
  })

  test('has an active product and a funded program account', async () => {
    const { base_url, tenant, operator_key } = sandbox
    const url = `${base_url}/v1/cardproducts/${tenant.card_product_id}`
    const product = await json(url, { apikey: tenant.api_key })
    assert.equal(product.status, 'ACTIVE')
    assert.equal(product.currency, tenant.currency)
    const funding = `${base_url}/v1/operator/tenants/${tenant.id}/funding`
    const { data } = await json(funding, { apikey: operator_key })
    assert.equal(data[0].balance, 1_000_000)
  })

  test('serves health, metrics and documentation that loads nothing from elsewhere', async () => {
    const { base_url } = sandbox
    for (const path of ['healthz', 'readyz', 'metrics', 'docs', 'docs/', 'docs/errors']) {
      assert.equal(await status(`${base_url}/${path}`), 200, path)
    }
    assert.equal(await status(`${base_url}/`), 302)
    for (const api of ['issuing', 'merchant']) {
      const document = await json(`${base_url}/openapi/${api}.json`)
      assert.equal(document.openapi, '3.1.0')
      assert.ok(Object.keys(document.paths).length > 0)
    }
    const docs = await fetch(`${base_url}/docs`)
    assert.match(
      docs.headers.get('content-security-policy') ?? '',
      /^default-src 'none'; script-src 'self'/,
    )
    assert.doesNotMatch(await docs.text(), /https?:\/\//)
    const script = await (await fetch(`${base_url}/docs/scalar.js`)).text()
    assert.match(script, /createApiReference/)
    const errors = await (await fetch(`${base_url}/docs/errors`)).text()
    assert.match(errors, /id="insufficient_funds"[\s\S]*<b>POST<\/b> \/v1\//)
    const problem = await json(`${base_url}/nothing`)
    assert.equal(problem.type, `${base_url}/docs/errors#not_found`)
  })

  test('ends cleanly under requests: none fails, and the exit code is 0', async () => {
    const { base_url, tenant } = sandbox
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = () =>
      new Promise<number>((resolve, reject) => {
        const request = get(
          `${base_url}/v1/cards`,
          { agent, headers: { apikey: tenant.api_key } },
          (answer) => {
            answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
          },
        )
        request.on('error', (error: NodeJS.ErrnoException) => {
          // A connection that the kernel took and the server never read ends as a refused one.
          const unseen = error.code === 'ECONNRESET' && !request.reusedSocket
          reject(unseen ? Object.assign(error, { code: 'ECONNREFUSED' }) : error)
        })
      })
    let [answered, ending] = [0, false]
    const client = async () => {
      for (;;) {
        try {
          const code = await ask()
          assert.ok(code === 200 || code === 429, String(code))
          answered += 1
        } catch (error) {
          // Once the port is closed, new connections are refused; nothing else may fail.
          const { code } = error as NodeJS.ErrnoException
          assert.ok(ending && code === 'ECONNREFUSED', `${code} ${ending}`)
          return
        }
      }
    }
    const clients = Promise.all([client(), client(), client(), client()])
    while (answered < 100) await new Promise((resolve) => setImmediate(resolve))
    ending = true
    const since = performance.now()
    await stop(started)
    assert.ok(performance.now() - since < 10_000)
    await clients
    agent.destroy()
  })

  test('keeps its keys at the next start, prints new ports, and stops on Ctrl-C', async () => {
    const again = launch(env())
    await again.ready
    const kept = sandboxIn(DATA_DIR)
    assert.deepEqual(
      { ...kept, base_url: '', network: 0 },
      { ...sandbox, base_url: '', network: 0 },
    )
    await assertOpens(kept)
    assert.ok(await reaches(kept.network))
    await stop(again, 'SIGINT')
  })

  test('goes on where nobody reads its output, and ends cleanly', async () => {
    const unread = launch(env())
    await unread.ready
    unread.stopReading()
    const { base_url } = sandboxIn(DATA_DIR)
    // The refused request is logged.
    assert.equal(await status(`${base_url}/v1/cards`), 401)
    unread.kill('SIGTERM')
    assert.equal(await unread.ended, 0)
  })

  test('creates new keys when the file is lost, and logs it; the old ones remain valid', async () => {
    rmSync(join(DATA_DIR, 'sandbox.json'))
    const again = launch(env())
    await again.ready
    assert.match(again.output(), /the keys in it are new/)
    const renewed = sandboxIn(DATA_DIR)
    assert.notEqual(renewed.tenant.api_key, sandbox.tenant.api_key)
    await assertOpens(renewed)
    const { base_url, network } = renewed
    await assertOpens({ ...sandbox, base_url, network })
    await stop(again)
  })
})

describe('a process with one role', () => {
  const roles: [role: string, api: number, network: boolean][] = [
    ['api', 200, false],
    ['network', 404, true],
    ['worker', 404, false],
  ]
  for (const [role, api, network] of roles) {
    test(`${role} does that and serves its health`, async () => {
      const DATA_DIR = dataFolder()
      const started = launch({ DATA_DIR, DATABASE_URL: database.url, MASTER_KEY, ROLES: role })
      await started.ready
      const [, base_url = ''] = /(http:\/\/\S+?)\/(docs|readyz)/.exec(started.output()) ?? []
      const { tenant } = sandboxIn(DATA_DIR)
      assert.equal(await status(`${base_url}/readyz`), 200)
      assert.equal(await status(`${base_url}/v1/cards`, { apikey: tenant.api_key }), api)
      assert.equal(/Network/.test(started.output()), network)
      await stop(started)
    })
  }
})

describe('ended before it is ready', () => {
  test('a start that can be finished is, and stops without saying that it is ready', async () => {
    const DATA_DIR = dataFolder()
    const started = launch({ DATA_DIR })
    await until('it has begun', () => started.output().includes('making the database'))
    await stop(started, 'SIGINT')
    assert.match(started.output(), /\nstopped( before it was ready)?\n$/)
    assert.doesNotMatch(started.output(), / is ready after /)
    assert.equal(existsSync(join(clusterOf(DATA_DIR), 'postmaster.pid')), false)
  })

  test('a start that fails then has no error and 0: its end was asked for', async () => {
    const silent = createServer()
    const asked = once(silent, 'connection')
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const DATABASE_URL = `postgresql://nobody:none@127.0.0.1:${port}/none`
    const started = launch({ DATA_DIR: dataFolder(), DATABASE_URL, MASTER_KEY })
    const [socket] = (await asked) as [Socket]
    started.kill('SIGTERM')
    await until('it has the signal', () => started.output().includes('SIGTERM: '))
    silent.close()
    socket.destroy()
    assert.equal(await started.ended, 0)
    assert.match(started.output(), /\nstopped before it was ready\n$/)
    assert.deepEqual(started.errors(), [])
  })
})

test('with its own database: killed, it starts again on what was left; a SIGHUP ends both', async () => {
  const DATA_DIR = dataFolder()
  const first = launch({ DATA_DIR })
  await first.ready
  // Written once, when the cluster is made.
  const made = statSync(join(clusterOf(DATA_DIR), 'PG_VERSION')).mtimeMs
  const { tenant } = sandboxIn(DATA_DIR)
  first.kill('SIGKILL')
  assert.equal(await first.ended, null)

  const second = launch({ DATA_DIR })
  await second.ready
  assert.equal(statSync(join(clusterOf(DATA_DIR), 'PG_VERSION')).mtimeMs, made, 'made anew')
  const sandbox = sandboxIn(DATA_DIR)
  assert.deepEqual(sandbox.tenant, tenant)
  await assertOpens(sandbox)
  await stop(second, 'SIGHUP')
  // For a root that drops to another account the cluster is elsewhere; stopping found it again.
  const isUp = () => existsSync(join(clusterOf(DATA_DIR), 'postmaster.pid'))
  assert.ok(!isUp(), 'the database outlived the program')

  const env = { PATH: process.env['PATH'], DATA_DIR }
  const child = spawn(process.execPath, ['apps/cli/bezant.mjs', 'repl'], { env })
  const closed = once(child, 'close')
  for await (const text of child.stdout.setEncoding('utf8')) {
    if (!text.includes('bezant> ')) continue
    assert.ok(isUp())
    child.kill('SIGHUP')
  }
  const [code] = await closed
  assert.equal(code, 129)
  assert.ok(!isUp(), 'the database outlived a command')
})

test('with its own database away, it lives and is not ready; once it is back, it is', async () => {
  const DATA_DIR = dataFolder()
  const started = launch({ DATA_DIR })
  await started.ready
  const { base_url } = sandboxIn(DATA_DIR)
  const cluster = clusterOf(DATA_DIR)
  const pid = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0])
  renameSync(cluster, `${cluster}-away`)
  process.kill(pid, 'SIGKILL')
  await until('it is tried again and again', () => /try 3: /.test(started.output()))
  const readiness = await fetch(`${base_url}/readyz`)
  assert.equal(readiness.status, 503)
  assert.match(await readiness.text(), /the database does not answer/)
  assert.equal(await status(`${base_url}/healthz`), 200)
  renameSync(`${cluster}-away`, cluster)
  await until('it is ready', async () => (await status(`${base_url}/readyz`)) === 200)
  await until('it logs it', () => started.output().includes('PostgreSQL is back'))
  await stop(started)
})
