/**
 * Another session, and an idempotency key, add no factor by what one session has begun, and give no
 * further guesses (D-1001, D-990).
 */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { hashNewPassword } from '#portal/people/people.ts'
import { keeper } from '#test/support/keeper.ts'
import { Authenticator } from '#test/support/portal/authenticator.ts'
import {
  browse,
  browserOf,
  type Call,
  codeOf,
  cookieOf,
  insertPerson,
} from '#test/support/portal/members.ts'
import { openSecondProcess } from '#test/support/portal/second_process.ts'
import { openWorld } from '#test/support/world.ts'

const PUBLIC_URL = 'https://cards.example'
const keep = keeper()
const world = keep(await openWorld({ env: { PUBLIC_URL } }))
const second = keep(await openSecondProcess(world))
const password = 'seven quiet harbours'
const password_hash = await hashNewPassword(password, { email: 'x@y.example' })
const P = '/portal/v1'
const NONE = { totp: false, passkeys: 0, recovery_codes: 0 }

/** An owner of a team of its own, in two browsers. */
async function withTwoSessions() {
  const { id: tenant_id } = await world.otherTenant()
  const person = await insertPerson(world, { password_hash, tenant_id })
  return { ...person, own: await browse(world, person), thief: await browse(world, person) }
}

const factorsOf = async (call: Call) => (await call('GET', `${P}/second_factors`)).body

/** A session that began with the password, at either process, whose POSTs have a key each. */
async function keyed({ email }: { email: string }) {
  const signedIn = await browserOf(world)('POST', `${P}/sessions`, { email, password })
  const cookie = cookieOf(signedIn)
  let number = 0
  return (path: string, body: object) => {
    const headers = { origin: PUBLIC_URL, cookie, 'idempotency-key': randomUUID() }
    number += 1
    const at = number % 2 === 0 ? world : second
    return at.request('POST', `${P}/${path}`, body, { key: null, headers })
  }
}

/** A passkey that signs in, with the session that it has begun. */
async function withPasskey(call: Call) {
  const authenticator = new Authenticator(PUBLIC_URL)
  const { body: begun } = await call('POST', `${P}/passkeys`, { password })
  const credential = authenticator.register(begun.options)
  const made = await call('POST', `${P}/passkeys:confirm`, { name: 'Phone', credential })
  const { body: asked } = await browserOf(world)('POST', `${P}/passkeys:options`)
  const signedIn = await browserOf(world)('POST', `${P}/sessions:passkey`, {
    credential: authenticator.signIn(asked.options),
  })
  return { id: made.body.id as string, call: browserOf(world, cookieOf(signedIn)) }
}

const wrongCode = (code: string) => (code === '000000' ? '000001' : '000000')

test('wrong passwords under idempotency keys count like those without', async () => {
  const post = await keyed(await withTwoSessions())
  for (let tries = 0; tries < 10; tries += 1) {
    const path = tries % 2 === 0 ? 'totp' : 'passkeys'
    const { status, body } = await post(path, { password: `guess number ${tries}` })
    assert.deepEqual([status, body.code], [401, 'credentials_wrong'])
  }
  for (const path of ['totp', 'passkeys']) {
    const { status, body } = await post(path, { password })
    assert.deepEqual([status, body.code], [429, 'rate_limited'], path)
  }
})

test('a setup under an idempotency key is answered again, and is begun once', async () => {
  const { own, email } = await withTwoSessions()
  const { status, headers } = await browserOf(world)('POST', `${P}/sessions`, { email, password })
  assert.equal(status, 201)
  const cookie = String(headers['set-cookie']).split(';')[0] ?? ''
  const sent = { origin: PUBLIC_URL, cookie, 'idempotency-key': randomUUID() }
  const begin = (at: Pick<typeof world, 'request'>) =>
    at.request('POST', `${P}/totp`, { password }, { key: null, headers: sent })
  const [first, again] = [await begin(world), await begin(second)]
  assert.deepEqual([first.status, again.status], [200, 200])
  assert.equal(again.headers['idempotent-replayed'], 'true')
  assert.equal(again.body.secret, first.body.secret)
  assert.deepEqual(await factorsOf(own), NONE)
})

test('wrong first codes count by the session, also under idempotency keys', async () => {
  const person = await withTwoSessions()
  const post = await keyed(person)
  const { body: begun } = await post('totp', { password })
  for (let tries = 0; tries < 10; tries += 1) {
    const code = wrongCode(await codeOf(world, begun.secret))
    const { status, body } = await post('totp:confirm', { code })
    assert.deepEqual([status, body.code], [400, 'code_wrong'])
  }
  const late = await post('totp:confirm', { code: await codeOf(world, begun.secret) })
  assert.deepEqual([late.status, late.body.code], [429, 'rate_limited'])
  assert.deepEqual(await factorsOf(person.own), NONE)
})

test('a secret is confirmed by the session alone that has begun it', async () => {
  const { own, thief } = await withTwoSessions()
  const { body } = await own('POST', `${P}/totp`, { password })
  const code = await codeOf(world, body.secret)
  const other = await thief('POST', `${P}/totp:confirm`, { code })
  assert.deepEqual([other.status, other.body.code], [409, 'totp_missing'])
  assert.deepEqual(await factorsOf(own), NONE)
  assert.equal((await own('POST', `${P}/totp:confirm`, { code })).status, 200)
})

test('a secret that was begun long ago is confirmed by no session', async () => {
  const { own } = await withTwoSessions()
  const { body } = await own('POST', `${P}/totp`, { password })
  await sql`update people set totp_begun = totp_begun - interval '6 minutes'`.execute(world.db)
  const late = await own('POST', `${P}/totp:confirm`, { code: await codeOf(world, body.secret) })
  assert.deepEqual([late.status, late.body.code], [409, 'totp_missing'])
})

test('a passkey is registered by the session alone that has begun it', async () => {
  const { own, thief } = await withTwoSessions()
  const { body } = await own('POST', `${P}/passkeys`, { password })
  const credential = new Authenticator(PUBLIC_URL).register(body.options)
  const named = { name: 'Phone', credential }
  const other = await thief('POST', `${P}/passkeys:confirm`, named)
  assert.deepEqual([other.status, other.body.code], [400, 'passkey_invalid'])
  assert.equal((await own('POST', `${P}/passkeys:confirm`, named)).status, 201)
})

test('what was begun with a factor ends with the factor', async () => {
  const { own } = await withTwoSessions()
  const intruder = await withPasskey(own)
  const { body: passkey } = await intruder.call('POST', `${P}/passkeys`)
  const { body: totp } = await intruder.call('POST', `${P}/totp`)
  assert.equal((await own('DELETE', `${P}/passkeys/${intruder.id}`, { password })).status, 204)
  const credential = new Authenticator(PUBLIC_URL).register(passkey.options)
  const late = await intruder.call('POST', `${P}/passkeys:confirm`, { name: 'Mine', credential })
  assert.deepEqual([late.status, late.body.code], [400, 'passkey_invalid'])
  const code = await codeOf(world, totp.secret)
  const other = await intruder.call('POST', `${P}/totp:confirm`, { code })
  assert.deepEqual([other.status, other.body.code], [409, 'totp_missing'])
  assert.deepEqual(await factorsOf(own), NONE)
})
