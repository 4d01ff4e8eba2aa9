/** Sign-ins that are under way while the password is replaced or the member removed (D-136). */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { confirmPasskey, startPasskey } from '#portal/passkeys/passkeys.ts'
import { isSpread } from '#test/support/cluster/forms.ts'
import { lockWaitsIn } from '#test/support/cluster/nodes.ts'
import { keeper } from '#test/support/keeper.ts'
import { Authenticator } from '#test/support/portal/authenticator.ts'
import { createChallenge, memberWith, openBrowser, PASSWORD } from '#test/support/portal/browser.ts'
import { browse, browserOf, insertPerson, mailedToken } from '#test/support/portal/members.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const PUBLIC_URL = 'https://cards.example'
const world = keep(await openWorld())
const passkeys = keep(await openWorld({ env: { PUBLIC_URL } }))
const stranger = openBrowser(world)
const password = 'another quiet harbour'
const SIGN_IN = '/portal/v1/sessions'

async function resetLinkOf(email: string): Promise<string> {
  await stranger.ask('POST', '/portal/v1/passwords:reset', { email })
  return mailedToken(world, email)
}

const reset = (token: string) =>
  stranger.ask('POST', '/portal/v1/passwords:confirm', { token, password })

/** A session that has locked a membership: a sign-in of the member waits for it before its end. */
async function holdMembership(id: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: world.url })
  await client.connect()
  await client.query('begin')
  await client.query('select from memberships where id = $1 for update', [id])
  return client
}

const untilBlocked = (of: { url: string } = world) =>
  until('the sign-in waits', async () => (await lockWaitsIn(of.url)) > 0)

test('a sign-in that is under way while the password is replaced leaves no session', async () => {
  const { email, membership_id } = await memberWith(world, 'viewer', world.tenant.id)
  const token = await resetLinkOf(email)
  const holder = await holdMembership(membership_id)
  const browser = openBrowser(world)
  const signingIn = browser.ask('POST', SIGN_IN, { email, password: PASSWORD })
  await untilBlocked()
  const replacing = reset(token)
  // On a cluster it waits for its turn behind the sign-in (D-863), and then ends the session.
  const isInTurn = await isSpread(world.url)
  if (!isInTurn) await replacing
  await holder.query('rollback')
  await holder.end()
  const [replaced, signedIn] = await Promise.all([replacing, signingIn])
  assert.deepEqual([replaced.status, signedIn.status], [200, isInTurn ? 201 : 401])
  assert.equal((await browser.ask('GET', '/portal/v1/session')).status, 401)
})

test('a sign-in that is under way while the member is removed is a wrong one', async () => {
  const { id, email, membership_id } = await memberWith(world, 'viewer', world.tenant.id)
  const holder = await holdMembership(membership_id)
  const signingIn = stranger.ask('POST', SIGN_IN, { email, password: PASSWORD })
  await untilBlocked()
  await holder.query('delete from people where id = $1', [id])
  await holder.query('commit')
  await holder.end()
  const { status, body } = await signingIn
  assert.deepEqual([status, body.code], [401, 'credentials_wrong'])
})

test('a sign-in with a passkey that is under way while it is reset leaves no session', async () => {
  const person = await insertPerson(passkeys)
  const own = await browse(passkeys, person)
  const authenticator = new Authenticator(PUBLIC_URL)
  const ctx = await passkeys.ctx()
  const site = { public_url: PUBLIC_URL, operator_name: 'Bank' }
  const credential = authenticator.register(await startPasskey(ctx, person.id, site))
  await confirmPasskey(ctx, person.id, { name: 'Phone', credential }, site)
  const { body } = await browserOf(passkeys)('POST', '/portal/v1/passkeys:options')
  const client = new pg.Client({ connectionString: passkeys.url })
  await client.connect()
  await client.query('begin')
  await client.query('select from people where id = $1 for update', [person.id])
  const signingIn = browserOf(passkeys)('POST', `${SIGN_IN}:passkey`, {
    credential: authenticator.signIn(body.options),
  })
  await untilBlocked(passkeys)
  await client.query('delete from portal_sessions where membership_id = $1', [person.membership_id])
  await client.query('delete from passkeys where person_id = $1', [person.id])
  await client.query('commit')
  await client.end()
  const { status, body: problem } = await signingIn
  assert.deepEqual([status, problem.code], [401, 'credentials_wrong'])
  assert.equal((await own('GET', '/portal/v1/session')).status, 401)
})

test('a challenge ends with the password that it was given for', async () => {
  const member = await memberWith(world, 'viewer', world.tenant.id)
  const { challenge, code } = await createChallenge(world, member)
  assert.equal((await reset(await resetLinkOf(member.email))).status, 200)
  const { status, body } = await stranger.ask('POST', '/portal/v1/sessions:verify', {
    challenge,
    code,
  })
  assert.deepEqual([status, body.code], [401, 'credentials_wrong'])
})

test('unknown challenges of strangers do not make that of another wait', async () => {
  const verify = async (from: string) => {
    const challenge = randomBytes(32).toString('base64url')
    const body = { challenge, code: '000000' }
    const { status } = await openBrowser(world, from).ask('POST', `${SIGN_IN}:verify`, body)
    return status
  }
  const strangers = Array.from({ length: 12 }, (_, at) => verify(`10.1.1.${at}`))
  assert.deepEqual(new Set(await Promise.all(strangers)), new Set([401]))
  assert.equal(await verify('10.2.2.2'), 401)
})
