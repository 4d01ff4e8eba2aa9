import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { emit } from '#events/outbox.ts'
import { type Context, transact } from '#kit/context.ts'
import type { Event } from '#kit/event.ts'
import { tenantContext } from '#kit/http/callers/callers.ts'
import { dueBy } from '#kit/jobs/due_work.ts'
import { createSweeper, type Sweeper } from '#kit/jobs/sweeper.ts'
import { createOutgoing } from '#kit/net/fetch.ts'
import { newId } from '#lib/id.ts'
import { listDeliveries } from '#test/support/deliveries.ts'
import { madeUpEvent } from '#test/support/events.ts'
import { openReceiver, type Receiver, until } from '#test/support/services/receiver.ts'
import { openWorld, type TestTenant } from '#test/support/world.ts'

import { deliveriesDue } from './due.ts'
import { createWorker, type WorkerOptions } from './worker.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const TIMEOUT_MS = 400
const NEVER = 'that never comes'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

/** Each test has a tenant, a receiver and workers of its own. */
let tenant: TestTenant
let receiver: Receiver
let workers: Sweeper[]
const notify: Context['notify'] = (...notice) => {
  for (const worker of workers) worker.notify(...notice)
}

beforeEach(async () => {
  tenant = await world.otherTenant()
  receiver = await openReceiver()
  workers = []
})
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
  await receiver.close()
})

function startWorker(options: Partial<WorkerOptions> = {}): Sweeper {
  // The time of production: a call that a busy machine takes long over is no failure.
  const outgoing = createOutgoing()
  const services = { ...world.services, notify }
  const worker = createSweeper({
    db: world.db,
    log: world.log,
    contextOf: (id) => tenantContext(services, id, { kind: 'system', id: 'sweep' }),
    sweeps: [createWorker({ outgoing, ...options })],
  })
  worker.start()
  workers.push(worker)
  return worker
}

const ask = (method: string, path: string, body?: object) =>
  world.request(method, `/v1${path}`, body, { key: tenant.api_key })
async function subscribe(more: object = {}, endpoint = receiver.url) {
  const { status, body } = await ask('POST', '/webhooks', {
    endpoint,
    events: ['TRANSACTION'],
    ...more,
  })
  assert.equal(status, 200)
  return body as { id: string; secret: string }
}
const context = async (): Promise<Context> => ({ ...(await world.ctx(tenant.id)), notify })
async function send(object_id = newId(), payload: object = {}, times = 1) {
  const events = Array.from({ length: times }, (_, at) =>
    madeUpEvent('TRANSACTION', object_id, { object_id, at, ...payload }),
  )
  await write(...events)
  return object_id
}
/** Writes events and notes due deliveries, as the numbering does, which no sweep here makes. */
async function write(...events: Event[]) {
  await transact(await context(), async (tx) => {
    await emit(tx, ...events)
    await dueBy(tx, deliveriesDue, tx.now)
  })
}
async function advance(milliseconds: number) {
  await world.db
    .updateTable('tenants')
    .set((of) => ({ clock_offset_ms: of('clock_offset_ms', '+', BigInt(milliseconds)) }))
    .where('id', '=', tenant.id)
    .execute()
  notify('deliveries')
}
type Attempt = {
  number: number
  duration_ms: number
  response_status: number
  error?: string
  request_headers: { name: string; value: string }[]
}
const deliveries = () => listDeliveries(world.db, tenant.id)
const allAre = (status: string) => async () => {
  const rows = await deliveries()
  return rows.length > 0 && rows.every((row) => row.status === status) && rows
}
const one = async () => {
  const [row] = await deliveries()
  assert.ok(row)
  return row
}
const webhook = async (id: string) => (await ask('GET', `/webhooks/${id}`)).body

describe('a delivery', () => {
  test('is the stored text, signed so that an independent library agrees', async () => {
    const { secret } = await subscribe()
    const begun = Date.now()
    startWorker()
    const texts = [
      'plain',
      'é ü ß',
      '漢字 カード',
      '😀👩‍👩‍👧',
      'بطاقة',
      '"\\/\b\n',
      '\u2028\u2029',
      'e\u0301',
    ]
    for (let round = 0; round < 25; round++) {
      for (const text of texts) await send(newId(), { text, round })
    }
    await until('all are delivered', () => receiver.received.length >= 200)
    const verifier = new Webhook(secret)
    for (const { text, body, headers, at } of receiver.received) {
      const signed = headers as Record<string, string>
      assert.deepEqual(verifier.verify(text, signed), JSON.parse(text))
      assert.equal(headers['webhook-id'], body.id)
      assert.equal(headers['content-type'], 'application/json')
      // The time of the call, in whole seconds.
      const sent = Number(headers['webhook-timestamp']) * 1000
      assert.ok(sent > begun - 1_000 && sent <= at, `${begun} ${sent} ${at}`)
      assert.throws(() => verifier.verify(text.replace('TRANS', 'trans'), signed))
      assert.throws(() => verifier.verify(text, { ...signed, 'webhook-id': newId() }))
    }
    const stored = await world.db
      .selectFrom('events')
      .select('id')
      .where('tenant_id', '=', tenant.id)
      .execute()
    assert.deepEqual(
      receiver.received.map(({ body }) => body.id).sort(),
      stored.map(({ id }) => id).sort(),
    )
  })

  test('carries the basic authentication and the custom headers of the subscription', async () => {
    await subscribe({
      config: {
        basic_auth_username: 'shöp',
        basic_auth_password: 'a:b',
        custom_headers: [{ header_name: 'X-Key', header_value: 'v 1' }],
      },
    })
    startWorker()
    await send()
    await until('it is delivered', () => receiver.received.length === 1)
    const { headers } = receiver.received[0] ?? assert.fail()
    assert.equal(headers['x-key'], 'v 1')
    assert.equal(headers.authorization, `Basic ${Buffer.from('shöp:a:b').toString('base64')}`)
  })

  test('is signed by both secrets for 24 hours after a rotation, then by the new one', async () => {
    const { id, secret } = await subscribe()
    const rotated = (await ask('POST', `/webhooks/${id}:rotateSecret`)).body.secret
    startWorker()
    await send()
    await until('one is delivered', () => receiver.received.length === 1)
    await advance(DAY + 1000)
    await send()
    await until('two are delivered', () => receiver.received.length === 2)
    const [during, afterwards] = receiver.received
    const verify = (key: string, of: typeof during) =>
      new Webhook(key).verify(of?.text ?? '', of?.headers as Record<string, string>)
    verify(secret, during)
    verify(rotated, during)
    verify(rotated, afterwards)
    assert.throws(() => verify(secret, afterwards))
  })

  test('is signed for the real time also where the clock is moved while it is claimed', async () => {
    const { secret } = await subscribe()
    await send()
    const before = await context()
    await advance(4 * DAY)
    const worker = createWorker()
    await worker.run(before)
    await until('it has come', () => receiver.received.length === 1)
    const [{ text, headers } = assert.fail()] = receiver.received
    new Webhook(secret).verify(text, headers as Record<string, string>)
    await worker.stop?.()
  })

  test('goes to each subscription of its kind, and a PING to one alone', async () => {
    const { id } = await subscribe()
    await subscribe()
    await subscribe({ events: ['KYC_RESULT'] })
    startWorker()
    await send()
    await until('both got it', () => receiver.received.length === 2)
    const ping = await ask('POST', `/webhooks/${id}:ping`)
    assert.deepEqual([ping.status, ping.body.event, ping.body.status], [200, 'PING', 'PENDING'])
    notify('deliveries')
    await until('the ping is delivered', () => receiver.received.length === 3)
    assert.equal(receiver.received[2]?.body.webhook_id, id)
  })
})

describe('order', () => {
  test('holds per object though calls fail in between, and objects go beside each other', async () => {
    await subscribe()
    // Every third call fails, so the schedule is short enough to be waited for.
    await world.db
      .updateTable('tenants')
      .set({ settings: JSON.stringify({ webhook_retry_seconds: [1, 1, 1, 1, 1, 1, 1, 1, 1] }) })
      .where('id', '=', tenant.id)
      .execute()
    const taken: { object_id: string; at: number }[] = []
    receiver.answer((response, { body }, count) => {
      if (count % 3 === 0) return response.writeHead(500).end()
      taken.push(body)
      return setTimeout(() => response.end(), 5)
    })
    const objects = await Promise.all(Array.from({ length: 12 }, () => send(newId(), {}, 5)))
    startWorker()
    await until('all are delivered', async () => {
      await advance(1200)
      return (await deliveries()).every(({ status }) => status === 'DELIVERED')
    })
    for (const object of objects) {
      const places = taken.filter(({ object_id }) => object_id === object).map(({ at }) => at)
      assert.deepEqual(places, [0, 1, 2, 3, 4])
    }
    assert.ok(receiver.most() > 4, `at most ${receiver.most()} at a time`)
  })

  test('lets nothing of an object pass one that waits for its retry, and calls it after', async () => {
    await subscribe()
    receiver.answer(500)
    startWorker()
    const object = await send(newId(), {}, 3)
    await until('the first has failed', async () => (await deliveries())[0]?.status === 'RETRYING')
    const other = await send()
    await until('the other object was tried', async () => {
      const rows = await deliveries()
      return rows.find(({ object_id }) => object_id === other)?.attempts === 1
    })
    await until('what follows is put off with it', async () => {
      const [first, ...rest] = (await deliveries()).filter((row) => row.object_id === object)
      return rest.every(({ due }) => due?.getTime() === first?.due?.getTime())
    })
    assert.equal(receiver.received.length, 2)
    receiver.answer(200)
    await advance(6_000)
    await until('all are delivered', allAre('DELIVERED'))
    const order = receiver.received.filter(({ body }) => body.object_id === object)
    assert.deepEqual(
      order.map(({ body }) => body.at),
      [0, 0, 1, 2],
    )
  })
})

describe('an answer', () => {
  const cases: [name: string, answer: Parameters<Receiver['answer']>[0], error: RegExp][] = [
    ['500', 500, /answered 500/],
    ['404', 404, /answered 404/],
    ['301', (response) => response.writeHead(301, { location: receiver.url }).end(), /301/],
    [NEVER, () => {}, /timeout/],
    ['cut off', (response) => response.socket?.resetAndDestroy(), /connection reset/],
  ]
  for (const [name, answer, error] of cases) {
    test(`${name} is a failure that is tried again after five seconds`, async () => {
      await subscribe()
      receiver.answer(answer)
      const outgoing = createOutgoing(name === NEVER ? { timeout_ms: TIMEOUT_MS } : {})
      startWorker({ outgoing })
      await send()
      const row = await until('it failed', async () => (await allAre('RETRYING')()) && one())
      assert.match(row.error ?? '', error)
      const wait = (row.due?.getTime() ?? 0) - row.modified.getTime()
      assert.ok(wait >= 5_000 && wait <= 5_500, `${wait} ms`)
      assert.equal(row.claimed_until, null)
      receiver.answer(200)
      await advance(6_000)
      await until('it is delivered', allAre('DELIVERED'))
      const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
      assert.equal(new Set(ids).size, 1)
      assert.equal(ids.length, 2)
    })
  }

  test('with Retry-After is tried again after that time', async () => {
    await subscribe()
    receiver.answer((response) => response.writeHead(503, { 'retry-after': '600' }).end('later'))
    startWorker()
    await send()
    const row = await until('it failed', async () => (await allAre('RETRYING')()) && one())
    assert.ok((row.due?.getTime() ?? 0) - row.created.getTime() >= 600_000)
    assert.deepEqual([row.response_status, row.response_body], [503, 'later'])
  })

  test('2xx with a dripping or a vast body is a delivery; 4 KiB of it are kept', async () => {
    await subscribe()
    startWorker({ outgoing: createOutgoing({ timeout_ms: TIMEOUT_MS }) })
    receiver.answer((response) => {
      const timer = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(timer))
    })
    await send()
    await until('the dripping one is delivered', allAre('DELIVERED'))
    receiver.answer((response) => response.writeHead(201).end(Buffer.alloc(2_000_000, 0)))
    await send()
    await until('the vast one is delivered', async () =>
      (await deliveries()).every(({ status }) => status === 'DELIVERED'),
    )
    for (const { response_body } of await deliveries()) {
      assert.ok(Buffer.byteLength(response_body ?? '') <= 4096)
    }
  })

  test('410 of an endpoint that was replaced meanwhile leaves the subscription active', async () => {
    const { id } = await subscribe()
    const asked = Promise.withResolvers<ServerResponse>()
    receiver.answer((response) => asked.resolve(response))
    startWorker()
    await send()
    const response = await asked.promise
    await ask('PUT', `/webhooks/${id}`, { endpoint: `${receiver.url}/new` })
    response.writeHead(410).end()
    await until('the result is stored', allAre('EXPIRED'))
    const { status, failing_since } = await webhook(id)
    assert.deepEqual([status, failing_since], ['ACTIVE', undefined])
  })

  test('410 disables the subscription; put back, it goes on with what was left', async () => {
    const { id } = await subscribe()
    receiver.answer(410)
    startWorker()
    await send(newId(), {}, 2)
    await until('it is disabled', async () => (await webhook(id)).status === 'DISABLED')
    assert.equal((await webhook(id)).disabled_reason, 'GONE')
    assert.deepEqual(
      (await deliveries()).map(({ status }) => status),
      ['EXPIRED', 'PENDING'],
    )
    receiver.answer(200)
    await ask('PUT', `/webhooks/${id}`, { status: 'ACTIVE' })
    notify('deliveries')
    await until(
      'the second is delivered',
      async () => (await deliveries())[1]?.status === 'DELIVERED',
    )
    assert.deepEqual(
      receiver.received.map(({ body }) => body.at),
      [0, 1],
    )
  })
})

describe('an endpoint that is down', () => {
  test('is tried nine times by the schedule; then the next of the object has its turn', async () => {
    await subscribe()
    receiver.answer(500)
    startWorker()
    await send(newId(), {}, 2)
    const schedule = [5, 60, 300, 1800, 7200, 18_000, 36_000, 86_400]
    for (const [at, seconds] of schedule.entries()) {
      const row = await until(`attempt ${at + 1}`, async () => {
        const [first] = await deliveries()
        return first?.attempts === at + 1 && first
      })
      const wait = ((row.due?.getTime() ?? 0) - row.modified.getTime()) / 1000
      assert.ok(wait >= seconds && wait <= seconds * 1.1 + 0.1, `${wait} for ${seconds} s`)
      await advance(seconds * 1100 + 1000)
    }
    await until('it expires', async () => (await deliveries())[0]?.status === 'EXPIRED')
    await until('the next is tried', async () => (await deliveries())[1]?.status === 'RETRYING')
    const [expired] = await deliveries()
    assert.deepEqual([expired?.attempts, expired?.due], [9, null])

    receiver.answer(200)
    const resent = await ask('POST', `/deliveries/${expired?.id}:resend`)
    assert.deepEqual([resent.status, resent.body.status, resent.body.attempts], [200, 'PENDING', 0])
    await advance(6_000)
    await until('both are delivered', allAre('DELIVERED'))
  })

  test('for five days is disabled, and a delivery before that starts the time anew', async () => {
    const { id } = await subscribe()
    receiver.answer(500)
    startWorker()
    const fail = async () => {
      await send()
      await until('it is tried', async () =>
        (await deliveries()).every(({ attempts }) => attempts > 0),
      )
    }
    await fail()
    await until('the failing began', async () => (await webhook(id)).failing_since)
    receiver.answer(200)
    await advance(4 * DAY)
    await until('it is delivered', allAre('DELIVERED'))
    assert.equal('failing_since' in (await webhook(id)), false)
    receiver.answer(500)
    await fail()
    await advance(4 * DAY)
    await fail()
    assert.equal((await webhook(id)).status, 'ACTIVE')
    await advance(DAY)
    await send()
    await until('it is disabled', async () => (await webhook(id)).status === 'DISABLED')
    assert.equal((await webhook(id)).disabled_reason, 'FAILING')
  })

  test('is one of fifty of a tenant that all hang: another tenant’s event arrives', async () => {
    const hanging = await openReceiver()
    let ended = 0
    hanging.answer((response) => response.on('close', () => (ended += 1)))
    const busy = tenant
    for (let count = 0; count < 50; count++) await subscribe({}, hanging.url)
    // As many as one subscription has places, each of an object of its own.
    const events = Array.from({ length: 32 }, () => madeUpEvent('TRANSACTION', newId()))
    await write(...events)
    startWorker({ outgoing: createOutgoing({ timeout_ms: 60_000 }), claim_ms: 90_000 })
    await until('the others hang', () => hanging.running() > 0)
    tenant = await world.otherTenant()
    await subscribe()
    await send()
    try {
      await until('the event arrives', () => receiver.received.length === 1)
      await until('its result is written', allAre('DELIVERED'))
      tenant = busy
      const taken = (await deliveries()).filter(({ claimed_until }) => claimed_until !== null)
      assert.ok(taken.length > 0 && taken.length <= 512, String(taken.length))
      assert.equal(ended, 0, 'all that hang are still open')
    } finally {
      await hanging.close()
    }
  })

  test('and hangs, holds up no other endpoint', async () => {
    const hanging = await openReceiver()
    hanging.answer(() => {})
    await subscribe({}, hanging.url)
    await subscribe()
    startWorker({ outgoing: createOutgoing({ timeout_ms: 3_000 }) })
    for (let count = 0; count < 80; count++) await send()
    await until('the other got all', () => receiver.received.length === 80)
    assert.ok(hanging.most() <= 32)
    assert.ok(hanging.running() > 0, 'it hangs still')
    await Promise.all(workers.splice(0).map((worker) => worker.stop()))
    await hanging.close()
  })
})

describe('the attempts of a delivery', () => {
  test('are all kept, with what was sent without secrets, and with each answer', async () => {
    const { id } = await subscribe({
      config: {
        basic_auth_username: 'shop',
        basic_auth_password: 'S3CRET',
        custom_headers: [{ header_name: 'X-Key', header_value: 'S3CRET' }],
      },
    })
    receiver.answer((response) => response.writeHead(500).end('x'.repeat(5_000)))
    startWorker()
    await send()
    const { id: delivery } = await until('it failed', async () => {
      return (await allAre('RETRYING')()) && one()
    })
    receiver.answer(200)
    await advance(6_000)
    await until('it is delivered', allAre('DELIVERED'))
    const read = async () => (await ask('GET', `/deliveries/${delivery}`)).body
    const attempts = (await read()).history
    assert.deepEqual(
      attempts.map(({ number, response_status, error }: Attempt) => [
        ...[number, response_status, error],
      ]),
      [
        [2, 200, undefined],
        [1, 500, 'the endpoint answered 500'],
      ],
    )
    assert.equal(attempts[1].response_body, 'x'.repeat(4096))
    assert.ok(attempts.every(({ duration_ms }: Attempt) => duration_ms >= 0 && duration_ms < 9_999))
    for (const [at, { headers }] of receiver.received.toReversed().entries()) {
      const sent: Attempt['request_headers'] = attempts[at].request_headers
      const masked = sent.filter(({ value }) => value === '***').map(({ name }) => name)
      assert.deepEqual(masked, ['webhook-signature', 'authorization', 'X-Key'])
      for (const { name, value } of sent) {
        if (value !== '***') assert.equal(headers[name], value)
        else assert.ok(headers[name.toLowerCase()])
      }
    }
    await ask('POST', `/deliveries/${delivery}:resend`)
    notify('deliveries')
    await until('it came again', () => receiver.received.length === 3)
    await until('it is delivered again', allAre('DELIVERED'))
    const after_all = await read()
    assert.deepEqual(
      after_all.history.map(({ number }: Attempt) => number),
      [3, 2, 1],
    )
    assert.equal(after_all.attempts, 1)
    assert.doesNotMatch(JSON.stringify(after_all), /S3CRET|c2hvcDpTM0NSRVQ/)
    const listed = async (query: string) =>
      (await ask('GET', `/webhooks/${id}/deliveries?${query}`)).body.data.length
    assert.equal(await listed('status=DELIVERED&event=TRANSACTION'), 1)
    assert.equal(await listed('status=EXPIRED'), 0)
    assert.equal(await listed('event=PING'), 0)
  })

  test('of one that succeeded at once are in its own row', async () => {
    await subscribe()
    startWorker()
    await send()
    await until('it is delivered', allAre('DELIVERED'))
    const { rows } = await sql`select from delivery_attempts
      where tenant_id = ${tenant.id}`.execute(world.db)
    assert.equal(rows.length, 0)
    const { history } = (await ask('GET', `/deliveries/${(await one()).id}`)).body
    assert.deepEqual([history.length, history[0].number, history[0].response_status], [1, 1, 200])
  })
})

describe('workers', () => {
  test('take over from one that died, once its claim has run out and not before', async () => {
    await subscribe()
    await send(newId(), {}, 2)
    const dead_until = new Date(Date.now() + 1_500)
    await world.db
      .updateTable('deliveries')
      .set({ claimed_until: dead_until })
      .where('tenant_id', '=', tenant.id)
      .where('sequence', '=', 1)
      .execute()
    startWorker()
    await until('both are delivered', allAre('DELIVERED'))
    assert.ok((receiver.received[0]?.at ?? 0) >= dead_until.getTime())
    assert.deepEqual(
      receiver.received.map(({ body }) => body.at),
      [0, 1],
    )
  })

  test('three at once deliver each event once and in order', async () => {
    await subscribe()
    const started = [1, 2, 3].map(() => startWorker())
    const objects = await Promise.all(Array.from({ length: 40 }, () => send(newId(), {}, 5)))
    await until('all are delivered', allAre('DELIVERED'))
    assert.equal(started.length, 3)
    assert.equal(receiver.received.length, 200)
    for (const object of objects) {
      const places = receiver.received.filter(({ body }) => body.object_id === object)
      assert.deepEqual(
        places.map(({ body }) => body.at),
        [0, 1, 2, 3, 4],
      )
    }
  })

  test('write no result under a claim that they have lost', async () => {
    await subscribe()
    const called = Promise.withResolvers<() => void>()
    receiver.answer((response) => called.resolve(() => response.end()))
    startWorker()
    await send()
    const release = await called.promise
    const other = new Date(Date.now() + 60_000)
    await world.db
      .updateTable('deliveries')
      .set({ claimed_until: other })
      .where('tenant_id', '=', tenant.id)
      .execute()
    release()
    await until('the call has ended', () => receiver.running() === 0)
    await Promise.all(workers.splice(0).map((worker) => worker.stop()))
    const row = await one()
    assert.deepEqual([row.status, row.claimed_until], ['PENDING', other])
  })

  test('that stop wait for calls that run, and keep their results', async () => {
    await subscribe()
    const called = Promise.withResolvers<void>()
    receiver.answer((response) => {
      called.resolve()
      setTimeout(() => response.end(), 150)
    })
    const worker = startWorker()
    await send()
    await called.promise
    await worker.stop()
    assert.equal((await one()).status, 'DELIVERED')
  })

  test('reach no private address of a tenant that may not have one', async () => {
    const { id } = await subscribe()
    await world.db
      .updateTable('tenants')
      .set({ settings: JSON.stringify({ allow_private_endpoints: false }) })
      .where('id', '=', tenant.id)
      .execute()
    startWorker()
    await send()
    await until('it failed', allAre('RETRYING'))
    assert.equal((await one()).error, 'address refused')
    assert.equal(receiver.received.length, 0)
    const list = await ask('GET', `/webhooks/${id}/deliveries?status=RETRYING`)
    assert.equal(list.body.data[0].error, 'address refused')
  })
})
