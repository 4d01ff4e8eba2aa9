/** TLS for HTTP by its settings (D-145), in processes of their own. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:https'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { dataFolder, type Launched, launch, sandboxIn } from '#test/support/processes/process.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/processes/server.ts'
import { certificate, certificatePath, servedName } from '#test/support/services/certificates.ts'
import { connectHttp2 } from '#test/support/services/http2.ts'
import { until } from '#test/support/services/receiver.ts'

const MASTER_KEY = randomBytes(32).toString('hex')
const TLS = {
  TLS_CERT: certificatePath('server.pem'),
  TLS_KEY: certificatePath('server.key'),
}
const TRUST = { NODE_EXTRA_CA_CERTS: certificatePath('ca.pem') }
const ca = certificate('ca.pem')

let database: TestDatabase
before(async () => {
  database = await createTestDatabase()
})
after(() => database.drop())

type Env = Readonly<Record<string, string>>

const run = (env: Env, ...args: string[]) =>
  launch({ DATABASE_URL: database.url, MASTER_KEY, ...env }, args.length ? args : ['src/main.ts'])

async function endsWell(started: Launched): Promise<void> {
  started.kill('SIGTERM')
  assert.equal(await started.ended, 0, started.output())
}

type Got = { status: number; text: string }

/** Sends a request by HTTP/1.1. */
function getOver(url: string, headers: Record<string, string> = {}, agent?: Agent): Promise<Got> {
  return new Promise((resolve, reject) => {
    const request = get(url, { ca, headers, ...(agent && { agent }) }, (answer) => {
      let text = ''
      answer.on('data', (bytes) => {
        text += bytes
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    request.on('error', reject)
  })
}

test('the example and its tools run over TLS, with a CA of the operator’s own', async () => {
  const DATA_DIR = dataFolder()
  const started = run({ DATA_DIR, ...TLS })
  await started.ready
  const { base_url } = sandboxIn(DATA_DIR)
  assert.match(base_url, /^https:\/\/127\.0\.0\.1:\d+$/)
  assert.match(started.output(), new RegExp(`API, docs +${base_url}/docs`))
  const demo = run({ DATA_DIR, ...TRUST }, 'apps/cli/bezant.mjs', 'demo')
  assert.equal(await demo.ended, 0, `${demo.output()}${demo.errors().join('\n')}`)
  assert.match(demo.output(), /All amounts agree/)
  for (const command of ['demo', 'listen']) {
    const distrustful = run({ DATA_DIR }, 'apps/cli/bezant.mjs', command)
    assert.equal(await distrustful.ended, 1)
    assert.match(
      `${distrustful.output()}${distrustful.errors().join()}`,
      /certificate.*set NODE_EXTRA_CA_CERTS to the file of the CA that signed it/,
    )
  }
  await endsWell(started)
})

test('a renewed certificate is served while connections and event streams go on', async () => {
  const DATA_DIR = dataFolder()
  mkdirSync(DATA_DIR, { recursive: true })
  const files = { TLS_CERT: join(DATA_DIR, 'api.pem'), TLS_KEY: join(DATA_DIR, 'api.key') }
  writeFileSync(files.TLS_CERT, certificate('server.pem'))
  writeFileSync(files.TLS_KEY, certificate('server.key'))
  const started = run({ DATA_DIR, ...files })
  await started.ready
  const { base_url, tenant } = sandboxIn(DATA_DIR)
  const port = Number(new URL(base_url).port)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { apikey: tenant.api_key }
  const cards = () => getOver(`${base_url}/v1/cards`, headers, agent)
  assert.equal((await cards()).status, 200)
  const [kept] = Object.values(agent.freeSockets).flat()
  const client = await connectHttp2(port)
  const events = client.session.request({
    ':path': '/v1/events?after=latest',
    accept: 'text/event-stream',
    ...headers,
  })
  let streamed = ''
  events.on('data', (bytes) => {
    streamed += bytes
  })
  await until('the stream is open', () => streamed !== '')

  writeFileSync(files.TLS_CERT, certificate('renewed.pem'))
  await until('half of it is reported', () =>
    /is not the key of TLS_CERT.*was not replaced/.test(started.output()),
  )
  assert.equal(await servedName(port), 'server')
  writeFileSync(files.TLS_KEY, certificate('renewed.key'))
  await until('it is served', async () => (await servedName(port)) === 'renewed')

  assert.equal((await cards()).status, 200)
  assert.equal(Object.values(agent.freeSockets).flat()[0], kept)
  const demo = run({ DATA_DIR, ...TRUST }, 'apps/cli/bezant.mjs', 'demo')
  assert.equal(await demo.ended, 0, demo.output())
  await until('its events are streamed', () => /event: TRANSACTION/.test(streamed))
  assert.equal(events.closed, false)
  agent.destroy()
  await endsWell(started)
})

test('a stop answers requests of HTTP/2, ends its sessions and keeps within its bound', async () => {
  const DATA_DIR = dataFolder()
  const started = run({ DATA_DIR, ...TLS })
  await started.ready
  const { base_url, tenant } = sandboxIn(DATA_DIR)
  const port = Number(new URL(base_url).port)
  const headers = { apikey: tenant.api_key }
  const [idle, waiting, stuck] = await Promise.all([1, 2, 3].map(() => connectHttp2(port)))
  assert.ok(idle && waiting && stuck)
  assert.equal((await idle.ask({ ':path': '/v1/cards', ...headers })).status, 200)
  const poll = waiting.ask({ ':path': '/v1/events?after=latest&wait=30', ...headers })
  const json = { ':method': 'POST', ':path': '/v1/users', 'content-type': 'application/json' }
  stuck.begin({ ...json, ...headers }).stream.write('{')
  assert.equal((await waiting.ask({ ':path': '/v1/cards', ...headers })).status, 200)
  const agent = new Agent({ keepAlive: true })
  assert.equal((await getOver(`${base_url}/v1/cards`, headers, agent)).status, 200)
  const handshake = connect(port, '127.0.0.1')
  handshake.on('error', () => {})
  await once(handshake, 'connect')
  const since = performance.now()
  await endsWell(started)
  agent.destroy()
  assert.ok(performance.now() - since < 9_500)
  assert.equal((await poll).status, 200)
  await Promise.all([idle.closed, waiting.closed, stuck.closed])
})

test('health and metrics are at an address of their own, in plain HTTP, and nowhere else', async () => {
  const DATA_DIR = dataFolder()
  const started = run({ DATA_DIR, ...TLS, ADMIN_PORT: '0' })
  await started.ready
  const [, admin = ''] = /Health +(http:\S+)\/readyz/.exec(started.output()) ?? []
  const { base_url, tenant } = sandboxIn(DATA_DIR)
  const key = { apikey: tenant.api_key }
  for (const path of ['healthz', 'readyz', 'metrics']) {
    assert.equal((await fetch(`${admin}/${path}`)).status, 200, path)
    assert.equal((await getOver(`${base_url}/${path}`)).status, 404, path)
  }
  for (const path of ['v1/cards', 'docs', 'openapi/issuing.json']) {
    assert.equal((await fetch(`${admin}/${path}`, { headers: key })).status, 404, path)
  }
  assert.equal((await getOver(`${base_url}/v1/cards`, key)).status, 200)
  await endsWell(started)
})

describe('in live', () => {
  const live = (env: Env, url: string) =>
    run({ MODE: 'live', DATABASE_URL: url, DATA_DIR: dataFolder(), ...env })

  /** The header of an answer to a client that came by this scheme. */
  async function strictOver(env: Env, headers: Record<string, string> = {}) {
    const own = await createTestDatabase()
    try {
      const started = live({ LOG_LEVEL: 'error', ...env }, own.url)
      await started.ready
      const [, base = ''] = /docs +(\S+)\/docs/.exec(started.output()) ?? []
      const answer = await fetch(`${base}/healthz`, { headers })
      await endsWell(started)
      return answer.headers.get('strict-transport-security')
    } finally {
      await own.drop()
    }
  }

  test('plain HTTP is served on loopback, without strict transport', async () => {
    assert.equal(await strictOver({}, { 'x-forwarded-proto': 'https' }), null)
  })

  test('plain HTTP is served behind a proxy, whose scheme counts', async () => {
    const proxied = { HOST: '0.0.0.0', TRUSTED_PROXIES: '127.0.0.1' }
    const strict = await strictOver(proxied, { 'x-forwarded-proto': 'https' })
    assert.equal(strict, 'max-age=31536000')
  })
})

describe('a start fails with one line', { concurrency: 2 }, () => {
  const text = `${dataFolder()}.pem`
  mkdirSync(dirname(text), { recursive: true })
  writeFileSync(text, 'no certificate')
  const pair = (name: 'expired' | 'later') => ({
    TLS_CERT: certificatePath(`${name}.pem`),
    TLS_KEY: certificatePath(`${name}.key`),
  })
  const wrong: [what: string, env: Env, message: RegExp][] = [
    [
      'in live in plain HTTP on a public address',
      { MODE: 'live', HOST: '0.0.0.0', TLS_CERT: '', TLS_KEY: '' },
      /HOST is 0\.0\.0\.0 and MODE is live.* set TLS_CERT and TLS_KEY, or set TRUSTED_PROXIES/,
    ],
    ['without the key', { TLS_KEY: '' }, /TLS_CERT is set and TLS_KEY is not: set both/],
    ['without the file', { TLS_CERT: `${text}.none` }, /TLS_CERT \(.*\) cannot be read \(ENOENT\)/],
    ['with another file', { TLS_CERT: text }, /TLS_CERT .* holds no certificate in PEM/],
    [
      'with the key of another certificate',
      { TLS_KEY: certificatePath('client.key') },
      /TLS_KEY .* is not the key of TLS_CERT/,
    ],
    ['with an expired certificate', pair('expired'), /expired on 2020-12-31T00:00:00Z: renew it/],
    ['with a later certificate', pair('later'), /is valid from 2118-01-01T00:00:00Z on/],
    [
      'with a public URL without TLS',
      { PUBLIC_URL: 'http://cards.example' },
      /PUBLIC_URL must start with https:\/\/ where TLS_CERT is set/,
    ],
    [
      'with an address of health that is not of this machine',
      { ADMIN_HOST: '192.0.2.1', ADMIN_PORT: '0' },
      /192\.0\.2\.1 is not an address of this machine: set ADMIN_HOST/,
    ],
  ]
  for (const [what, env, message] of wrong) {
    test(what, async () => {
      const started = run({ DATA_DIR: dataFolder(), ...TLS, ...env })
      assert.equal(await started.ended, 1, started.output())
      assert.equal(started.errors().length, 1, started.errors().join('\n'))
      assert.match(started.errors()[0] ?? '', message)
    })
  }
})
