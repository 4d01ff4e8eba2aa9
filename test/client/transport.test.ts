/** What is sent, sent again and not sent again, to a server on loopback. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { ApiError, ConnectionError, TimeoutError } from '#client/core/errors.ts'
import { path, type RequestOptions } from '#client/core/group.ts'
import {
  type Call,
  type ClientOptions,
  type Surroundings,
  Transport,
} from '#client/core/transport.ts'
import { waitFor } from '#client/core/wait.ts'
import { errorClasses, RateLimitedError } from '#client/generated/errors.ts'
import { keeper } from '#test/support/keeper.ts'

type Received = { method: string; url: string; headers: IncomingHttpHeaders; body: string }
type Answer = (response: ServerResponse) => unknown

const keep = keeper()
const KEY = 'x-bezant-idempotency-key'

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body))
const problem = (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  json(status, { status, code, detail: `It is ${code}.`, request_id: 'r1' }, headers)
const cut: Answer = (response) => response.destroy()
const silent: Answer = () => {}
const good = json(200, { id: '1' })

/** A server that gives each answer once, and a transport that notes how long it would wait. */
async function open(
  answers: Answer[],
  options: Partial<ClientOptions> = {},
  around: Partial<Surroundings> = {},
) {
  const received: Received[] = []
  const waited: number[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    received.push({ method, url, headers, body: await text(request) })
    const next = answers.shift()
    if (next) next(response)
    else response.writeHead(599).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  keep({
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const transport = new Transport(
    { baseUrl, ...options },
    {
      ...{ prefix: '/v1', idempotencyHeader: KEY, errorClasses },
      credentials: () => ({ apikey: 'k' }),
      random: () => 0,
      wait: async (ms) => void waited.push(ms),
      ...around,
    },
  )
  const keys = () => received.map(({ headers }) => headers[KEY])
  return { transport, received, waited, keys }
}

const POST: Call = { body: { amount: 1 }, keyed: true }
const post = ({ transport }: { transport: Transport }, options?: RequestOptions) =>
  transport.send('POST', '/transfers', POST, options)
const get = ({ transport }: { transport: Transport }, options?: RequestOptions) =>
  transport.send('GET', '/cards', {}, options)

test('a POST has a random idempotency key, the API key and a body of JSON', async () => {
  const it = await open([good, good])
  assert.deepEqual(await post(it), { id: '1' })
  await post(it)
  const [first] = it.received
  assert.equal(`${first?.method} ${first?.url} ${first?.body}`, 'POST /v1/transfers {"amount":1}')
  assert.equal(first?.headers['content-type'], 'application/json')
  assert.equal(first?.headers['apikey'], 'k')
  const [one, other] = it.keys()
  assert.match(String(one), /^[0-9a-f-]{36}$/)
  assert.notEqual(one, other)
})

test('a GET has neither key nor body, and lists of a query are repeated', async () => {
  const it = await open([good])
  const query = { limit: 5, except: ['a', 'b&c'], status: undefined }
  await it.transport.send('GET', '/cards', { query })
  assert.equal(it.received[0]?.url, '/v1/cards?limit=5&except=a&except=b%26c')
  assert.equal(it.keys()[0], undefined)
  assert.equal(it.received[0]?.headers['content-type'], undefined)
})

test('a POST keeps its key over lost answers, and over a 409 of its own first attempt', async () => {
  const inUse = problem(409, 'idempotency_key_in_use', { 'retry-after': '1' })
  const it = await open([cut, inUse, problem(503, 'unavailable'), good], { retries: 3 })
  assert.deepEqual(await post(it), { id: '1' })
  assert.equal(it.received.length, 4)
  assert.equal(new Set(it.keys()).size, 1)
  assert.deepEqual(it.waited, [250, 1250, 1000])
})

test('a key of the caller is sent, in the header that the operator has', async () => {
  const it = await open([good], { idempotencyHeader: 'x-acme-idempotency-key' })
  await post(it, { idempotencyKey: 'order-7' })
  assert.equal(it.received[0]?.headers['x-acme-idempotency-key'], 'order-7')
})

test('Retry-After is obeyed, in seconds, and a longer one than a minute is left to the caller', async () => {
  const it = await open([problem(429, 'rate_limited', { 'retry-after': '7' }), good])
  await get(it)
  assert.deepEqual(it.waited, [7125])
  const late = await open([problem(429, 'rate_limited', { 'retry-after': '61' })])
  await assert.rejects(get(late), (error) => {
    assert.ok(error instanceof RateLimitedError)
    assert.deepEqual([error.retryAfter, error.status, error.requestId], [61, 429, undefined])
    return true
  })
  assert.deepEqual(late.waited, [])
})

test('what may have taken effect is not sent again without a key', async () => {
  for (const answer of [cut, problem(503, 'unavailable'), problem(502, 'none')]) {
    const it = await open([answer, good])
    const call = it.transport.send('PUT', '/cards/1', { body: {} })
    await assert.rejects(call, answer === cut ? ConnectionError : ApiError)
    const unkeyed = await open([answer, good])
    await assert.rejects(unkeyed.transport.send('POST', '/sessions', { body: {} }))
    assert.deepEqual([it.received.length, unkeyed.received.length], [1, 1])
  }
})

test('a request that was refused for its rate is sent again, whatever its method', async () => {
  const it = await open([problem(429, 'rate_limited', { 'retry-after': '1' }), good])
  await it.transport.send('PUT', '/cards/1', { body: {} })
  assert.equal(it.received.length, 2)
})

test('other answers of 4xx, and 500, are not asked for again', async () => {
  for (const status of [400, 401, 403, 404, 408, 409, 500, 501]) {
    const it = await open([problem(status, 'some'), good])
    await assert.rejects(post(it), { status })
    assert.equal(it.received.length, 1)
  }
})

test('a call fails with its last error after as many retries as it may have', async () => {
  const it = await open([cut, cut, cut, good])
  await assert.rejects(get(it), ConnectionError)
  assert.equal(it.received.length, 3)
  const none = await open([cut, good])
  await assert.rejects(get(none, { retries: 0 }), ConnectionError)
  assert.equal(none.received.length, 1)
})

test('an attempt that is not answered in time is one that failed', async () => {
  const it = await open([silent, silent, silent], { timeout: 50 })
  await assert.rejects(get(it), (error) => {
    assert.ok(error instanceof TimeoutError)
    assert.equal(error.timeout, 50)
    return true
  })
  assert.deepEqual(it.waited, [250, 500])
  const once = await open([silent])
  await assert.rejects(get(once, { timeout: 20, retries: 0 }), { timeout: 20 })
})

test('a signal ends a call, and a call that has not begun', async () => {
  const reason = new Error('the user has left')
  const ending = new AbortController()
  const it = await open([() => ending.abort(reason), good])
  await assert.rejects(get(it, { signal: ending.signal, retries: 0 }), reason)
  await assert.rejects(get(it, { signal: ending.signal }), reason)
  assert.equal(it.received.length, 1)
})

test('a signal ends the wait for the next attempt', async () => {
  const reason = new Error('the user has left')
  const ending = new AbortController()
  const wait = (_ms: number, signal: AbortSignal | undefined) => {
    const waiting = waitFor(60_000, signal)
    ending.abort(reason)
    return waiting
  }
  const it = await open([problem(429, 'rate_limited'), good], {}, { wait })
  await assert.rejects(get(it, { signal: ending.signal }), reason)
  assert.equal(it.received.length, 1)
  await assert.rejects(waitFor(60_000, ending.signal), reason)
})

test('an answer that is cut in its middle counts as none', async () => {
  const half: Answer = (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"id":')
    response.destroy()
  }
  const it = await open([half, good])
  assert.deepEqual(await get(it), { id: '1' })
})

test('an error has status, code, faults by field and request id, and a class by its code', async () => {
  const errors = [
    { path: 'email', message: 'must match format "email"' },
    { path: 'email', message: 'must be shorter' },
  ]
  const body = { status: 400, code: 'validation_failed', detail: 'It is wrong.', errors }
  const it = await open([json(400, body, { 'x-request-id': 'r7' })])
  await assert.rejects(post(it), (error) => {
    assert.ok(error instanceof errorClasses.validation_failed)
    assert.equal(error.name, 'ValidationFailedError')
    assert.deepEqual(error.faults, { email: errors.map(({ message }) => message) })
    assert.equal(error.requestId, 'r7')
    assert.match(
      error.message,
      /^It is wrong\.; email must .+ \(400, validation_failed, request r7\)$/,
    )
    return true
  })
})

test('an answer that no document describes is an ApiError with its beginning', async () => {
  const it = await open([
    (response) => response.writeHead(404).end('<html>no such host'.repeat(99)),
  ])
  await assert.rejects(get(it), (error) => {
    assert.ok(error instanceof ApiError)
    assert.deepEqual([error.code, error.detail.length, error.status], [undefined, 200, 404])
    return true
  })
  const other = await open([problem(418, 'constructor')])
  await assert.rejects(get(other), { name: 'ApiError', code: 'constructor' })
})

test('an answer without a body is nothing, and a raw answer is not read', async () => {
  const it = await open([(response) => response.writeHead(204).end(), good])
  assert.equal(await it.transport.send('DELETE', '/keys/1', {}), undefined)
  const answer = await it.transport.raw('GET', '/files', { accept: 'text/csv' })
  assert.equal(it.received[1]?.headers.accept, 'text/csv')
  assert.deepEqual(await answer.json(), { id: '1' })
})

test('credentials that are stale are renewed once, and the call is sent again', async () => {
  const asked: unknown[] = []
  const credentials: Surroundings['credentials'] = (stale) => {
    asked.push(stale?.['authorization'])
    return { authorization: `Bearer ${asked.length}` }
  }
  const refused = problem(401, 'unauthenticated')
  const it = await open([refused, good], {}, { credentials, canRenew: true })
  await post(it)
  assert.deepEqual(asked, [undefined, 'Bearer 1'])
  assert.equal(it.received[1]?.headers.authorization, 'Bearer 2')
  assert.equal(new Set(it.keys()).size, 1)
  const never = await open([refused, refused, good], {}, { credentials, canRenew: true })
  await assert.rejects(post(never), { status: 401 })
  assert.equal(never.received.length, 2)
})

test('new credentials are not asked for again where a later attempt fails', async () => {
  const asked: unknown[] = []
  const credentials: Surroundings['credentials'] = (stale) => {
    asked.push(stale !== undefined)
    return {}
  }
  const answers = [problem(401, 'unauthenticated'), problem(503, 'unavailable'), good]
  await post(await open(answers, {}, { credentials, canRenew: true }))
  assert.deepEqual(asked, [false, true, false])
})

test('a form has its files as parts, and other members as text', async () => {
  const it = await open([good])
  const form = {
    file_name: 'a.png',
    size: 3,
    files: [new Blob(['abc']), new Blob(['def'])],
    tags: [{ a: 1 }],
  }
  await it.transport.send('PUT', '/files', { form })
  const { body = '', headers } = it.received[0] ?? {}
  assert.match(String(headers?.['content-type']), /^multipart\/form-data; boundary=/)
  for (const part of [/name="size"\r\n\r\n3/, /name="tags"\r\n\r\n\[{"a":1}\]/, /abc/, /def/]) {
    assert.match(body, part)
  }
})

test('headers of the client and of the call are sent, and a callback sees the answer', async () => {
  const it = await open([good], { headers: { 'x-tenant': 't', 'x-one': '1' } })
  const seen: string[] = []
  const onResponse = ({ headers }: Response) => void seen.push(headers.get('content-type') ?? '')
  await get(it, { headers: { 'x-one': '2', range: undefined }, onResponse })
  const { headers } = it.received[0] ?? {}
  assert.deepEqual(
    [headers?.['x-tenant'], headers?.['x-one'], headers?.range],
    ['t', '2', undefined],
  )
  assert.deepEqual(seen, ['application/json'])
})

test('an error of the callback is thrown to the caller, and nothing is sent again', async () => {
  const it = await open([good, good])
  const onResponse = () => {
    throw new RangeError('of the caller')
  }
  await assert.rejects(get(it, { onResponse }), RangeError)
  assert.equal(it.received.length, 1)
})

test('a parameter of a path is encoded, and one that names another operation is refused', () => {
  assert.equal(path`/users/${'a/b:c'}:changeStatus`, '/users/a%2Fb%3Ac:changeStatus')
  for (const value of ['', '.', '..']) assert.throws(() => path`/users/${value}`, TypeError)
})

test('an address that is none fails at once', () => {
  const around = { prefix: '', idempotencyHeader: KEY, errorClasses, credentials: () => ({}) }
  assert.throws(() => new Transport({ baseUrl: 'localhost' }, around), TypeError)
})
