import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { confirmTotp, startTotp } from '#portal/second_factors/second_factors.ts'
import { type Sent, watchStatements } from '#test/support/inspection/statements.ts'
import { keeper } from '#test/support/keeper.ts'
import {
  browse,
  browserOf,
  codeOf,
  insertPerson,
  mailedToken,
  mailsTo,
} from '#test/support/portal/members.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const PASSWORD = 'seven quiet harbours'
const call = browserOf(world)

const ask = (email: string) => call('POST', '/portal/v1/passwords:reset', { email })
const confirm = (token: string, password = PASSWORD) =>
  call('POST', '/portal/v1/passwords:confirm', { token, password })
const signIn = (email: string, password = PASSWORD) =>
  call('POST', '/portal/v1/sessions', { email, password })

/** Without the last uses of keys and sessions, which are written now and then. */
const ofRequest = ({ texts }: Sent): string[] =>
  texts.filter((text) => !text.includes('set last_used'))

async function asked() {
  const person = await insertPerson(world)
  assert.equal((await ask(person.email)).status, 202)
  return { ...person, token: await mailedToken(world, person.email) }
}

test('a link sets a new password, which signs in', async () => {
  const { email, token } = await asked()
  assert.equal((await confirm(token)).status, 200)
  assert.equal((await signIn(email)).status, 201)
  assert.equal((await signIn(email, 'another long password')).status, 401)
  const [newest] = await mailsTo(world, email)
  assert.equal(newest?.subject, 'Your password was changed')
})

test('the change is in the audit log, under the person', async () => {
  const { id, token } = await asked()
  await confirm(token)
  const path = `/v1/operator/audit?actor_id=${id}&tenant_id=${world.tenant.id}`
  const { body } = await world.request('GET', path, undefined, { key: world.operator_key })
  const records = body.data.map((record: { operation: string; actor: { kind: string } }) => [
    record.operation,
    record.actor.kind,
  ])
  assert.deepEqual(records, [['confirmPasswordReset', 'member']])
})

test('every session of the person ends with the password before', async () => {
  const { token, ...person } = await asked()
  const theirs = await browse(world, person)
  assert.equal((await theirs('GET', '/portal/v1/session')).status, 200)
  await confirm(token)
  assert.equal((await theirs('GET', '/portal/v1/session')).status, 401)
})

test('a link is valid once, also for requests that come at one time', async () => {
  const { email, token } = await asked()
  const passwords = Array.from({ length: 4 }, (_, at) => `${PASSWORD} ${at}`)
  const answers = await Promise.all(passwords.map((password) => confirm(token, password)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400])
  assert.equal((await confirm(token)).body.code, 'token_invalid')
  const signIns = await Promise.all(passwords.map((password) => signIn(email, password)))
  assert.equal(signIns.filter(({ status }) => status === 201).length, 1)
})

test('every other link ends with the password before', async () => {
  const { email, token } = await asked()
  await ask(email)
  const second = await mailedToken(world, email)
  assert.equal((await confirm(second)).status, 200)
  assert.equal((await confirm(token)).body.code, 'token_invalid')
})

test('a link ends after 30 minutes', async () => {
  const { token } = await asked()
  const { rows } = await sql<{ minutes: number }>`
    select extract(epoch from expires - created)::int / 60 as minutes from portal_tokens
    where kind = 'RESET' order by created desc limit 1`.execute(world.db)
  assert.equal(rows[0]?.minutes, 30)
  await sql`update portal_tokens set expires = created where kind = 'RESET'`.execute(world.db)
  assert.equal((await confirm(token)).body.code, 'token_invalid')
})

test('a password that is not accepted leaves the link valid', async () => {
  const { email, token } = await asked()
  for (const password of ['short', email.toUpperCase()]) {
    const { status, body } = await confirm(token, password)
    assert.deepEqual([status, body.errors[0].path], [400, 'password'])
  }
  assert.equal((await confirm(token)).status, 200)
})

test('an unknown address gets the same answer, and no mail', async () => {
  const { email } = await insertPerson(world)
  const [known, unknown] = [await ask(email), await ask('nobody@unknown.example')]
  assert.deepEqual([unknown.status, unknown.text], [known.status, known.text])
  assert.equal((await mailsTo(world, 'nobody@unknown.example')).length, 0)
})

test('a known address costs no other statement than an unknown one', async () => {
  const { email } = await insertPerson(world)
  using statements = watchStatements(world.url)
  await ask(email)
  const known = ofRequest(statements.take())
  await ask('nobody@elsewhere.example')
  assert.deepEqual(ofRequest(statements.take()), known)
})

test('an address is asked for in any case, and gets five mails at most', async () => {
  const { email } = await insertPerson(world)
  for (let asked = 0; asked < 7; asked += 1) {
    assert.equal((await ask(` ${email.toUpperCase()} `)).status, 202)
  }
  assert.equal((await mailsTo(world, email)).length, 5)
})

test('a challenge, or an invitation, is no link for a password', async () => {
  const token = randomBytes(32).toString('base64url')
  const { id } = await insertPerson(world)
  await sql`
    insert into portal_tokens (token_hash, kind, data, created, expires)
    select sha256(${token}::bytea), 'CHALLENGE', ${JSON.stringify({ person_id: id })}::jsonb,
      now(), now() + interval '1 hour'`.execute(world.db)
  assert.equal((await confirm(token)).body.code, 'token_invalid')
})

test('a second factor stays what it was', async () => {
  const { token, ...person } = await asked()
  const ctx = await world.ctx()
  const body = await startTotp(ctx, person.id, 'Bank')
  await confirmTotp(ctx, person.id, await codeOf(world, body.secret))
  await confirm(token)
  const first = await signIn(person.email)
  assert.equal(first.status, 202)
  const code = await codeOf(world, body.secret, 1)
  const { challenge } = first.body
  const second = await call('POST', '/portal/v1/sessions:verify', { challenge, code })
  assert.equal(second.status, 201)
})
