/** Requests that are sent, sent again and not sent again, over a line that fails. */

import assert from 'node:assert/strict'
import { ApiError, ConnectionError } from '#client/core/errors.ts'
import { path } from '#client/core/group.ts'
import { type Surroundings, Transport } from '#client/core/transport.ts'
import { hasVersion, sameVersion, versionOf } from '#client/core/versions.ts'
import { errorClasses, RateLimitedError } from '#client/generated/errors.ts'
import { test } from './harness.ts'
import { good, json, problem } from './line.ts'
import { get, KEY, open, post } from './sending.ts'

test('a POST has a random idempotency key, the API key and a body of JSON', async () => {
  const it = await open([good, good])
  assert.deepEqual(await post(it), { id: '1' })
  await post(it)
  const [first] = await it.received()
  assert.equal(`${first?.method} ${first?.url} ${first?.body}`, 'POST /v1/transfers {"amount":1}')
  assert.equal(first?.headers['content-type'], 'application/json')
  assert.equal(first?.headers['apikey'], 'k')
  const [one, other] = await it.keys()
  assert.match(String(one), /^[0-9a-f-]{36}$/)
  assert.notEqual(one, other)
})

test('a GET has neither key nor body, and lists of a query are repeated', async () => {
  const it = await open([good])
  const query = { limit: 5, except: ['a', 'b&c'], status: undefined }
  await it.transport.send('GET', '/cards', { query })
  assert.equal((await it.received())[0]?.url, '/v1/cards?limit=5&except=a&except=b%26c')
  assert.equal((await it.keys())[0], undefined)
  assert.equal((await it.received())[0]?.headers['content-type'], undefined)
})

test('ifMatch is sent, and the version of an answer is that of its ETag', async () => {
  const it = await open([json(200, { id: '1' }, { etag: '"v1"' }), good])
  const object = Object(await get(it))
  const ifMatch = versionOf(object)
  assert.equal(ifMatch, '"v1"')
  const without = await it.transport.send('PUT', '/cards/1', { body: {} }, { ifMatch })
  const [read, change] = await it.received()
  assert.deepEqual([read?.headers['if-match'], change?.headers['if-match']], [undefined, '"v1"'])
  assert.throws(() => versionOf({ ...object }), TypeError)
  assert.throws(() => versionOf(Object(without)), TypeError)
})

test('a weak tag is the version of its object, and of a copy that is given it', async () => {
  const it = await open([json(200, { id: '1' }, { etag: 'W/"v1"' }), good])
  const object = Object(await get(it))
  assert.equal(versionOf(object), '"v1"')
  assert.deepEqual([hasVersion(object), hasVersion({ ...object })], [true, false])
  assert.equal(versionOf(sameVersion(object, { ...object, name: 'n' })), '"v1"')
  assert.equal(hasVersion(sameVersion(Object(await get(it)), {})), false)
})

test('a page of plain http, which has no randomUUID, gets a key too', async () => {
  const it = await open([good])
  Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true })
  try {
    await post(it)
  } finally {
    Reflect.deleteProperty(crypto, 'randomUUID')
  }
  assert.match(String((await it.keys())[0]), /^[0-9a-f-]{36}$/)
})

test('a POST keeps its key over lost answers and over a 409 of its own first attempt', async () => {
  const inUse = problem(409, 'idempotency_key_in_use', { 'retry-after': '1' })
  const it = await open(['cut', inUse, problem(503, 'unavailable'), good], { retries: 3 })
  assert.deepEqual(await post(it), { id: '1' })
  assert.equal(await it.count(), 4)
  assert.equal(new Set(await it.keys()).size, 1)
  assert.deepEqual(it.waited, [250, 1250, 1000])
})

test('every attempt has the body of the first, whatever becomes of the object', async () => {
  const body = { amount: 1 }
  const wait = async () => {
    body.amount = 2
  }
  const it = await open(['cut', good], {}, { wait })
  await it.transport.send('POST', '/transfers', { body, keyed: true })
  const bodies = (await it.received()).map((one) => one.body)
  assert.deepEqual(bodies, ['{"amount":1}', '{"amount":1}'])
  assert.equal(new Set(await it.keys()).size, 1)
})

test('a redirect is an error, so the key goes to no other host', async () => {
  const other = await open([good])
  const { url } = await other.transport.raw('GET', '/x', {})
  for (const status of [301, 302, 303, 307, 308]) {
    const it = await open([{ status, headers: { location: url } }])
    await assert.rejects(post(it), /^ApiError: The answer is a redirect, which is not followed/)
    await assert.rejects(get(it), ApiError)
  }
  assert.equal(await other.count(), 1)
})

test('a key of the caller is sent, in the header that the operator has', async () => {
  const it = await open([good], { idempotencyHeader: 'x-acme-idempotency-key' })
  await post(it, { idempotencyKey: 'order-7' })
  assert.equal((await it.received())[0]?.headers['x-acme-idempotency-key'], 'order-7')
})

test('Retry-After is obeyed, and one of more than a minute is left to the caller', async () => {
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
  for (const answer of ['cut', problem(503, 'unavailable'), problem(502, 'none')] as const) {
    const it = await open([answer, good])
    const call = it.transport.send('PUT', '/cards/1', { body: {} })
    await assert.rejects(call, answer === 'cut' ? ConnectionError : ApiError)
    const unkeyed = await open([answer, good])
    await assert.rejects(unkeyed.transport.send('POST', '/sessions', { body: {} }))
    assert.deepEqual([await it.count(), await unkeyed.count()], [1, 1])
  }
})

test('a request that was refused for its rate is sent again, whatever its method', async () => {
  const it = await open([problem(429, 'rate_limited', { 'retry-after': '1' }), good])
  await it.transport.send('PUT', '/cards/1', { body: {} })
  assert.equal(await it.count(), 2)
})

test('other answers of 4xx, and 500, are not asked for again', async () => {
  for (const status of [400, 401, 403, 404, 408, 409, 500, 501]) {
    const it = await open([problem(status, 'some'), good])
    await assert.rejects(post(it), { status })
    assert.equal(await it.count(), 1)
  }
})

test('a call fails with its last error after as many retries as it may have', async () => {
  const it = await open(['cut', 'cut', 'cut', good])
  await assert.rejects(get(it), ConnectionError)
  assert.equal(await it.count(), 3)
  const none = await open(['cut', good])
  await assert.rejects(get(none, { retries: 0 }), ConnectionError)
  assert.equal(await none.count(), 1)
})

test('an answer that ought to have an object and has none counts as none', async () => {
  for (const body of ['', '<html>sign in', '{"id":']) {
    const it = await open([{ status: 200, body }, good])
    assert.deepEqual(await post(it), { id: '1' })
    const unkeyed = await open([{ status: 200, body }, good])
    await assert.rejects(unkeyed.transport.send('PUT', '/cards/1', { body: {} }), ConnectionError)
  }
})

test('an answer without a body is nothing, and a raw answer is not read', async () => {
  const it = await open([{ status: 204 }, good])
  assert.equal(await it.transport.send('DELETE', '/keys/1', {}), undefined)
  const answer = await it.transport.raw('GET', '/files', { accept: 'text/csv' })
  assert.equal((await it.received())[1]?.headers.accept, 'text/csv')
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
  assert.equal((await it.received())[1]?.headers.authorization, 'Bearer 2')
  assert.equal(new Set(await it.keys()).size, 1)
  const never = await open([refused, refused, good], {}, { credentials, canRenew: true })
  await assert.rejects(post(never), { status: 401 })
  assert.equal(await never.count(), 2)
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
  const { body = '', headers } = (await it.received())[0] ?? {}
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
  const { headers } = (await it.received())[0] ?? {}
  assert.deepEqual(
    [headers?.['x-tenant'], headers?.['x-one'], headers?.range],
    ['t', '2', undefined],
  )
  assert.deepEqual(seen, ['application/json'])
})

test('a parameter of a path is encoded, and one that names another operation is refused', () => {
  assert.equal(path`/users/${'a/b:c'}:changeStatus`, '/users/a%2Fb%3Ac:changeStatus')
  for (const value of ['', '.', '..']) assert.throws(() => path`/users/${value}`, TypeError)
})

test('an address that is none fails at once', () => {
  const around = { prefix: '', idempotencyHeader: KEY, errorClasses, credentials: () => ({}) }
  assert.throws(() => new Transport({ baseUrl: 'localhost' }, around), TypeError)
})
