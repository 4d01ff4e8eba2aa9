/**
 * The story of a session that was stolen: the changes that it may make to the factors of its
 * member, and the ways in which the member ends it (D-1001).
 */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
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
  mailedToken,
  mailsTo,
} from '#test/support/portal/members.ts'
import { openSecondProcess } from '#test/support/portal/second_process.ts'
import { openWorld, type World } from '#test/support/world.ts'

const PUBLIC_URL = 'https://cards.example'
const keep = keeper()
const world = keep(await openWorld({ env: { PUBLIC_URL } }))
const second = keep(await openSecondProcess(world))
const MASTER_KEY = randomBytes(32).toString('hex')
const live = keep(await openWorld({ env: { MODE: 'live', MASTER_KEY, PUBLIC_URL } }))
const password = 'seven quiet harbours'
const password_hash = await hashNewPassword(password, { email: 'x@y.example' })
const P = '/portal/v1'

/** A member of a team of its own, and the same session in the hands of a thief. */
async function robbed(of: World = world) {
  const { id: tenant_id } = await of.otherTenant()
  const person = await insertPerson(of, { password_hash, tenant_id })
  return { ...person, tenant_id, thief: await browse(of, person) }
}

const signIn = (email: string, of: World = world) =>
  browserOf(of)('POST', `${P}/sessions`, { email, password })

async function signedIn(email: string, of: World = world): Promise<Call> {
  const answer = await signIn(email, of)
  assert.equal(answer.status, 201)
  return browserOf(of, cookieOf(answer))
}

async function addTotp(call: Call, body: object = { password }, of: World = world) {
  const { body: made } = await call('POST', `${P}/totp`, body)
  const code = await codeOf(of, made.secret)
  assert.equal((await call('POST', `${P}/totp:confirm`, { code })).status, 200)
  return made.secret as string
}

async function addPasskey(call: Call, body: object = { password }) {
  const authenticator = new Authenticator(PUBLIC_URL)
  const { body: made } = await call('POST', `${P}/passkeys`, body)
  const credential = authenticator.register(made.options)
  const confirmed = await call('POST', `${P}/passkeys:confirm`, { name: 'Phone', credential })
  assert.equal(confirmed.status, 201)
  return { authenticator, id: confirmed.body.id as string }
}

async function signInWith(authenticator: Authenticator) {
  const { body } = await browserOf(world)('POST', `${P}/passkeys:options`)
  const credential = authenticator.signIn(body.options)
  return browserOf(world)('POST', `${P}/sessions:passkey`, { credential })
}

const factorsOf = async (call: Call) => (await call('GET', `${P}/second_factors`)).body
const subjects = async (email: string) => (await mailsTo(world, email)).map((one) => one.subject)
const CHANGED = 'Your second factors were changed'

test('a session alone adds no factor, at no process, also right after the sign-in', async () => {
  const { email, thief } = await robbed()
  const fresh = await signedIn(email)
  for (const call of [thief, fresh]) {
    for (const path of ['totp', 'passkeys']) {
      for (const body of [undefined, {}]) {
        const { status, body: problem } = await call('POST', `${P}/${path}`, body)
        assert.deepEqual([status, problem.errors?.[0].path], [400, 'password'], path)
      }
      const wrong = await call('POST', `${P}/${path}`, { password: 'a wrong password' })
      assert.deepEqual([wrong.status, wrong.body.code], [401, 'credentials_wrong'], path)
    }
    assert.equal((await call('POST', `${P}/totp:confirm`, { code: '123456' })).status, 409)
    assert.deepEqual(await factorsOf(call), { totp: false, passkeys: 0, recovery_codes: 0 })
  }
})

test('the password adds a factor, and each change is mailed however many there are', async () => {
  const { email, thief: call } = await robbed()
  for (let round = 0; round < 4; round += 1) {
    await addTotp(call)
    assert.equal((await call('DELETE', `${P}/totp`, { password })).status, 204)
  }
  const { id } = await addPasskey(call)
  assert.equal((await call('DELETE', `${P}/passkeys/${id}`, { password })).status, 204)
  assert.deepEqual(await subjects(email), Array(10).fill(CHANGED))
})

test('a sign-in with a factor stands for the password for five minutes', async () => {
  const { thief } = await robbed()
  const { authenticator } = await addPasskey(thief)
  const call = browserOf(world, cookieOf(await signInWith(authenticator)))
  await addTotp(call, {})
  assert.equal((await call('DELETE', `${P}/totp`)).status, 204)
  await sql`update portal_sessions set created = created - interval '6 minutes'`.execute(world.db)
  assert.equal((await call('POST', `${P}/totp`)).status, 400)
  assert.equal((await call('POST', `${P}/passkeys`, {})).status, 400)
})

test('a session that began with a factor is worth no more once that is removed', async () => {
  const { thief: own } = await robbed()
  const { authenticator, id } = await addPasskey(own)
  const intruder = browserOf(world, cookieOf(await signInWith(authenticator)))
  assert.equal((await own('DELETE', `${P}/passkeys/${id}`, { password })).status, 204)
  assert.equal((await intruder('POST', `${P}/passkeys`)).status, 400)
})

test('the first factor that a team requires takes no password for ten minutes', async () => {
  const { email } = await robbed(live)
  const call = await signedIn(email, live)
  const passkey = new Authenticator(PUBLIC_URL)
  const { body: begun } = await call('POST', `${P}/passkeys`)
  await addTotp(call, {}, live)
  const credential = passkey.register(begun.options)
  const late = await call('POST', `${P}/passkeys:confirm`, { name: 'Phone', credential })
  assert.deepEqual([late.status, late.body.code], [400, 'passkey_invalid'], 'it is not the first')
  assert.equal((await call('POST', `${P}/passkeys`)).status, 400, 'a second factor takes it')

  const other = await robbed(live)
  const theirs = await signedIn(other.email, live)
  await sql`update portal_sessions set created = created - interval '11 minutes'`.execute(live.db)
  assert.equal((await theirs('POST', `${P}/totp`)).status, 400)
  assert.equal((await theirs('POST', `${P}/totp`, { password })).status, 200)
})

test('guesses of strangers do not keep a member from removing a factor', async () => {
  const { email, thief: own } = await robbed()
  await addTotp(own)
  for (let tries = 0; tries < 10; tries += 1) {
    await browserOf(world)('POST', `${P}/sessions`, { email, password: 'a guess of many' })
  }
  assert.equal((await signIn(email)).status, 429)
  assert.equal((await own('DELETE', `${P}/totp`, { password })).status, 204)
})

test('wrong passwords count by the session over two processes, and stop no sign-in', async () => {
  const { email, ...person } = await robbed()
  const [thief, own] = [person.thief, await browse(world, person)]
  const headers = { origin: PUBLIC_URL, cookie: cookieOf(await signIn(email)) }
  const there = (given: string) =>
    second.request('POST', `${P}/totp`, { password: given }, { key: null, headers })
  const here = browserOf(world, headers.cookie)
  for (let tries = 0; tries < 5; tries += 1) {
    assert.equal((await there('wrong password')).status, 401)
    assert.equal((await here('POST', `${P}/passkeys`, { password: 'wrong' })).status, 401)
  }
  for (const answer of [await there(password), await here('POST', `${P}/totp`, { password })]) {
    assert.deepEqual([answer.status, answer.body.code], [429, 'rate_limited'])
    assert.ok(Number(answer.headers['retry-after']) > 0)
  }
  assert.equal((await signIn(email)).status, 201)
  for (const call of [thief, own]) {
    assert.equal((await call('POST', `${P}/totp`, { password })).status, 200, 'another session')
  }
})

test('a reset names the factors, and removes an intruder’s with the password', async () => {
  const { email, thief } = await robbed()
  const { authenticator } = await addPasskey(thief)
  await addTotp(thief)
  const call = browserOf(world)
  await call('POST', `${P}/passwords:reset`, { email })
  const kept = await mailedToken(world, email)
  const factors = { totp: true, passkeys: 1, recovery_codes: 10 }
  const checked = await call('POST', `${P}/passwords:check`, { token: kept })
  assert.deepEqual([checked.status, checked.body], [200, factors])
  const confirmed = await call('POST', `${P}/passwords:confirm`, { token: kept, password })
  assert.deepEqual([confirmed.status, confirmed.body], [200, factors])
  assert.equal((await signIn(email)).status, 202)
  const used = await call('POST', `${P}/passwords:check`, { token: kept })
  assert.equal(used.body.code, 'token_invalid')

  await call('POST', `${P}/passwords:reset`, { email })
  const body = { token: await mailedToken(world, email), password, remove_factors: true }
  const removed = await call('POST', `${P}/passwords:confirm`, body)
  assert.deepEqual(
    [removed.status, removed.body],
    [200, { totp: false, passkeys: 0, recovery_codes: 0 }],
  )
  assert.ok((await subjects(email)).includes(CHANGED))
  assert.equal((await signIn(email)).status, 201)
  assert.equal((await signInWith(authenticator)).status, 401)
})

test('a secret that was begun before a reset is confirmed by no session after it', async () => {
  const { email, thief } = await robbed()
  const { body } = await thief('POST', `${P}/totp`, { password })
  const call = browserOf(world)
  await call('POST', `${P}/passwords:reset`, { email })
  await call('POST', `${P}/passwords:confirm`, {
    token: await mailedToken(world, email),
    password,
  })
  const code = await codeOf(world, body.secret)
  const late = await (await signedIn(email))('POST', `${P}/totp:confirm`, { code })
  assert.deepEqual([late.status, late.body.code], [409, 'totp_missing'])
})

test('an owner resets the factors of a member, whose sessions end, and nobody else does', async () => {
  const { tenant_id, ...owner } = await robbed()
  const member = await insertPerson(world, { password_hash, tenant_id, role: 'developer' })
  const theirs = await browse(world, member)
  await addTotp(theirs)
  await addPasskey(theirs)
  const path = `${P}/members/${member.id}/factors`
  const stranger = await robbed()
  assert.equal((await theirs('DELETE', path)).status, 403)
  assert.equal((await stranger.thief('DELETE', path)).status, 404)
  assert.equal((await owner.thief('DELETE', path)).status, 204)
  assert.equal((await theirs('GET', `${P}/session`)).status, 401)
  assert.equal((await signIn(member.email)).status, 201)
  assert.equal((await subjects(member.email))[0], CHANGED)
  assert.equal((await owner.thief('DELETE', path)).status, 204, 'there is none any more')
})

test('an owner’s session alone does not reset the factors of the owner', async () => {
  const { id, thief, email } = await robbed()
  await addTotp(thief)
  const path = `${P}/members/${id}/factors`
  assert.equal((await thief('DELETE', path)).status, 400)
  assert.equal((await thief('DELETE', path, { password: 'a guess' })).status, 401)
  assert.equal((await signIn(email)).status, 202)
  assert.equal((await thief('DELETE', path, { password })).status, 204)
  assert.equal((await signIn(email)).status, 201)
})

test('the operator resets the factors of a sole owner, and of nobody else', async () => {
  const { id, tenant_id, thief, email } = await robbed()
  await addTotp(thief)
  const member = await insertPerson(world, { password_hash, tenant_id, role: 'viewer' })
  const ask = (of: string, key: string | null = world.operator_key) =>
    world.request('DELETE', `${P}/owners/${of}/factors`, undefined, { key })
  const viewer = await ask(member.id)
  assert.deepEqual([viewer.status, viewer.body.code], [409, 'not_sole_owner'])
  assert.equal((await thief('DELETE', `${P}/owners/${id}/factors`)).status, 403)
  assert.equal((await ask(id, null)).status, 401)
  assert.equal((await ask(id)).status, 204)
  assert.equal((await signIn(email)).status, 201)
  assert.equal((await subjects(email))[0], CHANGED)
  await insertPerson(world, { password_hash, tenant_id })
  assert.equal((await ask(id)).body.code, 'not_sole_owner')

  const chief = await insertPerson(world, { tenant_id: null, role: 'operator_owner' })
  const own = await browse(world, chief)
  assert.equal((await own('DELETE', `${P}/owners/${chief.id}/factors`)).status, 403)
})
