/** The names of the program: another name in Host gets nothing of any API or page (D-1004). */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { keeper } from './support/keeper.ts'
import { certificatePath } from './support/services/certificates.ts'
import { connectHttp2 } from './support/services/http2.ts'
import { openWorld } from './support/world.ts'

const keep = keeper()
const names = { PUBLIC_URL: 'https://cards.example', ALLOWED_HOSTS: 'bezant,Shop.Example' }
const world = keep(await openWorld({ env: { ...names, TRUSTED_PROXIES: '127.0.0.1' } }))
const apikey = world.tenant.api_key

const PATHS = [
  ...['/v1/cards', '/api/v1.0/orders', '/portal/v1/session', '/', '/docs', '/docs/errors'],
  ...[
    '/healthz',
    '/readyz',
    '/metrics',
    '/widgets/loader.js',
    '/widgets/frame?token=x',
    '/console/',
  ],
  ...['/nothing', '/v1/nothing', '/openapi/issuing.json', '/pay/x'],
]
const FOREIGN = [
  ...['evil.example', 'evil.example:8080', 'cards.example.evil.example', 'xcards.example', 'local'],
  ...[
    'localhost.evil.example',
    '127.0.0.1.nip.io',
    'a.localhost',
    'sub.cards.example',
    'evil.example.',
  ],
]
const OWN = [
  ...[
    'localhost',
    'localhost:80',
    'LOCALHOST.',
    'cards.example',
    'Cards.Example:443',
    'bezant:8080',
  ],
  ...['shop.example', '127.0.0.1:8080', '192.0.2.7', '[::1]:8080', '[2001:db8::1]', '10.0.0.3:1'],
]

const get = (url: string, host: string, headers = {}) =>
  world.app.inject({ url, headers: { host, apikey, ...headers }, remoteAddress: '127.0.0.1' })

describe('a request whose Host is', () => {
  for (const host of FOREIGN) {
    test(`${host} is 421`, async () => {
      const { statusCode, body } = await get('/v1/cards', host)
      assert.deepEqual([statusCode, JSON.parse(body).code], [421, 'host_unknown'])
    })
  }

  for (const host of OWN) {
    test(`${host} is answered`, async () => {
      assert.equal((await get('/v1/cards', host)).statusCode, 200)
    })
  }

  for (const host of ['a b', 'a/b', 'user@cards.example', 'cards.example:x', '[::1', 'a,b:1:2']) {
    test(`${JSON.stringify(host)} is 400`, async () => {
      assert.equal((await get('/v1/cards', host)).statusCode, 400)
    })
  }
})

describe('another name in Host is 421', () => {
  for (const path of PATHS) {
    test(`at ${path}`, async () => {
      assert.equal((await get(path, 'evil.example')).statusCode, 421)
      assert.notEqual((await get(path, 'localhost')).statusCode, 421)
    })
  }

  test('before the key is looked at, and a change is made by no method', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'HEAD'] as const) {
      const headers = { host: 'evil.example' }
      const { statusCode } = await world.app.inject({ method, url: '/v1/users', headers })
      assert.equal(statusCode, 421, method)
    }
  })
})

test('X-Forwarded-Host of a trusted proxy neither opens nor closes anything', async () => {
  const forwarded = (host: string, name: string) =>
    get('/v1/cards', host, { 'x-forwarded-host': name, 'x-forwarded-for': '192.0.2.9' })
  assert.equal((await forwarded('evil.example', 'cards.example')).statusCode, 421)
  assert.equal((await forwarded('cards.example', 'evil.example')).statusCode, 200)
  const page = { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' }
  const used = await world.app.inject({
    ...{ method: 'POST', url: '/widgets/api/details', payload: { token: 'x' } },
    ...{ headers: { host: 'cards.example', ...page }, remoteAddress: '127.0.0.1' },
  })
  assert.deepEqual([used.statusCode, used.json().code], [403, 'widget_page_foreign'])
})

/** The status of each answer to the bytes of requests. */
async function statusesOf(bytes: string, { port }: { port: number }): Promise<string[]> {
  const socket = connect(port, '127.0.0.1')
  socket.end(bytes)
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  return [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status = '']) => status)
}

/** Its ports are closed before the world, which closes what it opened itself. */
async function listening(env: Record<string, string>): Promise<{ port: number; admin: number }> {
  const opened = keep(await openWorld({ env }))
  const { port, admin } = await opened.listen()
  keep({ close: () => opened.close() })
  return { port, admin: admin?.port ?? 0 }
}

test('several Host headers are 400, and so is none in HTTP/1.1', async () => {
  const at = await listening(names)
  const sent = (head: string, target = '/healthz') =>
    statusesOf(`GET ${target} HTTP/1.1\r\n${head}Connection: close\r\n\r\n`, at)
  assert.deepEqual(await sent('Host: localhost\r\n'), ['200'])
  assert.deepEqual(await sent('Host: localhost\r\nHost: localhost\r\n'), ['400'])
  assert.deepEqual(await sent('Host: localhost\r\nhOST: evil.example\r\n'), ['400'])
  assert.deepEqual(await sent('Host: evil.example\r\nHost: localhost\r\n'), ['400'])
  assert.deepEqual(await sent(''), ['400'])
  assert.deepEqual(await sent('Host: evil.example\r\n'), ['421'])
  assert.deepEqual(await sent('Host: localhost\r\n', 'http://evil.example/healthz'), ['421'])
  assert.deepEqual(await sent('Host: localhost\r\n', 'http://bezant:1/healthz'), ['200'])
})

test('by HTTP/2 the same holds for :authority', async () => {
  const files = { TLS_CERT: certificatePath('server.pem'), TLS_KEY: certificatePath('server.key') }
  const at = await listening({ ...names, ...files })
  const client = await connectHttp2(at.port)
  const status = async (headers: Record<string, string>) =>
    (await client.ask({ ':path': '/healthz', ':method': 'GET', ...headers })).status
  assert.equal(await status({ ':authority': 'cards.example' }), 200)
  assert.equal(await status({ ':authority': 'bezant:1', host: 'bezant:1' }), 200)
  assert.equal(await status({ ':authority': 'evil.example' }), 421)
  assert.equal(await status({ ':authority': 'cards.example', host: 'evil.example' }), 400)
  client.session.close()
})

for (const roles of ['api,network,worker', 'worker']) {
  test(`metrics are at ADMIN_PORT alone in live, of a process with the roles ${roles}`, async () => {
    const live = { MODE: 'live', MASTER_KEY: randomBytes(32).toString('hex'), ROLES: roles }
    const statusOf = async (env: Record<string, string>, path: string) => {
      await using opened = await openWorld({ env })
      return (await opened.app.inject(path)).statusCode
    }
    assert.equal(await statusOf(live, '/metrics'), 404)
    assert.equal(await statusOf(live, '/healthz'), 200)
    assert.equal(await statusOf({ ROLES: roles }, '/metrics'), 200)
    const at = await listening({ ...live, ADMIN_PORT: '0' })
    const request = httpRequest({ host: '127.0.0.1', port: at.admin, path: '/metrics' })
    request.end()
    const [answer] = await once(request, 'response')
    answer.resume()
    assert.equal(answer.statusCode, 200)
  })
}

test('a probe at ADMIN_PORT may use any name of the network of the operator', async () => {
  const at = await listening({ ADMIN_PORT: '0' })
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    for (const host of ['bezant.pods.cluster.local:9090', '10.0.0.7:9090', 'prometheus']) {
      const request = httpRequest({ host: '127.0.0.1', port: at.admin, path, headers: { host } })
      request.end()
      const [answer] = await once(request, 'response')
      answer.resume()
      assert.equal(answer.statusCode, 200, `${host} ${path}`)
    }
  }
})
