/** `bezant mcp` before a platform that fails, lies or is away, and a client that writes no JSON. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { keeper } from '#test/support/keeper.ts'
import { openAgent } from './agent.ts'
import { openCommand } from './running.ts'

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

const KEY = 'the-api-key-of-a-tenant'
const ID = '01900000-0000-7000-8000-000000000000'

/** Answers of the platform by method and path, which each test sets; else 404. */
const answers: Record<string, Answer> = {}
const asked: { call: string; key: string | undefined }[] = []
const json = (response: ServerResponse, status: number, value: object) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
const notFound = (response: ServerResponse) =>
  json(response, 404, { code: 'not_found', detail: 'The resource does not exist.' })
const isSandbox: Answer = (_, response) => json(response, 200, { now: '2026-01-15T09:00:00Z' })

const server = createServer(async (request, response) => {
  const body = await text(request).catch(() => '')
  const call = `${request.method} ${request.url?.replace(/\?.*/, '')}`
  asked.push({ call, key: request.headers['x-bezant-idempotency-key']?.toString() })
  const answer = answers[call]
  if (answer) answer(request, response, body)
  else notFound(response)
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const keep = keeper()
keep({
  [Symbol.dispose]: () => {
    server.close()
    server.closeAllConnections()
  },
})
const url = `http://127.0.0.1:${Object(server.address()).port}`
const command = keep(openCommand({ BEZANT_URL: url, BEZANT_KEY: KEY }))

answers['GET /v1/simulate/clock'] = isSandbox
const agent = keep(await openAgent(command.environment, ['--write']))
const CLOCK = 'GET /v1/simulate/clock'
const asks = (call: string) => asked.filter((one) => one.call === call)
const user = { first_name: 'Layla', last_name: 'Haddad' }

describe('a sandbox', () => {
  test('is asked once before reads, and again before each write', async () => {
    answers['GET /v1/users'] = (_, response) => json(response, 200, { data: [], has_more: false })
    answers['POST /v1/users'] = (_, response) => json(response, 200, { id: ID })
    const before = asks(CLOCK).length
    await agent.answer('listUsers')
    await agent.answer('listUsers')
    assert.equal(asks(CLOCK).length, before)
    await agent.answer('createUser', user)
    await agent.answer('createUser', user)
    assert.equal(asks(CLOCK).length, before + 2)
  })

  test('that has become live gets no write', async () => {
    answers[CLOCK] = (_, response) => notFound(response)
    const writes = asks('POST /v1/users').length
    assert.match(await agent.refused('createUser', user), /is a live platform.*--live allows/)
    assert.equal(asks('POST /v1/users').length, writes)
    answers[CLOCK] = isSandbox
    await agent.answer('createUser', user)
  })

  test('is not what a proxy says, which knows no codes', async () => {
    answers[CLOCK] = (_, response) => json(response, 403, { message: 'blocked' })
    assert.match(await agent.refused('createUser', user), /403/)
    answers[CLOCK] = isSandbox
  })
})

describe('a write without an answer', () => {
  test('is unknown, and has one key in all of its attempts, which repeats it safely', async () => {
    const tries: string[] = []
    answers['POST /v1/users'] = (request, response) => {
      tries.push(String(request.headers['x-bezant-idempotency-key']))
      // The first attempt is lost; the answer to the next one does not settle it.
      if (tries.length === 1) request.socket.destroy()
      else json(response, 401, { code: 'unauthenticated', detail: 'The API key is not valid.' })
    }
    const { result, text, value } = await agent.call('createUser', user)
    assert.equal(result.isError, true)
    const { outcome, idempotency_key, what_to_do } = Object(value['error'])
    assert.equal(outcome, 'unknown')
    assert.deepEqual(tries, [idempotency_key, idempotency_key])
    assert.match(text, /^It is unknown whether this took effect/)
    assert.match(what_to_do, /same arguments and idempotency_key/)
    answers['POST /v1/users'] = (_, response) => json(response, 200, { id: ID })
    await agent.answer('createUser', { ...user, idempotency_key })
    assert.equal(asks('POST /v1/users').at(-1)?.key, idempotency_key)
  })

  test('is unknown without a key where the operation takes none', async () => {
    const call = `PUT /v1/cards/${ID}`
    answers[call] = (request) => request.socket.destroy()
    const { value } = await agent.call('call_write_operation', {
      operation: 'updateCard',
      arguments: { id: ID, name_on_card: null },
    })
    const { outcome, idempotency_key, what_to_do } = Object(value['error'])
    assert.deepEqual([outcome, idempotency_key], ['unknown', undefined])
    assert.match(what_to_do, /^Read the object/)
    assert.equal(asks(call).length, 1)
  })

  test('is unknown where a proxy answers with a page', async () => {
    const call = `PUT /v1/cards/${ID}`
    answers[call] = (_, response) => response.end('<html>')
    const { value } = await agent.call('call_write_operation', {
      operation: 'updateCard',
      arguments: { id: ID, name_on_card: null },
    })
    assert.equal(Object(value['error']).outcome, 'unknown')
  })

  test('has failed where the platform says so', async () => {
    answers['POST /v1/users'] = (_, response) =>
      json(response, 409, { code: 'id_taken', detail: 'The id is taken.' })
    const { value } = await agent.call('createUser', user)
    assert.partialDeepStrictEqual(value, { error: { outcome: 'failed', code: 'id_taken' } })
  })
})

describe('an answer', () => {
  test('that repeats the key is given without it', async () => {
    answers[`GET /v1/users/${ID}`] = (_, response) => json(response, 200, { first_name: KEY })
    assert.deepEqual(await agent.answer('getUser', { id: ID }), { first_name: '***' })
    answers[`GET /v1/users/${ID}`] = (_, response) =>
      json(response, 400, { code: 'validation_failed', detail: `No ${KEY}.` })
    assert.match(await agent.refused('getUser', { id: ID }), /^No \*\*\*\./)
  })

  test('that is a redirect is not followed', async () => {
    answers[`GET /v1/users/${ID}`] = (_, response) =>
      response.writeHead(302, { location: `${url}/v1/elsewhere` }).end()
    assert.match(await agent.refused('getUser', { id: ID }), /302/)
    assert.deepEqual(asks('GET /v1/elsewhere'), [])
  })

  test('that is too long for a model is cut, and says how to go on', async () => {
    const data = Array.from({ length: 20 }, (_, at) => ({ id: at, name: 'n'.repeat(20_000) }))
    answers['GET /v1/users'] = (_, response) =>
      json(response, 200, { data, has_more: true, after: 'cursor' })
    const { value, texts } = await agent.call('listUsers')
    assert.partialDeepStrictEqual(value, { data: data.slice(0, 4), has_more: true })
    assert.equal(Object(value['data']).length, 4)
    assert.equal(value['after'], undefined)
    assert.match(texts[1] ?? '', /first 4 of 20 objects.*limit 4/)
  })
})

test('a call that is cancelled ends at the platform, and the next one is answered', async () => {
  const held = Promise.withResolvers<IncomingMessage>()
  answers[`GET /v1/users/${ID}`] = (request) => held.resolve(request)
  const cancelled = new AbortController()
  const call = agent.call('getUser', { id: ID }, cancelled.signal)
  const request = await held.promise
  const ended = once(request.socket, 'close')
  cancelled.abort()
  await assert.rejects(call)
  await ended
  answers[`GET /v1/users/${ID}`] = (_, response) => json(response, 200, { id: ID })
  assert.deepEqual(await agent.answer('getUser', { id: ID }), { id: ID })
})

test('a platform that is away is named in each call, and asked again', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const port = Object(closed.address()).port
  await promisify(closed.close.bind(closed))()
  const env = { ...command.environment, BEZANT_URL: `http://127.0.0.1:${port}` }
  await using away = await openAgent(env, ['--write'])
  for (const [name, given] of [
    ['listUsers', {}],
    ['createUser', user],
  ] as const) {
    assert.match(await away.refused(name, given), /nothing listens there: start the server/)
  }
  assert.match(away.said(), /not reached yet/)
})

describe('a key that is not accepted', () => {
  test('ends the server with 1', async () => {
    answers[CLOCK] = (_, response) =>
      json(response, 401, { code: 'unauthenticated', detail: 'The API key is not valid.' })
    const { code, out, err } = await command.run(['mcp'])
    answers[CLOCK] = isSandbox
    assert.deepEqual([code, out], [1, ''])
    assert.match(err, /401, unauthenticated/)
    assert.ok(!err.includes(KEY))
  })
})

/**
 * The process itself, without the client of the library: `send` writes to it, and `lines` are its
 * output.
 */
async function openProcess(...words: string[]) {
  const child = command.start(['mcp', ...words])
  const said = text(child.stderr)
  const lines: string[] = []
  const output = createInterface(child.stdout).on('line', (line) => lines.push(line))
  const send = (value: object) => child.stdin.write(`${JSON.stringify(value)}\n`)
  const clientInfo = { name: 'test', version: '1' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  return {
    child,
    said,
    lines,
    send,
    next: () => once(output, 'line'),
    async begin() {
      const answered = once(output, 'line')
      send({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
      await answered
      send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    },
    call: (id: number, name: string, given: object = {}) =>
      send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } }),
  }
}

describe('standard input and output', () => {
  test('carry the protocol alone: what is no JSON is passed over, and the end ends with 0', async () => {
    const { child, said, lines, begin, next, call } = await openProcess()
    child.stdin.write('this is no JSON\n{"jsonrpc":"2.0"\n\n[]\n')
    await begin()
    child.stdin.write('}\n')
    const answered = next()
    call(2, 'nothing')
    await answered
    child.stdin.end()
    const [code] = await once(child, 'exit')
    assert.equal(code, 0, await said)
    const [first, second] = lines.map((line) => JSON.parse(line))
    assert.equal(lines.length, 2)
    assert.equal(first.result.serverInfo.name, 'bezant')
    assert.match(second.error.message, /there is no tool nothing/)
    assert.match(await said, /bezant mcp: http:.* \(sandbox\), read only, \d+ tools/)
  })

  test('end, and SIGTERM with them, when a trigger has put the settings back', async () => {
    const changes: string[] = []
    answers['GET /v1/tenantsettings'] = (_, response) => json(response, 200, { require_kyc: false })
    answers['PUT /v1/tenantsettings'] = (_, response, body) => {
      changes.push(body)
      json(response, 200, {})
    }
    const held = Promise.withResolvers<ServerResponse>()
    answers['POST /v1/users'] = (_, response) => held.resolve(response)
    const { child, begin, call } = await openProcess('--write')
    await begin()
    call(2, 'trigger', { kind: 'kyc.passed' })
    const response = await held.promise
    assert.deepEqual(changes, ['{"require_kyc":true}'])
    child.stdin.end()
    child.kill('SIGTERM')
    // The signal has come before the answer has.
    json(response, 200, { id: ID, status: 'PENDINGKYC' })
    await once(child, 'exit')
    assert.equal(child.signalCode, 'SIGTERM')
    assert.deepEqual(changes, ['{"require_kyc":true}', '{"require_kyc":false}'])
  })

  test('end a call that is under way', async () => {
    const held = Promise.withResolvers<IncomingMessage>()
    answers[`GET /v1/users/${ID}`] = (request) => held.resolve(request)
    await using other = await openAgent(command.environment)
    const call = other.call('getUser', { id: ID }).catch((error: unknown) => error)
    const request = await held.promise
    const ended = once(request.socket, 'close')
    await other.client.close()
    await Promise.all([ended, call])
  })
})

test('nothing that an agent has seen has the key', () => {
  assert.ok(agent.seen.length > 10)
  assert.ok(!(agent.seen.join() + agent.said()).includes(KEY))
})
