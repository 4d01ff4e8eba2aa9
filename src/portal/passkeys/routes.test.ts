import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashNewPassword } from '#portal/people/people.ts'
import { keeper } from '#test/support/keeper.ts'
import { Authenticator } from '#test/support/portal/authenticator.ts'
import { browse, browserOf, cookieOf, insertPerson } from '#test/support/portal/members.ts'
import { openWorld } from '#test/support/world.ts'

const PUBLIC_URL = 'https://cards.example'
const keep = keeper()
const world = keep(await openWorld({ env: { PUBLIC_URL } }))
const address = keep(await openWorld({ env: { PUBLIC_URL: 'http://192.0.2.1:8080' } }))
const password = 'seven quiet harbours'
const password_hash = await hashNewPassword(password, { email: 'x@y.example' })

async function withPasskey() {
  const person = await insertPerson(world, { password_hash })
  const call = await browse(world, person)
  const authenticator = new Authenticator(PUBLIC_URL)
  const { body } = await call('POST', '/portal/v1/passkeys', { password })
  const credential = authenticator.register(body.options)
  const made = await call('POST', '/portal/v1/passkeys:confirm', { name: 'Laptop', credential })
  assert.equal(made.status, 201)
  return { ...person, call, authenticator, passkey: made.body }
}

async function signIn(authenticator: Authenticator) {
  const call = browserOf(world)
  const { body } = await call('POST', '/portal/v1/passkeys:options')
  const credential = authenticator.signIn(body.options)
  return call('POST', '/portal/v1/sessions:passkey', { credential })
}

test('a passkey is registered, listed, signs in without a password, and is removed', async () => {
  const { id, call, authenticator, passkey } = await withPasskey()
  assert.equal(passkey.name, 'Laptop')
  assert.deepEqual((await call('GET', '/portal/v1/passkeys')).body.data, [passkey])

  const signedIn = await signIn(authenticator)
  assert.deepEqual([signedIn.status, signedIn.body.member.id], [201, id])
  const session = await browserOf(world, cookieOf(signedIn))('GET', '/portal/v1/session')
  assert.equal(session.body.member.id, id)
  const [used] = (await call('GET', '/portal/v1/passkeys')).body.data
  assert.ok(used.last_used)

  const path = `/portal/v1/passkeys/${passkey.id}`
  const wrong = await call('DELETE', path, { password: 'wrong' })
  assert.deepEqual([wrong.status, wrong.body.code], [401, 'credentials_wrong'])
  assert.equal((await call('DELETE', path, { password })).status, 204)
  assert.equal((await call('DELETE', path, { password })).status, 404)
  assert.equal((await signIn(authenticator)).body.code, 'credentials_wrong')
})

test('a password alone does not sign in who has a passkey', async () => {
  const { email } = await withPasskey()
  const { status, body } = await browserOf(world)('POST', '/portal/v1/sessions', {
    email,
    password,
  })
  assert.deepEqual([status, Object.keys(body)], [202, ['challenge']])
})

test('a response signs in once', async () => {
  const { authenticator } = await withPasskey()
  const call = browserOf(world)
  const { body } = await call('POST', '/portal/v1/passkeys:options')
  const credential = authenticator.signIn(body.options)
  const attempt = () => call('POST', '/portal/v1/sessions:passkey', { credential })
  const statuses = (await Promise.all([attempt(), attempt(), attempt()])).map(
    ({ status }) => status,
  )
  assert.deepEqual(statuses.sort(), [201, 401, 401])
})

test('a response of another site, or of another key, is wrong like an unknown one', async () => {
  const { authenticator } = await withPasskey()
  const call = browserOf(world)
  const { body } = await call('POST', '/portal/v1/passkeys:options')
  const stranger = new Authenticator(PUBLIC_URL)
  const { body: creation } = await (await withPasskey()).call('POST', '/portal/v1/passkeys', {
    password,
  })
  stranger.register(creation.options)
  const answers = await Promise.all(
    [
      authenticator.signIn(body.options, { origin: 'https://evil.example' }),
      authenticator.signIn(body.options, { rp_id: 'evil.example' }),
      stranger.signIn(body.options),
    ].map((credential) => call('POST', '/portal/v1/sessions:passkey', { credential })),
  )
  for (const { status, body } of answers) {
    assert.deepEqual([status, body.code], [401, 'credentials_wrong'])
  }
})

test('a passkey that is made for another member is not registered', async () => {
  const [ann, bob] = [await withPasskey(), await withPasskey()]
  const { body } = await ann.call('POST', '/portal/v1/passkeys', { password })
  const credential = new Authenticator(PUBLIC_URL).register(body.options)
  const path = '/portal/v1/passkeys:confirm'
  const other = await bob.call('POST', path, { name: 'Phone', credential })
  assert.deepEqual([other.status, other.body.code], [400, 'passkey_invalid'])
  assert.equal((await ann.call('POST', path, { name: 'Phone', credential })).status, 201)
})

test('a body that is no credential is 400', async () => {
  for (const credential of [{}, null, { id: 'x', rawId: 'x', type: 'password' }]) {
    const body = { credential }
    assert.equal((await browserOf(world)('POST', '/portal/v1/sessions:passkey', body)).status, 400)
  }
})

test('a public URL with an address for a host has no passkeys', async () => {
  const { status, body } = await browserOf(address)('POST', '/portal/v1/passkeys:options')
  assert.deepEqual([status, body.code], [501, 'not_configured'])
})
