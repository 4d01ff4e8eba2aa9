/** Members call the APIs with their sessions in place of keys (D-133, D-136, D-576, D-577). */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import type { Role } from '#callers/roles.ts'
import { createBelongings } from '#test/support/contract/belongings.ts'
import { form, png } from '#test/support/files.ts'
import { newCheckout } from '#test/support/network/purchases.ts'
import { type Browser, memberWith, openBrowser } from '#test/support/portal/browser.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const own = await createBelongings(world)
const other = await createBelongings(world)
const browserOf = async (role: Role, tenant_id: string | null = own.tenant.id): Promise<Browser> =>
  (await memberWith(world, role, tenant_id)).browser
const owner = await browserOf('owner')
const NEW_USER = { first_name: 'Noor', last_name: 'Saleh' }

describe('a session', () => {
  test('acts for the tenant of its member alone', async () => {
    const cards = await owner.ask('GET', '/v1/cards')
    const byKey = await world.request('GET', '/v1/cards', undefined, { key: own.tenant.api_key })
    assert.deepEqual(cards.body, byKey.body)
    assert.equal((await owner.ask('GET', `/v1/cards/${own.ids.card}`)).status, 200)
    assert.equal((await owner.ask('GET', `/v1/cards/${other.ids.card}`)).status, 404)
  })

  test('changes what a key could change', async () => {
    const { status, body } = await owner.ask('POST', '/v1/users', NEW_USER)
    assert.equal(status, 200)
    const key = { key: own.tenant.api_key }
    const read = await world.request('GET', `/v1/users/${body.id}`, undefined, key)
    assert.equal(read.status, 200)
  })

  test('never gets a card number, also of an owner whose tenant may handle them', async () => {
    for (const path of [`/v1/cards/${own.ids.card}:reveal`, `/v1/tokens/${own.ids.token}:reveal`]) {
      const { status, body } = await owner.ask('GET', path)
      assert.deepEqual([status, body.code, body.role], [403, 'permission_missing', 'owner'])
    }
  })

  test('may not change settings of the operator', async () => {
    const { status, body } = await owner.ask('PUT', '/v1/tenantsettings', { pci_compliant: true })
    assert.deepEqual([status, body.code], [403, 'permission_missing'])
  })

  test('has the rate of its tenant', async () => {
    const slow = { rate_limit_per_second: 1, rate_limit_burst: 3 }
    const tenant = await world.otherTenant(slow)
    const viewer = await browserOf('viewer', tenant.id)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => viewer.ask('GET', '/v1/cards')),
    )
    const passed = answers.filter(({ status }) => status === 200).length
    assert.ok(passed >= 3 && passed <= 4, String(passed))
    const limited = answers.find(({ status }) => status === 429)
    assert.deepEqual(
      [limited?.body.code, limited?.headers['ratelimit-limit']],
      ['rate_limited', '3'],
    )
  })

  test('repeats a request of a key under the same idempotency key', async () => {
    const headers = { 'x-bezant-idempotency-key': randomUUID() }
    const key = { key: own.tenant.api_key, headers }
    const first = await world.request('POST', '/v1/users', NEW_USER, key)
    const again = await owner.ask('POST', '/v1/users', NEW_USER, headers)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.equal(again.text, first.text)
  })
})

describe('a request with a key and a cookie', () => {
  const withBoth = (method: string, path: string, key: string, body?: object) =>
    world.request(method, path, body, {
      key,
      headers: { cookie: `bezant_session=${owner.cookie}` },
    })

  test('is the request of the key: of its tenant, with its permissions and without an origin', async () => {
    const { status } = await withBoth('GET', `/v1/cards/${other.ids.card}`, other.tenant.api_key)
    assert.equal(status, 200)
    const reveal = `/v1/cards/${other.ids.card}:reveal`
    assert.equal((await withBoth('GET', reveal, other.tenant.api_key)).status, 200)
    const created = await withBoth('POST', '/v1/users', other.tenant.api_key, NEW_USER)
    assert.equal(created.status, 200)
  })

  test('is 401 with a wrong key, also at the portal, which takes no keys', async () => {
    assert.equal((await withBoth('GET', '/v1/cards', 'wrong')).status, 401)
    for (const key of ['wrong', own.tenant.api_key]) {
      assert.equal((await withBoth('GET', '/portal/v1/session', key)).status, 401)
    }
  })
})

describe('a request that comes with the cookie', () => {
  const evil = 'https://evil.example'
  const refused: Record<string, Record<string, string>> = {
    'no origin': { origin: '' },
    'the origin null': { origin: 'null' },
    'a foreign origin': { origin: evil },
    'an origin that begins like the own one': { origin: `${world.origin()}.evil.example` },
    'the own host with another scheme': { origin: world.origin().replace('http:', 'https:') },
    'a form as its body': { 'content-type': 'application/x-www-form-urlencoded' },
    'text as its body': { 'content-type': 'text/plain' },
    'parts as its body': { 'content-type': 'multipart/form-data; boundary=x' },
  }
  for (const [name, headers] of Object.entries(refused)) {
    test(`is 403 origin_refused with ${name}, and changes nothing`, async () => {
      const count = () => world.db.selectFrom('users').select('id').execute()
      const before = (await count()).length
      for (const path of ['/v1/users', '/portal/v1/keys']) {
        const { status, body } = await owner.ask('POST', path, JSON.stringify(NEW_USER), {
          'content-type': 'application/json',
          ...headers,
        })
        assert.deepEqual([status, body.code], [403, 'origin_refused'], path)
      }
      assert.equal((await count()).length, before)
    })
  }

  test('is let in with parts as its body where files are uploaded by PUT, or POST with a key', async () => {
    const user = (await owner.ask('POST', '/v1/users', NEW_USER)).body.id
    const documents = `/v1/users/${user}/identifications`
    const { id } = (await owner.ask('POST', documents, { type: 'VISA' })).body
    const { headers, payload } = form({ name: 'file', value: png(), file_name: 'a.png' })
    const files = `${documents}/${id}/files`
    for (const [method, path, sent, expected] of [
      ['PUT', files, {}, 200],
      ['PUT', files, { origin: evil }, 403],
      ['PUT', files, { origin: '' }, 403],
      ['POST', files, {}, 403],
      ['POST', files, { 'idempotency-key': 'one' }, 200],
      ['POST', files, { 'x-bezant-idempotency-key': 'two' }, 200],
      ['POST', files, { 'idempotency-key': 'three', origin: evil }, 403],
      ['POST', '/v1/users', { 'idempotency-key': 'four' }, 403],
      ['PUT', `/v1/users/${user}`, {}, 403],
    ] as const) {
      const { status } = await owner.ask(method, path, payload, { ...headers, ...sent })
      assert.equal(status, expected, `${method} ${path} ${JSON.stringify(sent)}`)
    }
  })

  test('is refused at the sign-in and at the order service as well', async () => {
    const headers = { origin: evil }
    const body = { email: 'a@b.example', password: 'a password' }
    for (const [path, sent] of [
      ['/portal/v1/sessions', body],
      ['/api/v1.0/checkouts', newCheckout()],
    ] as const) {
      assert.equal((await owner.ask('POST', path, sent, headers)).status, 403, path)
    }
    const ended = await owner.ask('DELETE', '/portal/v1/session', undefined, headers)
    assert.equal(ended.status, 403)
    assert.equal((await owner.ask('GET', '/portal/v1/session')).status, 200)
  })

  test('may read from anywhere, as a link does', async () => {
    const { status } = await owner.ask('GET', '/v1/cards', undefined, { origin: evil })
    assert.equal(status, 200)
  })

  test('may come from each address of the program: PUBLIC_URL, where it listens, localhost', async () => {
    const env = { PUBLIC_URL: 'http://cards.example', PORT: '8099' }
    await using served = await openWorld({ env })
    const { browser } = await memberWith(served, 'owner', served.tenant.id)
    const origins = ['http://cards.example', 'http://127.0.0.1:8099', 'http://localhost:8099']
    for (const origin of origins) {
      const { status } = await browser.ask('POST', '/v1/users', NEW_USER, { origin })
      assert.equal(status, 200, origin)
    }
    const origin = 'http://localhost:8098'
    assert.equal((await browser.ask('POST', '/v1/users', NEW_USER, { origin })).status, 403)
  })

  test('needs no origin without the cookie', async () => {
    const body = { email: 'a@b.example', password: 'a password' }
    const { status } = await openBrowser(world, '10.4.4.4').ask(
      'POST',
      '/portal/v1/sessions',
      body,
      {
        origin: '',
      },
    )
    assert.equal(status, 401)
  })
})

describe('a member of the operator’s team', () => {
  const named = (id: string) => ({ 'x-bezant-tenant': id })

  test('calls operations of the operator without naming a tenant', async () => {
    const browser = await browserOf('operator_owner', null)
    const { status, body } = await browser.ask('POST', '/v1/operator/tenants', { name: 'New Bank' })
    assert.equal(status, 200)
    assert.equal((await browser.ask('GET', `/v1/operator/tenants/${body.id}`)).status, 200)
    const change = { pci_compliant: true }
    const path = `/v1/operator/tenants/${body.id}/settings`
    const changed = await browser.ask('PUT', path, change)
    assert.deepEqual([changed.status, changed.body.pci_compliant], [200, true])
  })

  test('calls operations of the tenant that it names', async () => {
    const browser = await browserOf('operator_support', null)
    for (const belongings of [own, other]) {
      const path = `/v1/cards/${belongings.ids.card}`
      const { status } = await browser.ask('GET', path, undefined, named(belongings.tenant.id))
      assert.equal(status, 200)
    }
    const hidden = await browser.ask(
      'GET',
      `/v1/cards/${other.ids.card}`,
      undefined,
      named(own.tenant.id),
    )
    assert.equal(hidden.status, 404)
  })

  test('sees no rows of tenants without naming one', async () => {
    const { status, body } = await (await browserOf('operator_support', null)).ask(
      'GET',
      '/v1/cards',
    )
    assert.deepEqual([status, body.data], [200, []])
  })

  test('gets 400 for a tenant that does not exist, and a member of a tenant 403 for any', async () => {
    const browser = await browserOf('operator_support', null)
    for (const id of [randomUUID(), 'none']) {
      const { status, body } = await browser.ask('GET', '/v1/cards', undefined, named(id))
      assert.deepEqual([status, body.errors?.[0]?.path], [400, 'x-bezant-tenant'])
    }
    for (const { tenant } of [own, other]) {
      const { status } = await owner.ask('GET', '/v1/cards', undefined, named(tenant.id))
      assert.equal(status, 403)
    }
  })
})

describe('a member at the order service', () => {
  const checkout = (browser: Browser, headers = {}) =>
    browser.ask('POST', '/api/v1.0/checkouts', newCheckout(), headers)

  test('acts for the one merchant of the tenant', async () => {
    const { status, body } = await checkout(owner)
    assert.equal(status, 201, JSON.stringify(body))
    const row = await world.db
      .selectFrom('checkouts')
      .select('merchant_id')
      .where('tenant_id', '=', own.tenant.id)
      .execute()
    assert.deepEqual(
      row.map(({ merchant_id }) => merchant_id),
      [own.ids.merchant],
    )
  })

  test('names its merchant where there are several, and never one of another tenant', async () => {
    const { tenant, ids } = await createBelongings(world)
    const browser = await browserOf('developer', tenant.id)
    const operator = { key: world.operator_key }
    const body = { tenant_id: tenant.id, name: 'Second' }
    await world.request('POST', '/v1/operator/merchants', body, operator)
    assert.equal((await checkout(browser)).status, 400)
    const named = (id: string) => ({ 'x-bezant-merchant': id })
    assert.equal((await checkout(browser, named(ids.merchant))).status, 201)
    assert.equal((await checkout(browser, named(own.ids.merchant))).status, 400)
  })

  test('gets 400 where the tenant has no merchant, and 403 where the role does not sell', async () => {
    const { id } = await world.otherTenant()
    assert.equal((await checkout(await browserOf('owner', id))).status, 400)
    assert.equal((await checkout(await browserOf('viewer'))).status, 403)
  })
})
