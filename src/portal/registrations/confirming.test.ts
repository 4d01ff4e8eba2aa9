import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { keptMail } from '#portal/mails/mails.ts'
import { type Sent, watchStatements } from '#test/support/inspection/statements.ts'
import { keeper } from '#test/support/keeper.ts'
import { browserOf, cookieOf, insertPerson, tokenIn } from '#test/support/portal/members.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(
  await openWorld({
    env: {
      MODE: 'live',
      MASTER_KEY: randomBytes(32).toString('hex'),
      PORTAL_SIGN_UP: 'open',
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'cards@bank.example',
    },
  }),
)
const call = browserOf(world)
const password = 'seven quiet harbours'

let addresses = 0
const newAddress = () => `layla-${++addresses}@palm.example`
const register = (email: string) =>
  call('POST', '/portal/v1/registrations', { email, password, organization: 'Palm Bank' })
const confirm = (token: string) => call('POST', '/portal/v1/registrations:confirm', { token })

/** The mails that wait to be sent to an address, newest first. */
async function mailsFor(email: string) {
  const rows = await world.db
    .selectFrom('mails')
    .selectAll()
    .where('to_address', '=', email)
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => keptMail(world.services, row))
}

/** Without the last uses of keys and sessions, which are written now and then. */
const ofRequest = ({ texts }: Sent): string[] =>
  texts.filter((text) => !text.includes('set last_used'))

async function registered() {
  const email = newAddress()
  const answer = await register(email)
  assert.deepEqual([answer.status, answer.body], [202, {}])
  const [mail] = await mailsFor(email)
  return { email, token: tokenIn(mail?.text ?? '') }
}

test('a registration in live takes effect once its address is confirmed', async () => {
  const { email, token } = await registered()
  const early = await call('POST', '/portal/v1/sessions', { email, password })
  assert.equal(early.status, 401)
  const confirmed = await confirm(token)
  assert.equal(confirmed.status, 201)
  const { member, tenant, api_key } = confirmed.body
  assert.deepEqual([member.email, member.role, tenant.name], [email, 'owner', 'Palm Bank'])
  const session = await browserOf(world, cookieOf(confirmed))('GET', '/portal/v1/session')
  assert.equal(session.body.tenant.id, tenant.id)
  const byKey = await world.request('GET', '/v1/tenantsettings', undefined, { key: api_key })
  assert.equal(byKey.status, 200)
  assert.equal((await call('POST', '/portal/v1/sessions', { email, password })).status, 201)
})

test('a link is valid once, also for requests that come at one time', async () => {
  const { email, token } = await registered()
  const answers = await Promise.all(Array.from({ length: 4 }, () => confirm(token)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400, 400])
  const again = await confirm(token)
  assert.deepEqual([again.status, again.body.code], [400, 'token_invalid'])
  const rows = await world.db.selectFrom('people').select('id').where('email', '=', email).execute()
  assert.equal(rows.length, 1)
})

test('a known address gets the same answer, and a mail that has no link', async () => {
  const { email } = await insertPerson(world)
  const [known, unknown] = [await register(email), await register(newAddress())]
  assert.deepEqual([known.status, known.text], [unknown.status, unknown.text])
  const [mail] = await mailsFor(email)
  assert.equal(mail?.subject, 'You have an account already')
  assert.equal(tokenIn(mail?.text ?? ''), '')
})

test('a known address costs no other statement than an unknown one', async () => {
  const { email } = await insertPerson(world)
  using statements = watchStatements(world.url)
  await register(email)
  const known = ofRequest(statements.take())
  await register(newAddress())
  assert.deepEqual(ofRequest(statements.take()), known)
})

test('of two registrations of an address the one that is confirmed first is made', async () => {
  const { email, token } = await registered()
  await register(email)
  const [mail] = await mailsFor(email)
  assert.equal((await confirm(tokenIn(mail?.text ?? ''))).status, 201)
  const late = await confirm(token)
  assert.deepEqual([late.status, late.body.code], [409, 'email_taken'])
})

test('a link ends after 24 hours', async () => {
  const { token } = await registered()
  const { rows } = await sql<{ hours: number }>`
    select extract(epoch from expires - created)::int / 3600 as hours from portal_tokens
    where kind = 'CONFIRM' order by created desc limit 1`.execute(world.db)
  assert.equal(rows[0]?.hours, 24)
  await sql`update portal_tokens set expires = created where kind = 'CONFIRM'`.execute(world.db)
  assert.equal((await confirm(token)).body.code, 'token_invalid')
  assert.equal((await confirm('x'.repeat(43))).body.code, 'token_invalid')
})

test('a password that is not accepted is 400 before anything else', async () => {
  const email = newAddress()
  const body = { email, password: 'short', organization: 'Palm Bank' }
  const { status, body: problem } = await call('POST', '/portal/v1/registrations', body)
  assert.deepEqual([status, problem.errors[0].path], [400, 'password'])
  assert.equal((await mailsFor(email)).length, 0)
})

test('where sign-up is closed, a link that was sent is not accepted either', async () => {
  const MASTER_KEY = randomBytes(32).toString('hex')
  await using closed = await openWorld({ env: { MODE: 'live', MASTER_KEY } })
  const path = '/portal/v1/registrations:confirm'
  const { status, body } = await browserOf(closed)('POST', path, { token: 'x'.repeat(43) })
  assert.deepEqual([status, body.code], [403, 'sign_up_closed'])
})
