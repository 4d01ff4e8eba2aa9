/** HTTPS on real sockets, by HTTP/1.1 and HTTP/2: the same answers and limits (D-145, D-551). */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { constants, type OutgoingHttpHeaders } from 'node:http2'
import { Agent, request as httpsRequest } from 'node:https'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { setInterval, setImmediate as turn } from 'node:timers/promises'
import { connect as tlsConnect } from 'node:tls'
import { promisify } from 'node:util'
import { Agent as UndiciAgent, request as undiciRequest } from 'undici'
import { openSecureServer } from '#kit/http/secure_server.ts'
import { openEdge } from './support/edge.ts'
import { certificate, pairOf, servedName } from './support/services/certificates.ts'
import { connectHttp2 } from './support/services/http2.ts'
import { until } from './support/services/receiver.ts'
import { openWorld } from './support/world.ts'

const PACE = {
  ...{ silence_ms: 400, bytes_per_second: 1024, grace_ms: 400 },
  ...{ body_ms: 3_000, check_ms: 50 },
}

const world = await openWorld()
const secure = openSecureServer(pairOf('server'), { headers: 500, idle: 700 })
const edge = await openEdge(world, { pace: PACE, secure })
await edge.app.listen({ host: '127.0.0.1', port: 0 })
const address = edge.app.server.address()
const port = typeof address === 'object' ? (address?.port ?? 0) : 0
after(async () => {
  secure.cut()
  await edge.close()
  await world[Symbol.asyncDispose]()
})

const ca = certificate('ca.pem')
const apikey = world.tenant.api_key
const notes = { ':path': '/v1/notes', apikey }
const writing = { ...notes, ':method': 'POST', 'content-type': 'application/json' }

const connections = () => promisify(edge.app.server.getConnections.bind(edge.app.server))()

type Sent = { method: string; path: string; key?: string; body?: string }

/** Sends a request by HTTP/1.1, on a connection of its own unless an agent has one. */
async function ask({ method, path, key = apikey, body }: Sent, agent?: Agent) {
  const headers = { apikey: key, ...(body && { 'content-type': 'application/json' }) }
  const request = httpsRequest({
    ...{ host: '127.0.0.1', servername: 'localhost', port, ca, method, path, headers },
    ...(agent && { agent }),
  })
  request.end(body)
  const [answer] = await once(request, 'response')
  let text = ''
  for await (const bytes of answer) text += bytes
  return { status: Number(answer.statusCode), headers: answer.headers, text }
}

const cases: [name: string, sent: Sent, status: number][] = [
  ['a sound request', { method: 'GET', path: '/v1/notes?limit=3' }, 200],
  ['a body', { method: 'POST', path: '/v1/notes', body: '{"text":"a"}' }, 200],
  ['a body with faults', { method: 'POST', path: '/v1/notes', body: '{"text":1}' }, 400],
  ['no key', { method: 'GET', path: '/v1/notes', key: '' }, 401],
  ['no such path', { method: 'GET', path: '/v1/nothing' }, 404],
  ['another method', { method: 'DELETE', path: '/v1/notes' }, 405],
  ['TRACE', { method: 'TRACE', path: '/v1/notes' }, 405],
  ['a body past the limit', { method: 'POST', path: '/v1/notes', body: `"${'x'.repeat(2 ** 21)}"` }, 413],
  ['a large body without a key', { method: 'POST', path: '/v1/notes', key: 'nobody', body: `"${'x'.repeat(2 ** 21)}"` }, 401],
] // biome-ignore format: one case a line reads best.

describe('the same answer comes by HTTP/1.1 and HTTP/2', () => {
  for (const [name, sent, status] of cases) {
    test(`to ${name}: ${status}`, async () => {
      const { method, path, key = apikey, body } = sent
      const client = await connectHttp2(port)
      const json = body && { 'content-type': 'application/json' }
      const headers = { ':method': method, ':path': path, apikey: key, ...json }
      const [one, two] = await Promise.all([ask(sent), client.ask(headers, body)])
      client.session.close()
      assert.deepEqual([one.status, two.status], [status, status], two.text)
      const hops = ['connection', 'keep-alive', 'date', ':status', 'transfer-encoding']
      const kept = (of: object) =>
        Object.keys(of)
          .filter((header) => !hops.includes(header))
          .sort()
      assert.deepEqual(kept(two.headers), kept(one.headers))
      assert.equal(two.headers['strict-transport-security'], 'max-age=31536000')
      assert.equal('connection' in two.headers, false)
      const shapeOf = (text: string) => Object.keys(JSON.parse(text))
      assert.deepEqual(shapeOf(two.text), shapeOf(one.text))
    })
  }

  test('to undici, which chooses HTTP/2', async () => {
    const dispatcher = new UndiciAgent({ allowH2: true, connect: { ca, servername: 'localhost' } })
    const url = `https://127.0.0.1:${port}/v1/notes`
    const answer = await undiciRequest(url, { dispatcher, headers: { apikey } })
    assert.equal(answer.statusCode, 200)
    await answer.body.dump()
    await dispatcher.destroy()
  })
})

describe('a connection is refused', () => {
  test('below TLS 1.2', async () => {
    const socket = tlsConnect({
      ...{ port, ca, host: '127.0.0.1', servername: 'localhost', ciphers: 'ALL:@SECLEVEL=0' },
      ...{ minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' },
    })
    const [error] = await once(socket, 'error')
    assert.match(error.code, /PROTOCOL_VERSION/)
  })

  test('without TLS', async () => {
    const socket = connect(port, '127.0.0.1')
    socket.write('GET /v1/notes HTTP/1.1\r\nHost: a\r\n\r\n')
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
    })
    await once(socket, 'close')
    assert.doesNotMatch(text, /^HTTP/)
  })
})

describe('a body of HTTP/2', () => {
  test('that stops is answered 408, and other streams of its session go on', async () => {
    const client = await connectHttp2(port)
    const { stream, answer } = client.begin(writing)
    stream.write('{"text":')
    assert.equal((await client.ask(notes)).status, 200)
    const { status, text } = await answer
    assert.deepEqual([status, JSON.parse(text).code], [408, 'request_timeout'])
    assert.equal((await client.ask(notes)).status, 200)
    client.session.close()
  })

  test('that drips is answered 408, although other streams carry bytes', async () => {
    const client = await connectHttp2(port)
    const { stream, answer } = client.begin(writing)
    for await (const blank of setInterval(60, ' ')) {
      if (stream.destroyed || stream.closed || !stream.writable) break
      stream.write(blank)
      void client.ask(writing, `{"text":"${'y'.repeat(90)}"}`)
    }
    assert.equal((await answer).status, 408)
    client.session.close()
  })

  test('that drips behind an answer ends its stream alone', async () => {
    const client = await connectHttp2(port)
    const { stream, answer } = client.begin({ ...writing, apikey: 'nobody' })
    for await (const blank of setInterval(60, ' ')) {
      if (stream.destroyed || stream.closed || !stream.writable) break
      stream.write(blank)
    }
    assert.equal((await answer).status, 401)
    assert.equal((await client.ask(notes)).status, 200)
    client.session.close()
  })
})

describe('a session of HTTP/2', () => {
  test('has a hundred streams, no push and a bound of its header lists', async () => {
    const client = await connectHttp2(port)
    const { maxConcurrentStreams, maxHeaderListSize } = client.session.remoteSettings
    assert.deepEqual([maxConcurrentStreams, maxHeaderListSize], [100, 16_384])
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`x${at}`, 'y']))
    assert.equal((await client.ask({ ...notes, ...many })).status, 0)
    assert.equal((await client.ask({ ...notes, x: 'y'.repeat(20_000) })).status, 0)
    assert.equal((await client.ask(notes)).status, 200)
    client.session.close()
  })

  test('ends when no request has come, and when none comes any more', async () => {
    const [silent, used] = await Promise.all([connectHttp2(port), connectHttp2(port)])
    const pings = globalThis.setInterval(() => {
      if (!silent.session.destroyed) silent.session.ping(() => {})
    }, 50)
    assert.equal((await used.ask(notes)).status, 200)
    await Promise.all([silent.closed, used.closed])
    clearInterval(pings)
  })

  test('with more resets than any use has is cut, and others are served', async () => {
    const client = await connectHttp2(port)
    let streams = 0
    const count = () => {
      streams += 1
    }
    edge.app.server.on('stream', count)
    for (let sent = 0; sent < 2_000 && !client.session.destroyed; sent += 50) {
      const some = Array.from({ length: 50 }, () => client.session.request(notes))
      for (const stream of some) stream.on('error', () => {})
      await turn()
      for (const stream of some) stream.close(constants.NGHTTP2_CANCEL)
      await turn()
    }
    // Node's client does not always see that its connection has ended.
    await until('its connection has ended', async () => (await connections()) === 0)
    client.session.destroy()
    edge.app.server.off('stream', count)
    assert.ok(streams < 1_000, `${streams} streams`)
    const other = await connectHttp2(port)
    assert.equal((await other.ask(notes)).status, 200)
    other.session.close()
  })
})

test('handshakes get another pair at once, and open connections go on', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const client = await connectHttp2(port)
  const sent = { method: 'GET', path: '/v1/notes' }
  await ask(sent, agent)
  const [kept] = Object.values(agent.freeSockets).flat()
  secure.use(pairOf('renewed'))
  assert.equal(await servedName(port), 'renewed')
  assert.equal((await ask(sent, agent)).status, 200)
  assert.equal(Object.values(agent.freeSockets).flat()[0], kept)
  assert.equal((await client.ask(notes)).status, 200)
  secure.use(pairOf('server'))
  assert.equal(await servedName(port), 'server')
  agent.destroy()
  client.session.close()
})

test('requests of HTTP/2 that no route can have are rejected, and the session goes on', async () => {
  const client = await connectHttp2(port)
  // The client leaves each of them open.
  const rejected = async (headers: OutgoingHttpHeaders) =>
    (await client.begin(headers).answer).status
  assert.equal(await rejected({ ...notes, ':method': 'BREW' }), 400)
  assert.equal(await rejected({ ...notes, ':path': '/v1/no%zztes' }), 400)
  assert.equal(await rejected({ ...notes, ':path': '*', ':method': 'OPTIONS' }), 404)
  assert.equal(await rejected({ ':method': 'CONNECT', ':authority': 'a.example:1' }), 405)
  assert.equal((await client.ask(notes)).status, 200)
  client.session.close()
})

test('a client that leaves during its request harms nothing', async () => {
  const [gone, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  edge.during.effect = () => {
    held.resolve()
    return gone.promise
  }
  const client = await connectHttp2(port)
  void client.ask(writing, '{"text":"left"}')
  await held.promise
  client.session.destroy()
  gone.resolve()
  edge.during.effect = async () => {}
  await until('it is written', async () => (await edge.effects('left')) === 1)
  assert.equal((await ask({ method: 'GET', path: '/v1/notes' })).status, 200)
})

describe('a client of TLS 1.2', () => {
  const handshake = async (ciphers: string) => {
    const version = 'TLSv1.2' as const
    const socket = tlsConnect({
      ...{ host: '127.0.0.1', servername: 'localhost', port, ca, ciphers },
      ...{ minVersion: version, maxVersion: version },
    })
    await once(socket, 'secureConnect')
    const { name } = socket.getCipher()
    socket.destroy()
    return name
  }

  test('gets no suite in CBC mode', async () => {
    for (const hash of ['SHA', 'SHA256', 'SHA384']) {
      for (const size of ['128', '256']) {
        const suite = `AES${size}-${hash}`
        const suites = [suite, `ECDHE-RSA-${suite}`, `ECDHE-ECDSA-${suite}`, `DHE-RSA-${suite}`]
        await assert.rejects(handshake(suites.join(':')))
      }
    }
  })

  test('gets one with authenticated encryption', async () => {
    assert.match(await handshake('ECDHE+AESGCM:ECDHE+CHACHA20'), /GCM|CHACHA20/)
  })
})
