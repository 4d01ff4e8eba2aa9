import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashNewPassword } from '#portal/people/people.ts'
import { keeper } from '#test/support/keeper.ts'
import { browse, browserOf, codeOf, insertPerson } from '#test/support/portal/members.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const password = 'seven quiet harbours'
const password_hash = await hashNewPassword(password, { email: 'x@y.example' })

async function open() {
  const person = await insertPerson(world, { password_hash })
  return { ...person, call: await browse(world, person) }
}

async function withTotp() {
  const person = await open()
  const { body } = await person.call('POST', '/portal/v1/totp', { password })
  const code = await codeOf(world, body.secret)
  const confirmed = await person.call('POST', '/portal/v1/totp:confirm', { code })
  assert.equal(confirmed.status, 200)
  return { ...person, secret: body.secret as string, codes: confirmed.body.recovery_codes }
}

/** Password and code, as a page sends them. */
async function signIn(email: string, code: string) {
  const call = browserOf(world)
  const first = await call('POST', '/portal/v1/sessions', { email, password })
  assert.equal(first.status, 202)
  const { challenge } = first.body
  return call('POST', '/portal/v1/sessions:verify', { challenge, code })
}

test('codes by time are set up with a secret, its URI and a first code', async () => {
  const { call, email } = await open()
  const { status, body } = await call('POST', '/portal/v1/totp', { password })
  assert.equal(status, 200)
  assert.ok(decodeURIComponent(body.uri).startsWith(`otpauth://totp/bezant:${email}?`))
  const early = await browserOf(world)('POST', '/portal/v1/sessions', { email, password })
  assert.equal(early.status, 201, 'a secret that is not confirmed changes nothing')
  const wrong = await call('POST', '/portal/v1/totp:confirm', { code: '12345' })
  assert.deepEqual([wrong.status, wrong.body.code], [400, 'code_wrong'])
  const code = await codeOf(world, body.secret)
  const confirmed = await call('POST', '/portal/v1/totp:confirm', { code })
  assert.equal(new Set(confirmed.body.recovery_codes).size, 10)
  const factors = await call('GET', '/portal/v1/second_factors')
  assert.deepEqual(factors.body, { totp: true, passkeys: 0, recovery_codes: 10 })
  assert.equal((await call('POST', '/portal/v1/totp', { password })).body.code, 'totp_active')
  assert.equal((await call('POST', '/portal/v1/totp:confirm', { code })).body.code, 'totp_active')
})

test('a sign-in takes a code by time or a recovery code, each once', async () => {
  const { email, secret, codes } = await withTotp()
  const code = await codeOf(world, secret, 1)
  assert.equal((await signIn(email, code)).status, 201)
  assert.equal((await signIn(email, code)).status, 401)
  assert.equal((await signIn(email, codes[0])).status, 201)
  assert.equal((await signIn(email, codes[0])).status, 401)
})

test('sign-ins with one code at one time begin one session', async () => {
  const { email, secret } = await withTotp()
  const code = await codeOf(world, secret, 1)
  const answers = await Promise.all(Array.from({ length: 4 }, () => signIn(email, code)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 401, 401, 401])
})

test('codes by time are removed with the password alone', async () => {
  const { call, email } = await withTotp()
  const wrong = await call('DELETE', '/portal/v1/totp', { password: `${password}x` })
  assert.deepEqual([wrong.status, wrong.body.code], [401, 'credentials_wrong'])
  assert.equal((await call('DELETE', '/portal/v1/totp', {})).status, 400)
  assert.equal((await call('DELETE', '/portal/v1/totp', { password })).status, 204)
  const again = await call('DELETE', '/portal/v1/totp', { password })
  assert.deepEqual([again.status, again.body.code], [409, 'totp_missing'])
  const signedIn = await browserOf(world)('POST', '/portal/v1/sessions', { email, password })
  assert.equal(signedIn.status, 201)
})

test('wrong passwords of a removal count by the session', async () => {
  const { call } = await withTotp()
  for (let tries = 0; tries < 10; tries += 1) {
    assert.equal((await call('DELETE', '/portal/v1/totp', { password: 'wrong' })).status, 401)
  }
  const { status, headers } = await call('DELETE', '/portal/v1/totp', { password })
  assert.equal(status, 429)
  assert.ok(Number(headers['retry-after']) > 0)
})

test('who has no session sets up nothing', async () => {
  const call = browserOf(world)
  for (const [method, path] of [
    ['GET', '/portal/v1/second_factors'],
    ['POST', '/portal/v1/totp'],
    ['GET', '/portal/v1/passkeys'],
  ] as const) {
    assert.equal((await call(method, path)).status, 401, path)
  }
})

test('what is set up and removed is recorded under the member', async () => {
  const { call, id } = await withTotp()
  await call('DELETE', '/portal/v1/totp', { password })
  const records = await world.db
    .selectFrom('audit_records')
    .select(['operation', 'actor_kind'])
    .where('actor_id', '=', id)
    .orderBy('recorded')
    .execute()
  assert.deepEqual(records, [
    { operation: 'createTotp', actor_kind: 'member' },
    { operation: 'confirmTotp', actor_kind: 'member' },
    { operation: 'deleteTotp', actor_kind: 'member' },
  ])
})
