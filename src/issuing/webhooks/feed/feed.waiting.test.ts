import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { emit, FEED } from '#events/outbox.ts'
import { type Context, transact } from '#kit/context.ts'
import { hearOthers } from '#kit/db/connections/announcements.ts'
import { createPools } from '#kit/db/connections/pools.ts'
import { newId } from '#lib/id.ts'
import { madeUpEvent } from '#test/support/events.ts'
import { watchStatements } from '#test/support/inspection/statements.ts'
import { until } from '#test/support/services/receiver.ts'
import { type Answer, openWorld, type TestTenant } from '#test/support/world.ts'

const world = await openWorld()
after(async () => {
  // A client that was cut connects again, without a request.
  world.app.server.closeAllConnections()
  await world[Symbol.asyncDispose]()
})
/** No process accepts a key for longer (D-138). */
const ACCEPTED_MS = 1_000
const base = await world.app.listen({ host: '127.0.0.1', port: 0 })

let tenant: TestTenant
let ctx: Context
beforeEach(async () => {
  tenant = await world.otherTenant()
  ctx = await world.ctx(tenant.id)
})

const read = (query = '') =>
  world.request('GET', `/v1/events${query}`, undefined, { key: tenant.api_key })
const send = (at: number) =>
  transact(ctx, (tx) => emit(tx, madeUpEvent('TRANSACTION', newId(), { at })))

/** Polls until as many calls wait as may. */
async function pollUntilRefused(poll: (wait: number) => Promise<Answer>): Promise<void> {
  const { status, body, headers } = await poll(1)
  if (status === 200) return pollUntilRefused(poll)
  assert.deepEqual([status, body.code, headers['retry-after']], [429, 'polls_exceeded', '1'])
}

describe('GET /events?wait=', () => {
  test('401 for a call that still waits when its key is revoked', async () => {
    const begun = performance.now()
    const waiting = read('?wait=30')
    const keys = `/v1/operator/tenants/${tenant.id}/keys`
    const { body } = await world.request('GET', keys, undefined, { key: world.operator_key })
    const [{ id }] = body.data
    await world.request('DELETE', `${keys}/${id}`, undefined, { key: world.operator_key })
    await until('it is revoked everywhere', () => performance.now() - begun > ACCEPTED_MS)
    await send(1)
    assert.equal((await waiting).status, 401)
  })

  const reader = async () => {
    const { id, api_key } = await world.otherTenant()
    const poll = (wait: number) =>
      world.request('GET', `/v1/events?wait=${wait}`, undefined, { key: api_key })
    const about = await world.ctx(id)
    const write = () =>
      transact(about, (tx) => emit(tx, madeUpEvent('TRANSACTION', newId(), { id })))
    return { poll, write }
  }

  test('2,000 calls of one tenant wait for few statements, and one event answers all', async () => {
    const { poll, write } = await reader()
    await poll(0)
    using sent = watchStatements(world.url)
    const polls = Array.from({ length: 2_000 }, () => poll(30))
    const refused = Promise.withResolvers<void>()
    void pollUntilRefused(poll).then(refused.resolve)
    await refused.promise
    const before = sent.take().statements
    assert.ok(before < 400, `${before} statements while the calls came in`)
    await until('no connection is held', () => world.db.connections().busy === 0)
    sent.take()
    await write()
    const answers = await Promise.all(polls)
    assert.ok(answers.every(({ body }) => body.data.length === 1))
    const { statements } = sent.take()
    assert.ok(statements < 60, `${statements} statements for one event`)
  })

  test('answers as soon as there is an event, without a notification', async () => {
    const waiting = read('?wait=20')
    await read()
    const sent = Date.now()
    await send(1)
    const { body } = await waiting
    assert.equal(body.data[0].at, 1)
    assert.ok(Date.now() - sent < 15_000)
  })

  test('answers nothing when the time is over', async () => {
    const begun = Date.now()
    const { status, body } = await read('?wait=1')
    assert.deepEqual([status, body], [200, { data: [], has_more: false }])
    assert.ok(Date.now() - begun >= 950)
  })

  test('answers what another process has notified it of', async () => {
    const pools = createPools(world.url)
    after(() => pools.close())
    const heard: string[] = []
    hearOthers(pools.listen, (channel, tenant_id) => {
      if (tenant_id === tenant.id) heard.push(channel)
    })
    const settings = { size: 1, longest_ms: 5_000, wait_ms: 2_000, options: '' }
    const { pool, source } = pools.open(settings)
    const lease = await source.lease({ name: '', limit: 1, seen: null })
    lease.release()
    // Until it listens nothing is heard, and no other session shows that.
    await until('it is heard', async () => {
      await pool.query('select pg_notify($1, $2)', ['bezant', `${newId()} ${tenant.id} ${FEED}`])
      return heard.length > 0
    })
    assert.deepEqual(new Set(heard), new Set([FEED]))
  })
})

/** Reads a stream until it has so many events. */
async function readStream(answer: Response, count: number): Promise<{ id: string; at: number }[]> {
  let text = ''
  for await (const part of answer.body ?? []) {
    text += Buffer.from(part).toString()
    const events = [...text.matchAll(/^id: (\S+)\nevent: TRANSACTION\ndata: (.+)\n\n/gm)]
    if (events.length < count) continue
    return events.map(([, id = '', data = '']) => {
      const body = JSON.parse(data)
      assert.equal(body.id, id)
      return body
    })
  }
  throw new Error(`the stream has ended: ${text}`)
}

describe('GET /events as a stream', () => {
  const open = (query = '', headers: Record<string, string> = {}) =>
    fetch(`${base}/v1/events${query}`, {
      headers: { apikey: tenant.api_key, accept: 'text/event-stream', ...headers },
    })

  test('sends what there is and what comes, as it is listed', async () => {
    for (let at = 0; at < 3; at++) await send(at)
    const answer = await open()
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
    const reading = readStream(answer, 5)
    await send(3)
    await read()
    await send(4)
    await read()
    assert.deepEqual(await reading, (await read()).body.data)
  })

  test('goes on behind `after`, and before it behind Last-Event-ID', async () => {
    for (let at = 0; at < 3; at++) await send(at)
    const [first, second] = (await read()).body.data
    const placesOf = async (answer: Response, count: number) =>
      (await readStream(answer, count)).map(({ at }) => at)
    assert.deepEqual(await placesOf(await open(`?after=${first.id}`), 2), [1, 2])
    const again = await open(`?after=${first.id}`, { 'last-event-id': second.id })
    assert.deepEqual(await placesOf(again, 1), [2])
    const latest = await open('?after=latest')
    await send(3)
    await read()
    assert.deepEqual(await placesOf(latest, 1), [3])
  })

  test('is an error answer for an unknown cursor, and without a key', async () => {
    const answers = [await open(`?after=${newId()}`), await open('', { 'last-event-id': 'x' })]
    for (const answer of answers) {
      assert.equal(answer.status, 400)
      assert.match(answer.headers.get('content-type') ?? '', /problem\+json/)
      assert.match(await answer.text(), /"code":"cursor_invalid"/)
    }
    assert.equal((await open('', { apikey: 'none' })).status, 401)
  })

  test('past 100 streams of a key answers polls_exceeded, until one is closed', async () => {
    const opened = await Promise.all(Array.from({ length: 100 }, () => open()))
    assert.ok(opened.every(({ status }) => status === 200))
    const refused = await open()
    assert.equal(refused.status, 429)
    assert.match(await refused.text(), /"code":"polls_exceeded"/)
    for (const { body } of opened) await body?.cancel()
    await until('there is room again', async () => {
      const answer = await open()
      await answer.body?.cancel()
      return answer.status === 200
    })
  })
})

test('waiting calls and streams end when the program stops', async () => {
  const begun = Date.now()
  const waiting = read('?wait=30')
  const stream = await fetch(`${base}/v1/events`, {
    headers: { apikey: tenant.api_key, accept: 'text/event-stream' },
  })
  await world.sweeper.stop()
  assert.equal((await waiting).status, 200)
  assert.equal(await stream.text(), 'retry: 1000\n\n')
  assert.ok(Date.now() - begun < 25_000)
})
