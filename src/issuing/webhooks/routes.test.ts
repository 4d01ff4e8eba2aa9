import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { emit } from '#events/outbox.ts'
import { type Context, transact } from '#kit/context.ts'
import type { EventName, RenderedName } from '#kit/event.ts'
import { newId } from '#lib/id.ts'
import { kinds } from '#test/support/contract/event_kinds.ts'
import { madeUpEvent } from '#test/support/events.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const endpoint = 'http://127.0.0.1:9/hook'
const subscription = { endpoint, events: ['TRANSACTION'] }
const make = async (more: object = {}) => {
  const { status, body } = await world.request('POST', '/v1/webhooks', { ...subscription, ...more })
  assert.equal(status, 200)
  return body
}
const emitOne = (ctx: Context, event: EventName | RenderedName = 'TRANSACTION') =>
  transact(ctx, (tx) => emit(tx, madeUpEvent(event, newId())))
const badRequest = async (body: object, path: RegExp) => {
  const answer = await world.request('POST', '/v1/webhooks', body)
  assert.equal(answer.status, 400, answer.text)
  assert.match(answer.body.errors.map((fault: { path: string }) => fault.path).join(), path)
}

describe('GET /deliveries', () => {
  test('200 lists those about one object to all subscriptions, newest first, in pages', async () => {
    const tenant = await world.otherTenant()
    const ask = (method: string, path: string, body?: object, key = tenant.api_key) =>
      world.request(method, path, body, { key })
    const hooks = await Promise.all(
      [endpoint, `${endpoint}s`].map((url) =>
        ask('POST', '/v1/webhooks', { ...subscription, endpoint: url }),
      ),
    )
    const object_id = newId()
    const ctx = await world.ctx(tenant.id)
    for (const about of [object_id, newId(), object_id]) {
      await transact(ctx, (tx) => emit(tx, madeUpEvent('TRANSACTION', about)))
    }
    const path = `/v1/deliveries?object_id=${object_id}`
    const { body } = await ask('GET', path)
    assert.equal(body.data.length, 4)
    assert.deepEqual(
      body.data.map(({ sequence }: { sequence: number }) => sequence),
      [2, 2, 1, 1],
    )
    const sent = body.data.slice(0, 2)
    assert.deepEqual(
      new Set(sent.map((one: Record<string, string>) => `${one['webhook_id']} ${one['endpoint']}`)),
      new Set(hooks.map((hook) => `${hook.body.id} ${hook.body.endpoint}`)),
    )
    const first = (await ask('GET', `${path}&limit=3`)).body
    const rest = (await ask('GET', `${path}&limit=3&after=${first.after}`)).body
    assert.deepEqual([...first.data, ...rest.data], body.data)
    assert.equal(rest.has_more, false)
    await ask('DELETE', `/v1/webhooks/${hooks[0]?.body.id}`)
    assert.equal((await ask('GET', path)).body.data.length, 4, 'a deleted subscription counts')
    assert.deepEqual((await world.request('GET', path)).body.data, [], 'of another tenant')
  })
})

describe('POST /webhooks', () => {
  test('200 answers the subscription, and its secret this once', async () => {
    const config = {
      basic_auth_username: 'shop',
      basic_auth_password: 'pass-5up3r',
      custom_headers: [{ header_name: 'X-Key', header_value: 'value-5up3r' }],
    }
    const made = await make({ events: ['TRANSACTION', 'CARD_STATUS_CHANGE'], config })
    assert.match(made.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual(made.events, ['TRANSACTION', 'CARD_STATUS_CHANGE'])
    assert.equal(made.status, 'ACTIVE')
    assert.equal(made.config.basic_auth_username, 'shop')
    assert.deepEqual(made.config.custom_headers, [{ header_name: 'X-Key' }])
    assert.match(made.config.created, /^\d{4}-\d\d-\d\dT.*Z$/)

    const { secret, ...rest } = made
    const found = await world.request('GET', `/v1/webhooks/${made.id}`)
    assert.deepEqual(found.body, rest)
    const list = await world.request('GET', '/v1/webhooks')
    for (const text of [found.text, list.text, ...world.logged]) {
      assert.doesNotMatch(text, /5up3r|whsec_/)
    }
    const row = await world.db
      .selectFrom('webhooks')
      .selectAll()
      .where('id', '=', made.id)
      .execute()
    const bytes = Buffer.concat(
      row.flatMap(({ sealed_config, sealed_secret }) => [sealed_config, sealed_secret]),
    )
    assert.doesNotMatch(bytes.toString('latin1'), /5up3r|whsec_/)
  })

  test('200 answers the same secret again under its idempotency key, which is stored sealed', async () => {
    const headers = { [`x-${world.config.operator_name}-idempotency-key`]: newId() }
    const answers = [
      await world.request('POST', '/v1/webhooks', subscription, { headers }),
      await world.request('POST', '/v1/webhooks', subscription, { headers }),
    ]
    assert.equal(answers[0]?.text, answers[1]?.text)
    const kept = await world.db.selectFrom('idempotency_keys').selectAll().execute()
    assert.ok(kept.length > 0)
    assert.doesNotMatch(JSON.stringify(kept), /whsec_/)
  })

  test('400 for http and for private addresses in live, whatever the settings are', async () => {
    const env = { MODE: 'live', MASTER_KEY: randomBytes(32).toString('hex') }
    const live = await openWorld({ env, settings: { allow_private_endpoints: true } })
    try {
      for (const [url, status] of [
        ['http://example.com/', 400],
        ['https://127.0.0.1/', 400],
        ['https://example.com/', 200],
      ] as const) {
        const body = { ...subscription, endpoint: url }
        assert.equal((await live.request('POST', '/v1/webhooks', body)).status, status, url)
      }
    } finally {
      await live[Symbol.asyncDispose]()
    }
  })

  test('400 for an unknown kind, with the list of kinds', async () => {
    const { status, body } = await world.request('POST', '/v1/webhooks', {
      endpoint,
      events: ['TRANSACTIONS'],
    })
    assert.equal(status, 400)
    assert.equal(body.errors[0].path, 'events.0')
    for (const event of kinds) assert.match(body.errors[0].message, new RegExp(event))
  })

  test('400 for hostile input, naming the field', async () => {
    const header = (header_name: string, header_value = 'x') => ({
      ...subscription,
      config: { custom_headers: [{ header_name, header_value }] },
    })
    await badRequest({ ...subscription, endpoint: 'file:///etc/passwd' }, /^endpoint$/)
    await badRequest({ ...subscription, endpoint: 'http://u:p@127.0.0.1/' }, /^endpoint$/)
    await badRequest({ ...subscription, events: [] }, /^events$/)
    await badRequest({ ...subscription, events: ['PING'] }, /^events\.0$/)
    await badRequest(header('x', 'a\r\nb: c'), /custom_headers\.0\.header_value/)
    await badRequest(header('x\r\nb', 'a'), /custom_headers\.0\.header_name/)
    for (const name of ['host', 'content-length', 'transfer-encoding', 'webhook-signature']) {
      await badRequest(header(name), /custom_headers\.0\.header_name/)
    }
    await badRequest(header('x', 'y'.repeat(1001)), /header_value/)
    const custom_headers = Array.from({ length: 21 }, (_, at) => ({
      header_name: `x-${at}`,
      header_value: '1',
    }))
    await badRequest({ ...subscription, config: { custom_headers } }, /custom_headers/)
    await badRequest(
      { ...subscription, config: { basic_auth_username: 'a' } },
      /basic_auth_password/,
    )
    await badRequest({ ...subscription, secret: 'whsec_x' }, /^secret$/)
    await badRequest(
      { ...subscription, config: { created: '2030-01-01T00:00:00Z' } },
      /config\.created/,
    )
  })

  test('400 for a private address where the tenant may not have one', async () => {
    const { api_key: key } = await world.otherTenant({ allow_private_endpoints: false })
    for (const address of ['127.0.0.1', '2130706433', '[::ffff:7f00:1]', 'localhost', 'x.local']) {
      const body = { ...subscription, endpoint: `https://${address}/` }
      const answer = await world.request('POST', '/v1/webhooks', body, { key })
      assert.equal(answer.status, 400, address)
      assert.equal(answer.body.errors[0].path, 'endpoint')
    }
    const fine = { ...subscription, endpoint: 'https://example.com/hook' }
    assert.equal((await world.request('POST', '/v1/webhooks', fine, { key })).status, 200)
  })

  test('409 beyond 50 subscriptions, also when many come at once', async () => {
    const { api_key: key } = await world.otherTenant()
    // On a busy machine some wait too long for the tenant's row (503); they are sent again.
    const create = async () => {
      for (;;) {
        const answer = await world.request('POST', '/v1/webhooks', subscription, { key })
        if (answer.status !== 503) return answer
      }
    }
    const answers = await Promise.all(Array.from({ length: 55 }, create))
    const failed = answers.filter(({ status }) => status === 409)
    assert.equal(failed.length, 5)
    assert.equal(failed[0]?.body.code, 'webhook_limit_reached')
  })
})

describe('PUT /webhooks/{id}', () => {
  test('200 changes what is sent and nothing else; null clears', async () => {
    const config = {
      basic_auth_username: 'a',
      basic_auth_password: 'b',
      custom_headers: [{ header_name: 'x-a', header_value: '1' }],
    }
    const { id, secret: _, ...before } = await make({ config })
    const put = (body: object) => world.request('PUT', `/v1/webhooks/${id}`, body)

    const renamed = await put({ config: { basic_auth_username: 'c' } })
    assert.equal(renamed.body.config.basic_auth_username, 'c')
    assert.deepEqual(renamed.body.config.custom_headers, before.config.custom_headers)
    assert.equal(renamed.body.endpoint, before.endpoint)
    const cleared = await put({
      events: ['KYC_RESULT'],
      config: { basic_auth_username: null, basic_auth_password: null, custom_headers: null },
    })
    assert.equal('basic_auth_username' in cleared.body.config, false)
    assert.deepEqual(cleared.body.config.custom_headers, [])
    assert.deepEqual(cleared.body.events, ['KYC_RESULT'])
    assert.equal((await put({ config: { basic_auth_username: 'a' } })).status, 400)
    assert.equal((await put({ endpoint: 'ftp://x/' })).status, 400)
  })

  test('200 puts it out of service and back', async () => {
    const { id } = await make()
    const put = async (status: string) =>
      (await world.request('PUT', `/v1/webhooks/${id}`, { status })).body
    const off = await put('DISABLED')
    assert.deepEqual([off.status, off.disabled_reason], ['DISABLED', 'CLIENT'])
    for (const verb of ['ping', 'recover']) {
      const body = verb === 'recover' ? { since: '2020-01-01T00:00:00Z' } : undefined
      const answer = await world.request('POST', `/v1/webhooks/${id}:${verb}`, body)
      assert.deepEqual([answer.status, answer.body.code], [409, 'webhook_disabled'])
    }
    const on = await put('ACTIVE')
    assert.deepEqual([on.status, on.disabled_reason], ['ACTIVE', undefined])
  })
})

describe('DELETE /webhooks/{id}', () => {
  test('200 ends it; afterwards it is 404 and gets no event', async () => {
    const { id } = await make()
    await emitOne(await world.ctx())
    const answer = await world.request('DELETE', `/v1/webhooks/${id}`)
    assert.deepEqual([answer.status, answer.body], [200, { id, deleted: true }])
    await emitOne(await world.ctx())

    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/deliveries'],
      ['POST', ':ping'],
      ['POST', ':rotateSecret'],
    ] as const) {
      assert.equal((await world.request(method, `/v1/webhooks/${id}${path}`)).status, 404)
    }
    const rows = await world.db
      .selectFrom('deliveries')
      .select(['status', 'due'])
      .where('webhook_id', '=', id)
      .execute()
    assert.deepEqual(rows, [{ status: 'EXPIRED', due: null }])
  })
})

test('404 for another tenant, with the same body as for none at all', async () => {
  const { id } = await make()
  const ping = await world.request('POST', `/v1/webhooks/${id}:ping`)
  assert.equal(ping.status, 200)
  const { api_key: key } = await world.otherTenant()
  const calls: [string, (id: string) => string, string, object?][] = [
    ['GET', (of) => `/v1/webhooks/${of}`, id],
    ['PUT', (of) => `/v1/webhooks/${of}`, id, { events: ['TRANSACTION'] }],
    ['DELETE', (of) => `/v1/webhooks/${of}`, id],
    ['POST', (of) => `/v1/webhooks/${of}:ping`, id],
    ['POST', (of) => `/v1/webhooks/${of}:rotateSecret`, id],
    ['POST', (of) => `/v1/webhooks/${of}:recover`, id, { since: '2020-01-01T00:00:00Z' }],
    ['GET', (of) => `/v1/webhooks/${of}/deliveries`, id],
    ['POST', (of) => `/v1/deliveries/${of}:resend`, ping.body.id],
  ]
  const blank = (text: string) => text.replace(/"request_id":"[^"]+"/, '')
  for (const [method, path, theirs, body] of calls) {
    const hidden = await world.request(method, path(theirs), body, { key })
    const absent = await world.request(method, path(newId()), body, { key })
    assert.equal(hidden.status, 404, path(theirs))
    assert.equal(blank(hidden.text), blank(absent.text))
  }
  assert.equal((await world.request('GET', `/v1/webhooks/${id}`)).body.status, 'ACTIVE')
})

test('GET /webhooks pages newest first; a foreign cursor is 400', async () => {
  const { api_key: key } = await world.otherTenant()
  const ids: string[] = []
  for (let count = 0; count < 5; count++) {
    ids.unshift((await world.request('POST', '/v1/webhooks', subscription, { key })).body.id)
  }
  const found: string[] = []
  let after = ''
  for (let pages = 0; pages < 3; pages++) {
    const { body } = await world.request('GET', `/v1/webhooks?limit=2${after}`, undefined, { key })
    found.push(...body.data.map(({ id }: { id: string }) => id))
    after = `&after=${body.after}`
    assert.equal(body.has_more, pages < 2)
  }
  assert.deepEqual(found, ids)
  const bad = await world.request('GET', '/v1/webhooks?after=nonsense', undefined, { key })
  assert.deepEqual([bad.status, bad.body.code], [400, 'cursor_invalid'])
})

test('POST :rotateSecret answers another secret', async () => {
  const { id, secret } = await make()
  const { status, body } = await world.request('POST', `/v1/webhooks/${id}:rotateSecret`)
  assert.equal(status, 200)
  assert.match(body.secret, /^whsec_/)
  assert.notEqual(body.secret, secret)
})

test('POST :recover makes up for events from before the subscription and from its pause', async () => {
  const { id: tenant_id, api_key: key } = await world.otherTenant()
  const ctx = await world.ctx(tenant_id)
  const ask = (method: string, path: string, body?: object) =>
    world.request(method, `/v1/webhooks${path}`, body, { key })
  await emitOne({ ...ctx, now: new Date(ctx.now.getTime() - 3_600_000) })
  await emitOne(ctx)
  const { id } = (await ask('POST', '', subscription)).body
  await emitOne(ctx)
  await ask('PUT', `/${id}`, { status: 'DISABLED' })
  await emitOne(ctx)
  await emitOne(ctx, 'KYC_RESULT')
  await ask('PUT', `/${id}`, { status: 'ACTIVE' })

  const since = new Date(ctx.now.getTime() - 60_000).toISOString()
  const first = await ask('POST', `/${id}:recover`, { since })
  assert.deepEqual(first.body, { recovered: 2, has_more: false })
  const again = await ask('POST', `/${id}:recover`, { since })
  assert.deepEqual(again.body, { recovered: 0, has_more: false })
  const { data } = (await ask('GET', `/${id}/deliveries`)).body
  assert.equal(data.length, 3)
  assert.ok(data.every(({ status }: { status: string }) => status === 'PENDING'))
  assert.equal((await ask('POST', `/${id}:recover`, { since: 'yesterday' })).status, 400)

  // The clock of a tenant that has run ahead changes nothing about it.
  const day = 86_400_000
  await world.db
    .updateTable('tenants')
    .set({ clock_offset_ms: BigInt(day) })
    .where('id', '=', tenant_id)
    .execute()
  const later = await world.ctx(tenant_id)
  await ask('PUT', `/${id}`, { status: 'DISABLED' })
  await emitOne(later)
  await ask('PUT', `/${id}`, { status: 'ACTIVE' })
  const recent = new Date(later.now.getTime() - 60_000).toISOString()
  assert.equal((await ask('POST', `/${id}:recover`, { since: recent })).body.recovered, 1)
})

test('POST :recover is limited to a time and to kinds of the subscription', async () => {
  const { id: tenant_id, api_key: key } = await world.otherTenant()
  const ctx = await world.ctx(tenant_id)
  const minutesAgo = (minutes: number) => new Date(ctx.now.getTime() - minutes * 60_000)
  for (const kind of ['TRANSACTION', 'KYC_RESULT'] as const) {
    for (const minutes of [30, 20, 10]) await emitOne({ ...ctx, now: minutesAgo(minutes) }, kind)
  }
  const body = { endpoint, events: ['TRANSACTION', 'KYC_RESULT'] }
  const { id } = (await world.request('POST', '/v1/webhooks', body, { key })).body
  const recover = async (more: object) =>
    await world.request('POST', `/v1/webhooks/${id}:recover`, more, { key })
  const [since, until] = [minutesAgo(25).toISOString(), minutesAgo(15).toISOString()]
  const [first, second] = [
    await recover({ since, until, events: ['KYC_RESULT'] }),
    await recover({ since, until }),
  ]
  assert.deepEqual([first.body.recovered, second.body.recovered], [1, 1])
  assert.equal((await recover({ since })).body.recovered, 2)
  const wrong = await recover({ since, events: ['TRANSACTION', 'PIN_CHANGE'] })
  assert.deepEqual([wrong.status, wrong.body.errors[0].path], [400, 'events.1'])
  const late = await recover({ since, until: 'tomorrow' })
  assert.deepEqual([late.status, late.body.errors[0].path], [400, 'until'])
})
