import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { hashNewPassword } from '#portal/people/people.ts'
import { keeper } from '#test/support/keeper.ts'
import { browse, browserOf, codeOf, cookieOf, insertPerson } from '#test/support/portal/members.ts'
import { openWorld, type World } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const MASTER_KEY = randomBytes(32).toString('hex')
const live = keep(await openWorld({ env: { MODE: 'live', MASTER_KEY } }))
const password = 'seven quiet harbours'
const password_hash = await hashNewPassword(password, { email: 'x@y.example' })

async function requireOf(of: World, second_factor_required: boolean | null) {
  const body = { second_factor_required }
  const path = `/v1/operator/tenants/${of.tenant.id}/settings`
  const { status } = await of.request('PUT', path, body, { key: of.operator_key })
  assert.equal(status, 200)
}

type Call = ReturnType<typeof browserOf>

/** A member who signs in with the password alone. */
async function signedIn(of: World) {
  const person = await insertPerson(of, { password_hash })
  const { email } = person
  const answer = await browserOf(of)('POST', '/portal/v1/sessions', { email, password })
  assert.equal(answer.status, 201)
  return { ...person, call: browserOf(of, cookieOf(answer)) }
}

async function setUp(of: World, call: Call) {
  const { body } = await call('POST', '/portal/v1/totp')
  const code = await codeOf(of, body.secret)
  assert.equal((await call('POST', '/portal/v1/totp:confirm', { code })).status, 200)
}

const isRestricted = async (call: Call) =>
  (await call('GET', '/portal/v1/session')).body.second_factor_required

test('in live a member without a second factor may only set one up', async () => {
  const { call } = await signedIn(live)
  assert.equal(await isRestricted(call), true)
  const merchant = { tenant_id: live.tenant.id, name: 'Shop' }
  await live.request('POST', '/v1/operator/merchants', merchant, { key: live.operator_key })
  for (const [method, path] of [
    ['GET', '/v1/cards'],
    ['PUT', '/v1/tenantsettings'],
    ['GET', '/portal/v1/members'],
    ['POST', '/portal/v1/invitations'],
    ['GET', '/portal/v1/keys'],
    ['GET', '/api/v1.0/orders/0190aaaa-0000-7000-8000-000000000000'],
  ] as const) {
    const { status, body } = await call(method, path, method === 'GET' ? undefined : {})
    assert.equal(status, 403, `${method} ${path}`)
    if (!path.startsWith('/api/')) assert.equal(body.code, 'second_factor_required', path)
  }
  for (const path of ['/portal/v1/sessions', '/portal/v1/second_factors', '/portal/v1/passkeys']) {
    assert.equal((await call('GET', path)).status, 200, path)
  }
  await setUp(live, call)
  assert.equal(await isRestricted(call), false)
  assert.equal((await call('GET', '/v1/cards')).status, 200)
})

test('in sandbox it is required where the tenant says so', async () => {
  const { call } = await signedIn(world)
  assert.equal((await call('GET', '/v1/cards')).status, 200)
  await requireOf(world, true)
  const restricted = await call('GET', '/v1/cards')
  assert.deepEqual([restricted.status, restricted.body.code], [403, 'second_factor_required'])
  await requireOf(world, null)
  assert.equal((await call('GET', '/v1/cards')).status, 200)
})

test('in live a tenant may do without it', async () => {
  const { call } = await signedIn(live)
  await requireOf(live, false)
  assert.equal((await call('GET', '/v1/cards')).status, 200)
  await requireOf(live, null)
  assert.equal((await call('GET', '/v1/cards')).status, 403)
})

test('a member who removes the last factor may only set one up again', async () => {
  const { call } = await signedIn(live)
  await setUp(live, call)
  assert.equal((await call('DELETE', '/portal/v1/totp', { password })).status, 204)
  assert.equal(await isRestricted(call), true)
  assert.equal((await call('GET', '/v1/cards')).body.code, 'second_factor_required')
})

test('only a session of an owner, and the operator, change whether one is required', async () => {
  const path = '/v1/tenantsettings'
  const change = { second_factor_required: false }
  const as = async (role: string) => {
    const { id: tenant_id } = await world.otherTenant()
    const person = await insertPerson(world, { tenant_id, role })
    return { ...person, call: await browse(world, person) }
  }
  const isRefused = ({ status, body }: Awaited<ReturnType<Call>>) =>
    assert.deepEqual(
      [status, body.code, body.errors?.[0].path],
      [403, 'permission_missing', 'second_factor_required'],
    )
  const [owner, developer] = [await as('owner'), await as('developer')]
  isRefused(await world.request('PUT', path, change))
  isRefused(await world.request('PUT', path, { ...change, hold_days: 3, time_zone: 'UTC' }))
  isRefused(await world.request('PUT', path, { second_factor_required: null }))
  isRefused(await developer.call('PUT', path, change))
  const { body: key } = await owner.call('POST', '/portal/v1/keys', {
    name: 'Shop',
    permissions: ['read', 'write'],
  })
  isRefused(await world.request('PUT', path, change, { key: key.api_key }))
  const { body: settings } = await world.request('GET', path)
  assert.equal(settings.hold_days, 7)
  assert.equal((await developer.call('PUT', path, { hold_days: 3 })).status, 200)
  assert.equal((await owner.call('PUT', path, change)).status, 200)
  // As another process does it, whose notification is still on its way.
  await world.db
    .updateTable('memberships')
    .set({ role: 'developer' })
    .where('id', '=', owner.membership_id)
    .execute()
  isRefused(await owner.call('PUT', path, change))
})

test('the operator’s team needs one in live, whatever a tenant says', async () => {
  const person = await insertPerson(live, { tenant_id: null, role: 'operator_owner' })
  const call = await browse(live, person)
  const { status, body } = await call('GET', '/v1/operator/tenants')
  assert.deepEqual([status, body.code], [403, 'second_factor_required'])
  const free = await insertPerson(world, { tenant_id: null, role: 'operator_owner' })
  assert.equal((await (await browse(world, free))('GET', '/v1/operator/tenants')).status, 200)
})

test('a key of the tenant is asked for no second factor', async () => {
  assert.equal((await live.request('GET', '/v1/cards')).status, 200)
})
