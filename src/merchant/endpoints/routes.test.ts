import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { emit } from '#events/outbox.ts'
import { transact } from '#kit/context.ts'
import type { EventName } from '#kit/event.ts'
import { newId } from '#lib/id.ts'
import { madeUpEvent } from '#test/support/events.ts'
import { emitOf, openMerchant, type TestMerchant } from '#test/support/network/merchants.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const url = 'http://127.0.0.1:9/hook'
const kinds = [
  ...['ORDER_AUTHORIZED', 'ORDER_CAPTURED', 'ORDER_REFUNDED', 'ORDER_CAPTURE_EXPIRING'],
  ...['ORDER_EXPIRED', 'PAYOUT_CREATED', 'PAYOUT_PAID', 'PAYOUT_FAILED'],
]
const endpoint = { url, events: ['ORDER_CAPTURED'] }
const merchant = await openMerchant(world)

const make = (more: object = {}, as = merchant) =>
  as.ask('POST', '/webhooks', { ...endpoint, ...more })
/** The id of the object that the event is about. */
async function emitTo({ id }: TestMerchant, event: EventName = 'ORDER_CAPTURED', before_ms = 0) {
  const ctx = await world.ctx()
  return emitOf({ ...ctx, now: new Date(ctx.now.getTime() - before_ms) }, id, event)
}
const deliveriesOf = async (id: string, as = merchant) =>
  (await as.ask('GET', `/webhooks/${id}/deliveries`)).data

describe('POST /webhooks', () => {
  test('201 answers the endpoint, and its secret this once', async () => {
    const { status, body } = await merchant.call('POST', '/webhooks', { url, events: kinds })
    assert.equal(status, 201)
    const { secret, ...rest } = body
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    const { webhook_id, created_at, updated_at, ...shown } = rest
    assert.deepEqual(shown, { url, events: kinds, enabled: true })
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    assert.equal(updated_at, created_at)
    assert.deepEqual(await merchant.ask('GET', `/webhooks/${webhook_id}`), rest)
    const list = await merchant.call('GET', '/webhooks?limit=1')
    assert.deepEqual(list.body.data, [rest])
    for (const text of [list.text, ...world.logged]) assert.doesNotMatch(text, /whsec_/)
  })

  test('201 answers the same again under its idempotency key, which is stored sealed', async () => {
    const headers = { 'idempotency-key': newId() }
    const first = await merchant.call('POST', '/webhooks', endpoint, headers)
    const again = await merchant.call('POST', '/webhooks', endpoint, headers)
    assert.equal(first.status, 201)
    assert.equal(first.text, again.text)
    const kept = await world.db.selectFrom('idempotency_keys').selectAll().execute()
    assert.ok(kept.length > 0)
    assert.doesNotMatch(JSON.stringify(kept), /whsec_/)
  })

  const faults: [object, object][] = [
    [{ url: 'ftp://shop.example/' }, { url: ['must start with https:// or http://'] }],
    [
      { url: 'http://u:p@shop.example/' },
      { url: ['must hold neither credentials nor a fragment'] },
    ],
    [{ events: [] }, { events: ['must not be empty'] }],
    [{ url: undefined }, { url: ['is required'] }],
    [{ endpoint: url }, { endpoint: ['is not known here'] }],
  ]
  for (const [fields, body] of faults) {
    test(`400 names the field of ${JSON.stringify(fields)}`, async () => {
      const answer = await merchant.call('POST', '/webhooks', { ...endpoint, ...fields })
      assert.deepEqual([answer.status, Object.keys(answer.body)], [400, Object.keys(body)])
      assert.deepEqual(answer.body, body)
    })
  }

  test('400 for a kind that is not of merchants, with the list of kinds', async () => {
    for (const event of ['TRANSACTION', 'CARD_STATUS_CHANGE', 'PING']) {
      const answer = await merchant.call('POST', '/webhooks', { url, events: [event] })
      assert.equal(answer.status, 400, answer.text)
      for (const kind of kinds) assert.match(answer.text, new RegExp(kind))
      assert.doesNotMatch(answer.text, /KYC_RESULT/)
    }
  })

  test('400 for http and for private addresses in live, and where the tenant forbids them', async () => {
    const env = { MODE: 'live', MASTER_KEY: randomBytes(32).toString('hex') }
    const live = await openWorld({ env, settings: { allow_private_endpoints: true } })
    try {
      const shop = await openMerchant(live)
      for (const [address, status] of [
        ['http://example.com/', 400],
        ['https://127.0.0.1/', 400],
        ['https://example.com/', 201],
      ] as const) {
        const body = { ...endpoint, url: address }
        assert.equal((await shop.call('POST', '/webhooks', body)).status, status, address)
      }
    } finally {
      await live[Symbol.asyncDispose]()
    }
    const strict = await world.otherTenant({ allow_private_endpoints: false })
    const { call } = await openMerchant(world, strict.id)
    const answer = await call('POST', '/webhooks', { ...endpoint, url: 'https://127.0.0.1/' })
    assert.deepEqual([answer.status, answer.body], [400, { url: ['must be a public address'] }])
  })

  test('409 beyond 10 endpoints of a merchant, also when many come at once', async () => {
    const one = await openMerchant(world)
    const answers = await Promise.all(
      Array.from({ length: 13 }, () => one.call('POST', '/webhooks', endpoint)),
    )
    const failed = answers.filter(({ status }) => status === 409)
    assert.equal(failed.length, 3)
    const detail = 'The merchant has as many endpoints as are allowed.'
    assert.deepEqual(failed[0]?.body, { detail })
    const another = await openMerchant(world)
    assert.equal((await another.call('POST', '/webhooks', endpoint)).status, 201)
  })
})

describe('PUT /webhooks/{id}', () => {
  test('200 changes what is sent and nothing else', async () => {
    const { webhook_id, secret: _secret, updated_at: _before, ...made } = await make()
    const put = (body: object) => merchant.call('PUT', `/webhooks/${webhook_id}`, body)
    const { body } = await put({ events: ['ORDER_REFUNDED'] })
    const { updated_at, ...changed } = body
    assert.deepEqual(changed, { webhook_id, ...made, events: ['ORDER_REFUNDED'] })
    assert.ok(updated_at >= made.created_at)
    assert.equal((await put({ url: 'https://shop.example/' })).body.url, 'https://shop.example/')
    assert.deepEqual((await put({ url: 'shop' })).body, { url: ['must be an absolute URL'] })
    assert.equal((await put({ enabled: 'no' })).status, 400)
  })

  test('200 puts it out of service and back', async () => {
    const { webhook_id } = await make()
    const put = (enabled: boolean) => merchant.ask('PUT', `/webhooks/${webhook_id}`, { enabled })
    const off = await put(false)
    assert.deepEqual([off.enabled, off.disabled_reason], [false, 'CLIENT'])
    for (const [verb, body] of [
      ['ping'],
      ['recover', { since: '2020-01-01T00:00:00Z' }],
    ] as const) {
      const answer = await merchant.call('POST', `/webhooks/${webhook_id}:${verb}`, body)
      const detail = 'The endpoint is disabled.'
      assert.deepEqual([answer.status, answer.body], [409, { detail }])
    }
    await emitTo(merchant)
    assert.deepEqual(await deliveriesOf(webhook_id), [])
    const on = await put(true)
    assert.deepEqual([on.enabled, 'disabled_reason' in on], [true, false])
  })
})

describe('DELETE /webhooks/{id}', () => {
  test('204 ends it and what waits for it; afterwards it is 404 and gets no event', async () => {
    const { webhook_id: id } = await make()
    await emitTo(merchant)
    assert.equal((await merchant.call('DELETE', `/webhooks/${id}`)).status, 204)
    await emitTo(merchant)
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['GET', '/deliveries'],
      ['POST', ':ping'],
      ['POST', ':rotateSecret'],
    ] as const) {
      const body = method === 'PUT' ? { enabled: true } : undefined
      const answer = await merchant.call(method, `/webhooks/${id}${path}`, body)
      assert.deepEqual([answer.status, answer.body], [404, { detail: 'Not found.' }], path)
    }
    const rows = await world.db
      .selectFrom('deliveries')
      .select(['status', 'due', 'error'])
      .where('webhook_id', '=', id)
      .execute()
    assert.deepEqual(rows, [
      { status: 'EXPIRED', due: null, error: 'the subscription was deleted' },
    ])
  })
})

describe('deliveries', () => {
  test('are listed newest first, in pages, by status and by kind', async () => {
    const shop = await openMerchant(world)
    const { webhook_id } = await make({ events: kinds }, shop)
    const objects = [
      await emitTo(shop),
      await emitTo(shop, 'ORDER_REFUNDED'),
      await emitTo(shop, 'PAYOUT_PAID'),
    ]
    const list = async (query: string) =>
      await shop.ask('GET', `/webhooks/${webhook_id}/deliveries?${query}`)
    const page = await list('limit=2')
    const rest = await list(`limit=2&after=${page.after}`)
    const all = [...page.data, ...rest.data]
    assert.deepEqual(all.map(({ object_id }) => object_id).reverse(), objects)
    assert.deepEqual([page.has_more, rest.has_more], [true, false])
    const [{ delivery_id, event_id, created_at, updated_at, next_attempt_at, ...shown }] = all
    assert.deepEqual(shown, {
      webhook_id,
      event: 'PAYOUT_PAID',
      object_id: objects[2],
      status: 'PENDING',
      attempts: 0,
    })
    assert.deepEqual([created_at, updated_at], [next_attempt_at, created_at])
    assert.equal((await list('event=ORDER_REFUNDED')).data.length, 1)
    assert.equal((await list('status=DELIVERED')).data.length, 0)
    assert.equal((await shop.call('GET', `/webhooks/${webhook_id}/deliveries?event=X`)).status, 400)
    const one = `/webhooks/${webhook_id}/deliveries/${delivery_id}`
    const found = await shop.ask('GET', one)
    assert.deepEqual([found.event_id, found.history], [event_id, []])
    assert.equal((await shop.ask('POST', `${one}:resend`)).delivery_id, delivery_id)
    await shop.ask('PUT', `/webhooks/${webhook_id}`, { enabled: false })
    assert.equal((await shop.call('POST', `${one}:resend`)).status, 409)
  })

  test('404 under another endpoint of the same merchant, and nothing is resent', async () => {
    const shop = await openMerchant(world)
    const [{ webhook_id: one }, { webhook_id: other }] = [
      await make({ events: ['PAYOUT_PAID'] }, shop),
      await make({}, shop),
    ]
    await emitTo(shop)
    const [{ delivery_id }] = await deliveriesOf(other, shop)
    const before = await world.db.selectFrom('deliveries').selectAll().execute()
    for (const [method, verb] of [
      ['GET', ''],
      ['POST', ':resend'],
    ] as const) {
      const path = `/webhooks/${one}/deliveries/${delivery_id}${verb}`
      assert.equal((await shop.call(method, path)).status, 404)
    }
    assert.deepEqual(await world.db.selectFrom('deliveries').selectAll().execute(), before)
  })
})

test('POST :rotateSecret 200 answers another secret', async () => {
  const { webhook_id, secret } = await make()
  const rotated = await merchant.ask('POST', `/webhooks/${webhook_id}:rotateSecret`)
  assert.match(rotated.secret, /^whsec_/)
  assert.notEqual(rotated.secret, secret)
  await merchant.ask('DELETE', `/webhooks/${webhook_id}`)
})

test('POST :ping 200 sends a test event to that endpoint alone', async () => {
  const shop = await openMerchant(world)
  const [{ webhook_id }, other] = [
    await make({ events: kinds }, shop),
    await make({ events: kinds }, shop),
  ]
  const ping = await shop.ask('POST', `/webhooks/${webhook_id}:ping`)
  assert.deepEqual([ping.event, ping.status, ping.object_id], ['PING', 'PENDING', webhook_id])
  assert.deepEqual(await deliveriesOf(other.webhook_id, shop), [])
})

test('the PING of an endpoint names its merchant, and that of a tenant none', async () => {
  const shop = await openMerchant(world)
  const { webhook_id } = await make({}, shop)
  await shop.ask('POST', `/webhooks/${webhook_id}:ping`)
  const subscription = { endpoint: url, events: ['TRANSACTION'] }
  const { id } = (await world.request('POST', '/v1/webhooks', subscription)).body
  await world.request('POST', `/v1/webhooks/${id}:ping`)
  const ofEach = await Promise.all(
    [webhook_id, id].map((of) => world.request('GET', `/v1/objectevents?object_id=${of}`)),
  )
  const [[ofEndpoint], [ofTenant]] = ofEach.map(({ body }) => body.data)
  assert.equal(ofEndpoint.merchant_id, shop.id)
  assert.deepEqual(Object.keys(ofTenant).sort(), ['created', 'event', 'id', 'webhook_id'])
})

test('POST :recover 200 delivers the events of the merchant that the endpoint missed', async () => {
  const [shop, neighbour] = [await openMerchant(world), await openMerchant(world)]
  const HOUR = 3_600_000
  await emitTo(shop, 'ORDER_CAPTURED', HOUR)
  const missed = await emitTo(shop)
  await emitTo(shop, 'ORDER_REFUNDED')
  await emitTo(neighbour)
  const { webhook_id } = await make({}, shop)
  const since = new Date((await world.ctx()).now.getTime() - HOUR / 2).toISOString()
  const recover = (body: object) => shop.call('POST', `/webhooks/${webhook_id}:recover`, body)
  assert.deepEqual((await recover({ since })).body, { recovered: 1, has_more: false })
  assert.deepEqual((await recover({ since })).body, { recovered: 0, has_more: false })
  const [{ object_id }, ...others] = await deliveriesOf(webhook_id, shop)
  assert.deepEqual([object_id, others], [missed, []])
  const foreign = await recover({ since, events: ['ORDER_REFUNDED'] })
  assert.deepEqual(foreign.body, { events: { 0: ['is not a kind that it receives'] } })
})

describe('isolation', () => {
  test('an event goes to its merchant and to the tenant, and to no other merchant', async () => {
    const [one, other] = [await openMerchant(world), await openMerchant(world)]
    const mine = (await make({}, one)).webhook_id
    const theirs = (await make({}, other)).webhook_id
    const subscription = { endpoint: url, events: ['ORDER_CAPTURED'] }
    const ofTenant = (await world.request('POST', '/v1/webhooks', subscription)).body.id
    const objects = [await emitTo(one), await emitTo(other)]
    const ctx = await world.ctx()
    await transact(ctx, (tx) => emit(tx, madeUpEvent('ORDER_CAPTURED', newId())))
    const aboutOf = async (id: string) => {
      const rows = await world.db
        .selectFrom('deliveries')
        .select('object_id')
        .where('webhook_id', '=', id)
        .orderBy('created')
        .orderBy('id')
        .execute()
      return rows.map(({ object_id }) => object_id)
    }
    assert.deepEqual(await aboutOf(mine), [objects[0]])
    assert.deepEqual(await aboutOf(theirs), [objects[1]])
    assert.deepEqual((await aboutOf(ofTenant)).length, 3)
  })

  test('404 for another merchant and for the tenant, as for none at all', async () => {
    const [one, other] = [await openMerchant(world), await openMerchant(world)]
    const { webhook_id: id } = await make({}, one)
    const { delivery_id } = await one.ask('POST', `/webhooks/${id}:ping`)
    const since = { since: '2020-01-01T00:00:00Z' }
    const calls: [string, (id: string, delivery: string) => string, object?][] = [
      ['GET', (of) => `/webhooks/${of}`],
      ['PUT', (of) => `/webhooks/${of}`, { events: ['ORDER_EXPIRED'] }],
      ['DELETE', (of) => `/webhooks/${of}`],
      ['POST', (of) => `/webhooks/${of}:ping`],
      ['POST', (of) => `/webhooks/${of}:rotateSecret`],
      ['POST', (of) => `/webhooks/${of}:recover`, since],
      ['GET', (of) => `/webhooks/${of}/deliveries`],
    ]
    const ofMerchants: typeof calls = [
      ...calls,
      ['GET', (of, delivery) => `/webhooks/${of}/deliveries/${delivery}`],
      ['POST', (of, delivery) => `/webhooks/${of}/deliveries/${delivery}:resend`],
    ]
    for (const [method, path, body] of ofMerchants) {
      const hidden = await other.call(method, path(id, delivery_id), body)
      const absent = await other.call(method, path(newId(), newId()), body)
      assert.deepEqual([hidden.status, hidden.text], [404, absent.text], path(id, delivery_id))
    }
    const ofTenants: typeof calls = [
      ...calls,
      ['GET', (_of, delivery) => `/deliveries/${delivery}`],
      ['POST', (_of, delivery) => `/deliveries/${delivery}:resend`],
    ]
    for (const [method, path, body] of ofTenants) {
      const answer = await world.request(method, `/v1${path(id, delivery_id)}`, body)
      assert.equal(answer.status, 404, path(id, delivery_id))
    }
    const lists = [
      await other.ask('GET', '/webhooks'),
      (await world.request('GET', '/v1/webhooks')).body,
    ]
    for (const { data } of lists) assert.doesNotMatch(JSON.stringify(data), new RegExp(id))
    for (const found of [id, delivery_id]) {
      const { body } = await world.request('GET', `/v1/search?q=${found}`)
      assert.deepEqual(body.data, [])
    }
    assert.equal((await one.ask('GET', `/webhooks/${id}`)).events[0], 'ORDER_CAPTURED')
  })

  test('404 for the subscriptions of the tenant', async () => {
    const subscription = { endpoint: url, events: ['ORDER_CAPTURED'] }
    const { id } = (await world.request('POST', '/v1/webhooks', subscription)).body
    const ping = (await world.request('POST', `/v1/webhooks/${id}:ping`)).body
    for (const path of ['', '/deliveries', `/deliveries/${ping.id}`]) {
      assert.equal((await merchant.call('GET', `/webhooks/${id}${path}`)).status, 404)
    }
    const { data } = await merchant.ask('GET', '/webhooks?limit=200')
    assert.doesNotMatch(JSON.stringify(data), new RegExp(id))
  })
})

test('401 without a token', async () => {
  const answer = await world.request('GET', '/api/v1.0/webhooks', undefined, { key: null })
  assert.equal(answer.status, 401)
})
