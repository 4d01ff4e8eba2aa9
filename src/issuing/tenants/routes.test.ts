import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { newId } from '#lib/id.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const asOperator = { key: world.operator_key }
const operator = (method: string, path: string, body?: unknown, headers = {}) =>
  world.request(method, path, body, { ...asOperator, headers })

describe('POST /operator/tenants', () => {
  test('200 creates a tenant whose first key works at once, with every client permission', async () => {
    const { status, body } = await operator('POST', '/v1/operator/tenants', { name: 'Acme' })
    assert.equal(status, 200)
    assert.equal(body.name, 'Acme')
    assert.equal(body.settings.default_currency, 'AED')
    const own = await world.request('GET', '/v1/tenantsettings', undefined, { key: body.api_key })
    assert.equal(own.status, 200)

    const keys = await operator('GET', `/v1/operator/tenants/${body.id}/keys`)
    assert.deepEqual(keys.body.data[0].permissions, [
      'read',
      'write',
      'cards:reveal',
      'cards:widget',
    ])
  })

  test('accepts an id of the caller once: 409 the second time', async () => {
    const id = newId()
    const make = () => operator('POST', '/v1/operator/tenants', { id, name: 'Own id' })
    assert.equal((await make()).body.id, id)
    const again = await make()
    assert.equal(again.status, 409)
    assert.equal(again.body.code, 'id_taken')
  })

  test('400 for the id that stands for no tenant', async () => {
    const id = '00000000-0000-0000-0000-000000000000'
    const { status, body } = await operator('POST', '/v1/operator/tenants', { id, name: 'Nobody' })
    assert.deepEqual([status, body.errors?.[0].path], [400, 'id'])
  })

  test('400 names every unsound setting and makes nothing', async () => {
    const id = newId()
    const settings = { default_currency: 'ABC', time_zone: 'Nowhere/Land' }
    const { status, body } = await operator('POST', '/v1/operator/tenants', {
      id,
      name: 'Unsound',
      settings,
    })
    assert.equal(status, 400)
    assert.deepEqual(
      body.errors.map(({ path }: { path: string }) => path),
      ['default_currency', 'time_zone'],
    )
    assert.equal((await operator('GET', `/v1/operator/tenants/${id}`)).status, 404)
  })

  test('403 for a client, whatever its permissions', async () => {
    const { status, body } = await world.request('POST', '/v1/operator/tenants', { name: 'x' })
    assert.equal(status, 403)
    assert.equal(body.code, 'permission_missing')
  })

  test('a replay returns the same key, which is nowhere in the database in clear', async () => {
    const headers = { 'x-bezant-idempotency-key': 'tenant-once' }
    const make = () => operator('POST', '/v1/operator/tenants', { name: 'Once' }, headers)
    const [first, second] = [await make(), await make()]
    assert.equal(second.headers['idempotent-replayed'], 'true')
    assert.equal(second.text, first.text)

    const stored = await world.db.selectFrom('idempotency_keys').selectAll().execute()
    const keys = await world.db.selectFrom('api_keys').selectAll().execute()
    const dump = JSON.stringify([stored, keys], (_name, value) =>
      value?.type === 'Buffer' ? Buffer.from(value).toString('latin1') : value,
    )
    assert.ok(stored.length > 0)
    assert.ok(!dump.includes(first.body.api_key))
    assert.ok(!world.logged.join('').includes(first.body.api_key))
  })
})

describe('GET /operator/tenants', () => {
  test('200 pages newest first, without a tenant twice or missing', async () => {
    for (const name of ['one', 'two', 'three']) {
      await operator('POST', '/v1/operator/tenants', { name })
    }
    const all = (await operator('GET', '/v1/operator/tenants?limit=200')).body.data
    const paged = []
    for (let path = '/v1/operator/tenants?limit=2'; ; ) {
      const { body } = await operator('GET', path)
      paged.push(...body.data)
      if (!body.has_more) break
      path = `/v1/operator/tenants?limit=2&after=${body.after}`
    }
    assert.deepEqual(paged, all)
    assert.deepEqual(
      all.slice(0, 3).map(({ name }: { name: string }) => name),
      ['three', 'two', 'one'],
    )
  })

  test('400 for a cursor that no list made', async () => {
    const { status, body } = await operator('GET', '/v1/operator/tenants?after=abc')
    assert.equal(status, 400)
    assert.equal(body.code, 'cursor_invalid')
  })

  test('404 for a tenant that does not exist', async () => {
    assert.equal((await operator('GET', `/v1/operator/tenants/${newId()}`)).status, 404)
  })
})

describe('PUT /operator/tenants/{id}/settings', () => {
  test('200 sets what only the operator may, and the rest of the settings stay', async () => {
    const { id } = await world.otherTenant({ hold_days: 4 })
    const path = `/v1/operator/tenants/${id}/settings`
    const { status, body } = await operator('PUT', path, {
      pci_compliant: true,
      rate_limit_burst: 7,
      expired_idv_policy: { days_prior_expiration: 20 },
    })
    assert.equal(status, 200)
    assert.equal(body.hold_days, 4)
    assert.deepEqual((await operator('GET', path)).body, body)
    assert.deepEqual(body.expired_idv_policy, {
      days_prior_expiration: 20,
      applicable_user_status: ['ACTIVE'],
    })
  })

  test('404 for a tenant that does not exist', async () => {
    const path = `/v1/operator/tenants/${newId()}/settings`
    assert.equal((await operator('PUT', path, {})).status, 404)
    assert.equal((await operator('GET', path)).status, 404)
  })

  test('changes of two settings at once both hold', async () => {
    const { id } = await world.otherTenant()
    const path = `/v1/operator/tenants/${id}/settings`
    await Promise.all([
      operator('PUT', path, { hold_days: 3 }),
      operator('PUT', path, { clearing_hold_days: 5 }),
      operator('PUT', path, { atm_deposit: false }),
    ])
    const { body } = await operator('GET', path)
    assert.deepEqual([body.hold_days, body.clearing_hold_days, body.atm_deposit], [3, 5, false])
  })
})

describe('PUT /tenantsettings', () => {
  test('200 changes what is sent, and null restores the default', async () => {
    const put = (body: object) => world.request('PUT', '/v1/tenantsettings', body)
    assert.equal((await put({ hold_days: 9, checks: ['DOCUMENT'] })).body.hold_days, 9)
    const { body } = await put({ hold_days: null })
    assert.equal(body.hold_days, 7)
    assert.deepEqual(body.checks, ['DOCUMENT'])
  })

  test('403 names every setting that is the operator’s, and changes nothing', async () => {
    const { status, body } = await world.request('PUT', '/v1/tenantsettings', {
      hold_days: 30,
      pci_compliant: false,
      expired_idv_policy: { days_prior_expiration: 1 },
    })
    assert.equal(status, 403)
    assert.equal(body.code, 'permission_missing')
    assert.match(body.detail, /pci_compliant, expired_idv_policy/)
    assert.equal((await world.request('GET', '/v1/tenantsettings')).body.hold_days, 7)
  })

  const unsound: [body: object, path: string][] = [
    [{ privacy_notices_read_consent_given: false }, 'privacy_notices_read_consent_given'],
    [{ checks: ['SELFIE'] }, 'checks.0'],
    [{ default_currency: 'aed' }, 'default_currency'],
    [{ time_zone: '+04:00' }, 'time_zone'],
    [{ hold_days: 0 }, 'hold_days'],
    [{ hold_days: '7' }, 'hold_days'],
    [{ webhook_retry_seconds: [0] }, 'webhook_retry_seconds.0'],
    [{ responder: { url: 'https://a.example', timeout_ms: 3001 } }, 'responder.timeout_ms'],
    [{ unheard_of: 1 }, 'unheard_of'],
  ]
  for (const [body, path] of unsound) {
    test(`400 with one fault for ${JSON.stringify(body)}`, async () => {
      const { status, body: problem } = await world.request('PUT', '/v1/tenantsettings', body)
      assert.equal(status, 400)
      assert.deepEqual(
        problem.errors.map((fault: { path: string }) => fault.path),
        [path],
      )
    })
  }
})

describe('API keys of a tenant', () => {
  test('a key is valid for its permissions until it is revoked, and lists show its hint', async () => {
    const { id } = await world.otherTenant()
    const path = `/v1/operator/tenants/${id}/keys`
    const { body: made } = await operator('POST', path, { permissions: ['read'] })
    const settings = (method: string) =>
      world.request(method, '/v1/tenantsettings', method === 'PUT' ? {} : undefined, {
        key: made.key,
      })
    assert.equal((await settings('GET')).status, 200)
    assert.equal((await settings('PUT')).status, 403)

    const listed = await operator('GET', path)
    assert.equal(listed.body.data.length, 2)
    assert.equal(listed.body.data[0].hint, made.hint)
    assert.ok(!listed.text.includes(made.key))

    const revoked = await operator('DELETE', `${path}/${made.id}`)
    assert.deepEqual(revoked.body, { id: made.id, deleted: true })
    assert.equal((await settings('GET')).status, 401)
    assert.equal((await operator('DELETE', `${path}/${made.id}`)).status, 404)
    assert.equal((await operator('GET', path)).body.data.length, 1)
  })

  test('404 for the key of another tenant, which goes on working', async () => {
    const [one, other] = [await world.otherTenant(), await world.otherTenant()]
    const { body } = await operator('GET', `/v1/operator/tenants/${other.id}/keys`)
    const key_id = body.data[0].id
    const path = `/v1/operator/tenants/${one.id}/keys/${key_id}`
    assert.equal((await operator('DELETE', path)).status, 404)
    const still = await world.request('GET', '/v1/tenantsettings', undefined, {
      key: other.api_key,
    })
    assert.equal(still.status, 200)
  })

  test('400 for permissions that a client cannot have, none, or one twice', async () => {
    for (const permissions of [['operator'], ['merchant'], [], ['read', 'read']]) {
      const path = `/v1/operator/tenants/${world.tenant.id}/keys`
      assert.equal((await operator('POST', path, { permissions })).status, 400)
    }
  })
})
