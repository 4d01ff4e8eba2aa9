/** Receivers for trying webhooks, and deliveries of the program to itself (D-640). */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { signatureHeaders, signingKey } from '#kit/net/signature.ts'
import { newId } from '#lib/id.ts'
import { withBoundPorts } from '#src/config/config.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'
import { deleteOldRequests } from './store.ts'

// A retry follows at once.
const settings = { webhook_retry_seconds: [0, 0, 0, 0] }
const world = await openWorld({ settings })
after(() => world[Symbol.asyncDispose]())
const home = await world.app.listen({ host: '127.0.0.1', port: 0 })
world.bind(withBoundPorts(world.config, { port: Number(new URL(home).port), network_port: 9 }))
world.sweeper.start()

const PATH = '/v1/simulate/webhookreceivers'
const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await world.request(method, path, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const requestsOf = async (id: string) => (await ask('GET', `${PATH}/${id}/requests`)).data
const subscribe = (endpoint: string) =>
  ask('POST', '/v1/webhooks', { endpoint, events: ['TRANSACTION'] })

/** A receiver, and a subscription to its address. */
async function openPair(body: object = {}) {
  const receiver = await ask('POST', PATH, body)
  return { ...receiver, webhook: await subscribe(receiver.url) }
}

/** Sends what any client may send. */
const send = (url: string, payload: string, headers: Record<string, string> = {}) =>
  world.app.inject({ method: 'POST', url: new URL(url).pathname, payload, headers })

const signed = (secret: string, body: string, at = new Date()) =>
  signatureHeaders([signingKey(secret)], newId(), body, at)

async function withoutReceivers(): Promise<void> {
  for (const { id } of (await ask('GET', PATH)).data) await ask('DELETE', `${PATH}/${id}`)
}

describe('receivers', () => {
  test('200: they are created, read, listed, changed and deleted', async () => {
    const made = await ask('POST', PATH)
    assert.match(made.url, /^http:\/\/127\.0\.0\.1:\d+\/sandbox\/receivers\/[\w-]{43}$/)
    assert.deepEqual([made.answer_status, made.delay_ms, made.received], [200, 0, 0])
    const other = await ask('POST', PATH, { answer_status: 503, delay_ms: 50 })
    assert.deepEqual([other.answer_status, other.delay_ms], [503, 50])
    assert.deepEqual(await ask('GET', `${PATH}/${made.id}`), made)
    assert.deepEqual((await ask('GET', `${PATH}?limit=2`)).data, [other, made])
    const changed = await ask('PUT', `${PATH}/${made.id}`, { answer_status: 410 })
    assert.deepEqual([changed.answer_status, changed.delay_ms], [410, 0])
    assert.deepEqual(await ask('DELETE', `${PATH}/${made.id}`), { id: made.id, deleted: true })
    assert.equal((await world.request('GET', `${PATH}/${made.id}`)).status, 404)
    assert.equal((await send(made.url, '{}')).statusCode, 404)
  })

  test('400 for answers that are none', async () => {
    for (const body of [{ answer_status: 100 }, { answer_status: 600 }, { delay_ms: 15_001 }]) {
      assert.equal((await world.request('POST', PATH, body)).status, 400)
    }
  })

  test('404 for those of another tenant, in every operation', async () => {
    const { id } = await ask('POST', PATH)
    const { api_key: key } = await world.otherTenant()
    const at = `${PATH}/${id}`
    for (const [method, path, body] of [
      ['GET', at],
      ['PUT', at, { delay_ms: 1 }],
      ['DELETE', at],
      ['GET', `${at}/requests`],
    ] as const) {
      assert.equal((await world.request(method, path, body, { key })).status, 404, method)
    }
    assert.deepEqual((await world.request('GET', PATH, undefined, { key })).body.data, [])
  })

  test('409 for more than ten, also where they are created at one time', async () => {
    await withoutReceivers()
    const answers = await Promise.all(Array.from({ length: 12 }, () => world.request('POST', PATH)))
    const refused = answers.filter(({ status }) => status === 409)
    assert.deepEqual(
      refused.map(({ body }) => body.code),
      ['receiver_limit_reached', 'receiver_limit_reached'],
    )
    await withoutReceivers()
  })

  test('404 in live, for the operations and for the addresses', async () => {
    const { url } = await ask('POST', PATH)
    const env = { MODE: 'live', MASTER_KEY: randomBytes(32).toString('hex') }
    await using live = await openWorld({ env })
    assert.equal((await live.request('POST', PATH)).status, 404)
    const { pathname } = new URL(url)
    const { statusCode } = await live.app.inject({ method: 'POST', url: pathname, payload: {} })
    assert.equal(statusCode, 404)
  })
})

describe('deliveries to a receiver', () => {
  test('are stored with their signature checked, and shown newest first', async () => {
    const { id, webhook } = await openPair()
    const { event_id } = await ask('POST', `/v1/webhooks/${webhook.id}:ping`)
    await until('it is received', async () => (await requestsOf(id)).length === 1)
    const [request] = await requestsOf(id)
    assert.deepEqual(
      [request.number, request.verification, request.webhook_id, request.answer_status],
      [1, 'VALID', webhook.id, 200],
    )
    assert.equal(JSON.parse(request.body).event, 'PING')
    assert.equal(request.size, Buffer.byteLength(request.body))
    const headers = Object.fromEntries(
      request.headers.map(({ name, value }: { name: string; value: string }) => [name, value]),
    )
    assert.equal(headers['webhook-id'], event_id)
    assert.match(headers['webhook-signature'], /^v1,/)
    await ask('POST', `/v1/webhooks/${webhook.id}:rotateSecret`)
    await ask('POST', `/v1/webhooks/${webhook.id}:ping`)
    await until('the next one is received', async () => (await requestsOf(id)).length === 2)
    const [newest] = await requestsOf(id)
    assert.deepEqual([newest.number, newest.verification], [2, 'VALID'])
    assert.equal((await ask('GET', `${PATH}/${id}`)).received, 2)
  })

  test('are tried again while it answers 500, until it answers 200', async () => {
    const { id, webhook } = await openPair({ answer_status: 500 })
    const delivery = await ask('POST', `/v1/webhooks/${webhook.id}:ping`)
    await until('it is tried again', async () => (await requestsOf(id)).length >= 2)
    await ask('PUT', `${PATH}/${id}`, { answer_status: 200 })
    const read = () => ask('GET', `/v1/deliveries/${delivery.id}`)
    await until('it is delivered or given up', async () =>
      ['DELIVERED', 'EXPIRED'].includes((await read()).status),
    )
    const requests = await requestsOf(id)
    const ids = requests.map(
      ({ headers }: { headers: { name: string; value: string }[] }) =>
        headers.find(({ name }) => name === 'webhook-id')?.value,
    )
    assert.equal(new Set(ids).size, 1, 'an event keeps its id')
  })

  test('disable the subscription where it answers 410', async () => {
    const { webhook } = await openPair({ answer_status: 410, delay_ms: 20 })
    await ask('POST', `/v1/webhooks/${webhook.id}:ping`)
    const read = () => ask('GET', `/v1/webhooks/${webhook.id}`)
    await until('it is disabled', async () => (await read()).status === 'DISABLED')
    assert.equal((await read()).disabled_reason, 'GONE')
  })
})

describe('what others send to a receiver', () => {
  test('is stored without its body, and shown as what it is', async () => {
    await withoutReceivers()
    const receiver = await ask('POST', PATH)
    const body = JSON.stringify({ card: 'anything' })
    const { secret } = await subscribe(receiver.url)
    await send(receiver.url, body)
    await send(receiver.url, body, signed('whsec_AAAA', body))
    const old = new Date(Date.now() - 6 * 60_000)
    await send(receiver.url, body, signed(secret, body, old))
    await send(receiver.url, `${body} `, signed(secret, body))
    await send(receiver.url, body, { ...signed(secret, body), 'webhook-timestamp': 'now' })
    await send(receiver.url, body, { ...signed(secret, body), authorization: 'Basic c2VjcmV0' })
    const requests = await requestsOf(receiver.id)
    assert.deepEqual(
      requests.map(({ verification }: { verification: string }) => verification),
      ['VALID', 'INVALID', 'INVALID', 'INVALID', 'INVALID', 'MISSING'],
    )
    const [valid, ...others] = requests
    assert.equal(valid.body, body)
    for (const other of others) assert.equal(other.body, undefined)
    assert.doesNotMatch(JSON.stringify(requests), /c2VjcmV0/)
    const lone = await ask('POST', PATH)
    await send(lone.url, body, signed(secret, body))
    assert.equal((await requestsOf(lone.id))[0].verification, 'UNKNOWN')
  })

  test('404 for every other address, 413 for a body without measure', async () => {
    const { url } = await ask('POST', PATH)
    for (const wrong of [url.slice(0, -1), `${url}A`, url.replace(/.{43}$/, 'A'.repeat(43))]) {
      assert.equal((await send(wrong, '{}')).statusCode, 404, wrong)
    }
    assert.equal((await send(url, 'x'.repeat(300_000))).statusCode, 413)
  })

  test('is kept to the newest hundred, and for a week', async () => {
    const { id, url } = await ask('POST', PATH)
    await Promise.all(Array.from({ length: 105 }, () => send(url, '')))
    const kept = (await ask('GET', `${PATH}/${id}/requests?limit=100`)).data
    assert.deepEqual([kept.length, kept[0].number, kept[99].number], [100, 105, 6])
    await world.db
      .updateTable('sandbox_webhook_requests')
      .set({ created: new Date(Date.now() - 8 * 24 * 3_600_000) })
      .where('receiver_id', '=', id)
      .where('number', '<', 50)
      .execute()
    await deleteOldRequests(world.db)
    assert.equal((await ask('GET', `${PATH}/${id}/requests?limit=100`)).data.length, 56)
  })
})
