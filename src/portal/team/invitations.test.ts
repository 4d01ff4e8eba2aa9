import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { keeper } from '#test/support/keeper.ts'
import {
  browse,
  browserOf,
  cookieOf,
  insertPerson,
  mailedToken,
  mailsTo,
  tokenIn,
} from '#test/support/portal/members.ts'
import { openWorld, type World } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const MASTER_KEY = randomBytes(32).toString('hex')
const live = keep(await openWorld({ env: { MODE: 'live', MASTER_KEY } }))
const PATH = '/portal/v1/invitations'
const PASSWORD = 'seven quiet harbours'

let addresses = 0
const newAddress = () => `invited-${++addresses}@shop.example`

const openOwner = async (of: World = world) => browse(of, await insertPerson(of))

async function invite(role = 'viewer') {
  const call = await openOwner()
  const email = newAddress()
  const { status, body } = await call('POST', PATH, { email, role })
  assert.equal(status, 201)
  return { call, email, invitation: body, token: await mailedToken(world, email) }
}

const accept = (token: string, password = PASSWORD, of: World = world) =>
  browserOf(of)('POST', `${PATH}:accept`, { token, password })

test('an invited person gets a mail, accepts, and has a session with the role', async () => {
  const { email, invitation, token } = await invite('finance')
  assert.deepEqual(
    [invitation.email, invitation.role, invitation.link],
    [email, 'finance', undefined],
  )
  assert.equal(Date.parse(invitation.expires) - Date.parse(invitation.created), 7 * 86_400_000)
  const accepted = await accept(token)
  assert.equal(accepted.status, 201)
  assert.deepEqual([accepted.body.member.email, accepted.body.member.role], [email, 'finance'])
  const session = await browserOf(world, cookieOf(accepted))('GET', '/portal/v1/session')
  assert.deepEqual([session.body.role, session.body.tenant.id], ['finance', world.tenant.id])
  const signedIn = await browserOf(world)('POST', '/portal/v1/sessions', {
    email,
    password: PASSWORD,
  })
  assert.equal(signedIn.status, 201)
})

test('a link is valid once, also for requests that come at one time', async () => {
  const { token } = await invite()
  const answers = await Promise.all(Array.from({ length: 5 }, () => accept(token)))
  const statuses = answers.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [201, 400, 400, 400, 400])
  const again = await accept(token)
  assert.deepEqual([again.status, again.body.code], [400, 'token_invalid'])
})

test('a password that is not accepted leaves the link valid', async () => {
  const { email, token } = await invite()
  for (const password of ['short', email, 'password123456789'.slice(0, 11)]) {
    const { status, body } = await accept(token, password)
    assert.deepEqual([status, body.errors[0].path], [400, 'password'])
  }
  assert.equal((await accept(token)).status, 201)
})

test('a link that is unknown, withdrawn or ended is not valid', async () => {
  assert.equal((await accept('x'.repeat(43))).body.code, 'token_invalid')
  const withdrawn = await invite()
  const path = `${PATH}/${withdrawn.invitation.id}`
  assert.equal((await withdrawn.call('DELETE', path)).status, 204)
  assert.equal((await withdrawn.call('DELETE', path)).status, 404)
  assert.equal((await accept(withdrawn.token)).body.code, 'token_invalid')
  const ended = await invite()
  await sql`
    update invitations set expires = created where id = ${ended.invitation.id}`.execute(world.db)
  assert.equal((await accept(ended.token)).body.code, 'token_invalid')
})

test('a further invitation of an address takes the place of the one before', async () => {
  const { call, email, token } = await invite('viewer')
  assert.equal(
    (await call('POST', PATH, { email: email.toUpperCase(), role: 'support' })).status,
    201,
  )
  assert.equal((await accept(token)).body.code, 'token_invalid')
  const { body } = await call('GET', PATH)
  const mine = body.data.filter((one: { email: string }) => one.email === email)
  assert.deepEqual(
    mine.map(({ role }: { role: string }) => role),
    ['support'],
  )
  assert.equal((await accept(await mailedToken(world, email))).body.member.role, 'support')
})

test('an address that has a member of the team, in any spelling, is not invited', async () => {
  const { email } = await insertPerson(world)
  const call = await openOwner()
  for (const spelling of [` ${email.toUpperCase()}`, `\u200e${email}\u200f`]) {
    const { status, body } = await call('POST', PATH, { email: spelling, role: 'viewer' })
    assert.deepEqual([status, body.code], [409, 'email_taken'])
  }
})

test('the answer does not say whose address is a member of another team', async () => {
  const { id: tenant_id } = await world.otherTenant()
  const { email } = await insertPerson(world, { tenant_id })
  const call = await openOwner()
  const [known, unknown] = [
    await call('POST', PATH, { email, role: 'viewer' }),
    await call('POST', PATH, { email: newAddress(), role: 'viewer' }),
  ]
  assert.deepEqual([known.status, Object.keys(known.body)], [201, Object.keys(unknown.body)])
  const { body } = await call('GET', PATH)
  assert.ok(body.data.some((one: { email: string }) => one.email === email))
  const [mail] = await mailsTo(world, email)
  assert.match(mail?.text ?? '', /member of another team/)
  assert.equal(tokenIn(mail?.text ?? ''), '')
})

test('the first of two teams that invite an address gets the member', async () => {
  const { email, token } = await invite()
  const { id: tenant_id } = await world.otherTenant()
  const other = await browse(world, await insertPerson(world, { tenant_id }))
  await other('POST', PATH, { email, role: 'owner' })
  const second = await mailedToken(world, email)
  assert.equal((await accept(token)).status, 201)
  const late = await accept(second)
  assert.deepEqual([late.status, late.body.code], [409, 'email_taken'])
})

test('a team lists and withdraws its own invitations only', async () => {
  const { invitation } = await invite()
  const { id: tenant_id } = await world.otherTenant()
  const other = await browse(world, await insertPerson(world, { tenant_id }))
  assert.deepEqual((await other('GET', PATH)).body.data, [])
  assert.equal((await other('DELETE', `${PATH}/${invitation.id}`)).status, 404)
})

test('the operator’s team invites to its own roles', async () => {
  const chief = await insertPerson(world, { tenant_id: null, role: 'operator_owner' })
  const call = await browse(world, chief)
  const email = newAddress()
  assert.equal((await call('POST', PATH, { email, role: 'owner' })).status, 400)
  assert.equal((await call('POST', PATH, { email, role: 'operator_support' })).status, 201)
  const accepted = await accept(await mailedToken(world, email))
  const session = await browserOf(world, cookieOf(accepted))('GET', '/portal/v1/session')
  assert.deepEqual([session.body.role, session.body.tenant], ['operator_support', undefined])
})

test('a team has at most 100 open invitations', async () => {
  const { id: tenant_id } = await world.otherTenant()
  const call = await browse(world, await insertPerson(world, { tenant_id }))
  await sql`
    insert into invitations (id, tenant_id, email, role, token_hash, created, expires)
    select gen_random_uuid(), ${tenant_id}::uuid, n || '@many.example', 'viewer',
      sha256(n::text::bytea), now(), now() + interval '1 day'
    from generate_series(1, 100) n`.execute(world.db)
  const { status, body } = await call('POST', PATH, { email: newAddress(), role: 'viewer' })
  assert.deepEqual([status, body.code], [409, 'too_many_invitations'])
})

test('a token is not in the database in clear', async () => {
  const { email, token } = await invite()
  const { rows } = await sql<{ text: string }>`
    select i::text as text from invitations i
    union all select m::text from mails m where to_address = ${email}`.execute(world.db)
  assert.ok(rows.length > 1)
  for (const { text } of rows) {
    assert.ok(!text.includes(token) && !text.includes(Buffer.from(token).toString('hex')))
  }
  assert.equal((await mailsTo(world, email)).length, 1)
})

test('live without a mail server answers the link to who invites', async () => {
  await sql`update tenants set settings = settings || '{"second_factor_required": false}'`.execute(
    live.db,
  )
  const call = await openOwner(live)
  const { status, body } = await call('POST', PATH, { email: newAddress(), role: 'viewer' })
  assert.equal(status, 201)
  assert.ok(body.link.startsWith(`${live.config.public_url}/console/`))
  assert.equal((await accept(tokenIn(body.link), PASSWORD, live)).status, 201)
  const { body: listed } = await call('GET', PATH)
  assert.ok(!JSON.stringify(listed).includes('token'))
})

test('an invitation ends with the membership of who sent it, and that of another stays', async () => {
  const { id: tenant_id } = await world.otherTenant()
  const [first, second] = await Promise.all([
    insertPerson(world, { tenant_id }),
    insertPerson(world, { tenant_id }),
  ])
  const [leaving, staying] = await Promise.all([browse(world, first), browse(world, second)])
  const [from_leaving, from_staying] = [newAddress(), newAddress()]
  await leaving('POST', PATH, { email: from_leaving, role: 'owner' })
  await staying('POST', PATH, { email: from_staying, role: 'owner' })
  const token = await mailedToken(world, from_leaving)
  assert.equal((await staying('DELETE', `/portal/v1/members/${first.id}`)).status, 200)
  const { status, body } = await accept(token)
  assert.deepEqual([status, body.code], [400, 'token_invalid'])
  const { data } = (await staying('GET', PATH)).body
  assert.deepEqual(
    data.map(({ email }: { email: string }) => email),
    [from_staying],
  )
  assert.equal((await accept(await mailedToken(world, from_staying))).status, 201)
})

test('an invitation ends where its sender gets a role that may not invite', async () => {
  const { id: tenant_id } = await world.otherTenant()
  const [first, second] = await Promise.all([
    insertPerson(world, { tenant_id }),
    insertPerson(world, { tenant_id }),
  ])
  const [call, other] = await Promise.all([browse(world, first), browse(world, second)])
  const email = newAddress()
  await call('POST', PATH, { email, role: 'owner' })
  const token = await mailedToken(world, email)
  await other('PUT', `/portal/v1/members/${first.id}`, { role: 'developer' })
  assert.equal((await accept(token)).body.code, 'token_invalid')
  assert.deepEqual((await other('GET', PATH)).body.data, [])
})

test('who was removed at another process invites nobody while a session of it is still known', async () => {
  const { id: tenant_id } = await world.otherTenant()
  const person = await insertPerson(world, { tenant_id })
  const call = await browse(world, person)
  assert.equal((await call('GET', PATH)).status, 200)
  // As another process does it, whose notification is still on its way.
  await world.db.deleteFrom('people').where('id', '=', person.id).execute()
  const { status } = await call('POST', PATH, { email: newAddress(), role: 'owner' })
  assert.equal(status, 401)
})

test('who lost the role at another process invites nobody either', async () => {
  const { id: tenant_id } = await world.otherTenant()
  const person = await insertPerson(world, { tenant_id })
  const call = await browse(world, person)
  assert.equal((await call('GET', PATH)).status, 200)
  await world.db
    .updateTable('memberships')
    .set({ role: 'viewer' })
    .where('person_id', '=', person.id)
    .execute()
  const { status, body } = await call('POST', PATH, { email: newAddress(), role: 'owner' })
  assert.deepEqual([status, body.code], [403, 'permission_missing'])
})
