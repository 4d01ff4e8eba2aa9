/** Sessions of members by status code, on a real database (D-135, D-136). */

import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { hashSessionToken } from '#callers/cookies.ts'
import { transact } from '#kit/context.ts'
import {
  cookieOf,
  giveSecondFactor,
  memberWith,
  openBrowser,
  PASSWORD,
  signUp,
} from '#test/support/portal/browser.ts'
import { openSecondProcess } from '#test/support/portal/second_process.ts'
import { openWorld } from '#test/support/world.ts'
import { endSessionsOf } from './sessions.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const second = await openSecondProcess(world)
after(() => second[Symbol.asyncDispose]())

const SIGN_IN = '/portal/v1/sessions'
const SESSION = '/portal/v1/session'
const viewer = () => memberWith(world, 'viewer', world.tenant.id)
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)

const sessionsOf = (membership_id: string) =>
  world.db
    .selectFrom('portal_sessions')
    .selectAll()
    .where('membership_id', '=', membership_id)
    .orderBy('id')
    .execute()

async function withSecondFactor() {
  const member = await viewer()
  const { codes } = await giveSecondFactor(world, member.id)
  const [code = '', other = ''] = codes
  const browser = openBrowser(world)
  const begin = () => browser.ask('POST', SIGN_IN, { email: member.email, password: PASSWORD })
  const verify = (challenge: string, given = code) =>
    browser.ask('POST', '/portal/v1/sessions:verify', { challenge, code: given })
  return { ...member, code, other, browser, begin, verify }
}

describe('POST /portal/v1/sessions', () => {
  test('201 sets a cookie that scripts and other sites do not get', async () => {
    const { email, id } = await viewer()
    const answer = await openBrowser(world).ask('POST', SIGN_IN, { email, password: PASSWORD })
    assert.deepEqual([answer.status, answer.body.member.id], [201, id])
    const [cookie = '', ...attributes] = String(answer.headers['set-cookie']).split('; ')
    assert.match(cookie, /^bezant_session=[\w-]{43}$/)
    const usual = ['HttpOnly', 'Max-Age=604800', 'Path=/', 'SameSite=Lax']
    assert.deepEqual(attributes.toSorted(), usual)
  })

  test('with https the cookie is Secure and bound to the host, and no other name counts', async () => {
    await using secure = await openWorld({ env: { PUBLIC_URL: 'https://cards.example' } })
    const { member, email } = await signUp(secure)
    const body = { email, password: PASSWORD }
    const answer = await openBrowser(secure).ask('POST', SIGN_IN, body)
    const text = String(answer.headers['set-cookie'])
    assert.match(text, /^__Host-bezant_session=/)
    assert.match(text, /; Secure/)
    assert.doesNotMatch(text, /Domain/i)
    const value = cookieOf(answer)
    const named = (name: string) =>
      openBrowser(secure).ask('GET', SESSION, undefined, { cookie: `${name}=${value}` })
    assert.equal((await named('__Host-bezant_session')).body.member.id, member.id)
    assert.equal((await named('bezant_session')).status, 401)
  })

  test('the database has a digest of the token, and 7 days to its end', async () => {
    const { membership_id, browser } = await viewer()
    const [session] = await sessionsOf(membership_id)
    assert.ok(session)
    assert.deepEqual(session.token_hash, hashSessionToken(browser.cookie))
    assert.equal(session.expires.getTime() - session.created.getTime(), 7 * 24 * 3_600_000)
  })

  test('each sign-in has a new token; one that another chose is never taken over', async () => {
    const { email, browser, membership_id } = await viewer()
    const first = browser.cookie
    const planted = randomBytes(32).toString('base64url')
    const headers = { cookie: `bezant_session=${planted}` }
    const body = { email, password: PASSWORD }
    const answer = await openBrowser(world).ask('POST', SIGN_IN, body, headers)
    const token = cookieOf(answer)
    assert.ok(token && token !== planted && token !== first)
    const attacker = await openBrowser(world).ask('GET', SESSION, undefined, headers)
    assert.equal(attacker.status, 401)
    assert.equal((await sessionsOf(membership_id)).length, 2)
  })

  test('a sign-in ends the session whose cookie it came with', async () => {
    const { email, browser, membership_id } = await viewer()
    const before = browser.cookie
    await browser.ask('POST', SIGN_IN, { email, password: PASSWORD })
    const [session, other] = await sessionsOf(membership_id)
    assert.equal(other, undefined)
    assert.deepEqual(session?.token_hash, hashSessionToken(browser.cookie))
    const old = openBrowser(world)
    old.cookie = before
    assert.equal((await old.ask('GET', SESSION)).status, 401)
  })

  test('401 credentials_wrong has the same body for a wrong password and an unknown address', async () => {
    const { email } = await viewer()
    const browser = openBrowser(world, '10.1.1.1')
    const bodies = [
      { email, password: 'a wrong password' },
      { email: `${randomUUID()}@bank.example`, password: 'a wrong password' },
    ]
    const answers = await Promise.all(bodies.map((body) => browser.ask('POST', SIGN_IN, body)))
    const [known, unknown] = answers.map(
      ({ status, body: { request_id: _, ...rest }, headers }) => [
        status,
        rest,
        headers['set-cookie'],
      ],
    )
    assert.deepEqual(known, unknown)
    assert.equal(answers[0]?.body.code, 'credentials_wrong')
    assert.equal(answers[0]?.status, 401)
  })

  test('a person without a password cannot sign in', async () => {
    const { email, id } = await viewer()
    const nothing = { password_hash: null }
    await world.db.updateTable('people').set(nothing).where('id', '=', id).execute()
    const { status } = await openBrowser(world, '10.1.1.2').ask('POST', SIGN_IN, {
      email,
      password: PASSWORD,
    })
    assert.equal(status, 401)
  })
})

describe('a second factor', () => {
  test('202 answers a challenge and no cookie; with the code a session begins', async () => {
    const { begin, verify, code, id } = await withSecondFactor()
    const first = await begin()
    assert.equal(first.status, 202, first.text)
    assert.deepEqual(Object.keys(first.body), ['challenge'])
    assert.equal(first.headers['set-cookie'], undefined)
    const answer = await verify(first.body.challenge, code.toUpperCase())
    assert.deepEqual([answer.status, answer.body.member.id], [201, id])
    assert.ok(cookieOf(answer))
  })

  test('401 for a challenge that was used, also with another valid code', async () => {
    const { begin, verify, other } = await withSecondFactor()
    const { body } = await begin()
    assert.equal((await verify(body.challenge)).status, 201)
    const { status, body: problem } = await verify(body.challenge, other)
    assert.deepEqual([status, problem.code], [401, 'credentials_wrong'])
  })

  test('one challenge sent twice at once begins one session', async () => {
    const { begin, verify, membership_id } = await withSecondFactor()
    const before = (await sessionsOf(membership_id)).length
    const { body } = await begin()
    const answers = await Promise.all([1, 2].map(() => verify(body.challenge)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 401])
    assert.equal((await sessionsOf(membership_id)).length, before + 1)
  })

  test('a wrong code leaves the challenge, an expired challenge is 401', async () => {
    const { begin, verify } = await withSecondFactor()
    const { body } = await begin()
    assert.equal((await verify(body.challenge, '000000')).status, 401)
    assert.equal((await verify(body.challenge)).status, 201)
    const late = await withSecondFactor()
    const { body: given } = await late.begin()
    await world.db
      .updateTable('portal_tokens')
      .set({ expires: hoursAgo(1) })
      .execute()
    assert.equal((await late.verify(given.challenge)).status, 401)
  })
})

describe('a session', () => {
  test('GET /session answers member, tenant, role, permissions and its end', async () => {
    const { browser, id } = await memberWith(world, 'developer', world.tenant.id)
    const { status, body } = await browser.ask('GET', SESSION)
    assert.equal(status, 200)
    assert.deepEqual(
      [body.member.id, body.tenant.id, body.role, body.permissions],
      [id, world.tenant.id, 'developer', ['read', 'write', 'cards:widget']],
    )
    assert.ok(body.operations.includes('createCard') && !body.operations.includes('revealCard'))
    assert.ok(new Date(body.expires) > new Date())
  })

  for (const [name, change] of Object.entries({
    'after 12 idle hours': { last_used: hoursAgo(12.1) },
    'after 7 days': { expires: hoursAgo(0.1) },
  })) {
    test(`ends ${name}`, async () => {
      const { browser, membership_id } = await viewer()
      assert.equal((await browser.ask('GET', SESSION)).status, 200)
      await world.db
        .updateTable('portal_sessions')
        .set(change)
        .where('membership_id', '=', membership_id)
        .execute()
      world.services.notify('callers')
      assert.equal((await browser.ask('GET', SESSION)).status, 401)
    })
  }

  test('DELETE /session ends it and removes the cookie', async () => {
    const { browser } = await viewer()
    const before = browser.cookie
    const { status, text, headers } = await browser.ask('DELETE', SESSION)
    assert.deepEqual([status, text], [204, ''])
    assert.match(String(headers['set-cookie']), /^bezant_session=; Max-Age=0; Path=\/; HttpOnly/)
    browser.cookie = before
    assert.equal((await browser.ask('GET', SESSION)).status, 401)
  })

  test('sessions are listed, and one is ended from another', async () => {
    const { browser, email } = await viewer()
    const other = openBrowser(world)
    const body = { email, password: PASSWORD }
    await other.ask('POST', SIGN_IN, body, { 'user-agent': 'Phone' })
    const { body: list } = await browser.ask('GET', SIGN_IN)
    assert.deepEqual(
      list.data.map((one: { current: boolean; user_agent: string }) => [
        one.current,
        one.user_agent === 'Phone',
      ]),
      [
        [false, true],
        [true, false],
      ],
    )
    const ended = await browser.ask('DELETE', `${SIGN_IN}/${list.data[0].id}`)
    assert.equal(ended.status, 204, ended.text)
    assert.equal((await other.ask('GET', SESSION)).status, 401)
    assert.equal((await browser.ask('GET', SESSION)).status, 200)
  })

  test('404 for the session of another member', async () => {
    const one = await viewer()
    const other = await viewer()
    const [session] = await sessionsOf(other.membership_id)
    const { status } = await one.browser.ask('DELETE', `${SIGN_IN}/${session?.id}`)
    assert.equal(status, 404)
    assert.equal((await other.browser.ask('GET', SESSION)).status, 200)
  })

  test('of a removed member ends in every process within a second', async () => {
    const { browser, id } = await viewer()
    const elsewhere = openBrowser(second)
    elsewhere.cookie = browser.cookie
    for (const one of [browser, elsewhere])
      assert.equal((await one.ask('GET', SESSION)).status, 200)
    await world.db.deleteFrom('memberships').where('person_id', '=', id).execute()
    await pause(1_000)
    for (const one of [browser, elsewhere])
      assert.equal((await one.ask('GET', SESSION)).status, 401)
  })

  test('ends with every other of its member where the role or the password changes', async () => {
    const { browser, email, id } = await viewer()
    const phone = openBrowser(world)
    await phone.ask('POST', SIGN_IN, { email, password: PASSWORD })
    const { browser: stranger } = await viewer()
    await transact(await world.ctx(), (tx) => endSessionsOf(tx, id))
    for (const one of [browser, phone]) assert.equal((await one.ask('GET', SESSION)).status, 401)
    assert.equal((await stranger.ask('GET', SESSION)).status, 200)
  })

  test('is no other member’s: 401 where the request names another than has signed in', async () => {
    const [member, stranger] = [await viewer(), await viewer()]
    const ask = (id: string) =>
      member.browser.ask('GET', '/v1/users', undefined, { 'x-session-member': id })
    assert.equal((await ask(member.id)).status, 200)
    const refused = await ask(stranger.id)
    assert.deepEqual([refused.status, refused.body.code], [401, 'unauthenticated'])
    const left = await member.browser.ask('DELETE', SESSION, undefined, {
      'x-session-member': stranger.id,
    })
    assert.equal(left.status, 401)
    assert.equal((await member.browser.ask('GET', SESSION)).status, 200)
  })

  test('401 for a cookie that is no token', async () => {
    const browser = openBrowser(world)
    browser.cookie = 'no-token'
    assert.equal((await browser.ask('GET', SESSION)).status, 401)
  })
})
