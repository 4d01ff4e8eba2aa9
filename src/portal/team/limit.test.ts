/** Invitations of one team and of one address of the network, over two processes (D-939). */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { PROFILES } from '#src/program/modes/profiles.ts'
import { memberWith, openBrowser, someEmail } from '#test/support/portal/browser.ts'
import { openSecondProcess } from '#test/support/portal/second_process.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld({
  env: {
    MODE: 'live',
    MASTER_KEY: randomBytes(32).toString('hex'),
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'cards@bank.example',
  },
})
after(() => world[Symbol.asyncDispose]())
const second = await openSecondProcess(world)
after(() => second[Symbol.asyncDispose]())
const PATH = '/portal/v1/invitations'
const most = PROFILES.live.invitations_most

/** The owner of a team of its own, at either process. */
async function openOwner() {
  const { id } = await world.otherTenant({ second_factor_required: false })
  const { email: own, browser } = await memberWith(world, 'owner', id)
  const at = (number: number, from: string) =>
    Object.assign(openBrowser(number % 2 === 0 ? world : second, from), { cookie: browser.cookie })
  return {
    own,
    invite: (number: number, from: string, email = someEmail(), headers = {}) =>
      at(number, from).ask('POST', PATH, { email, role: 'viewer' }, headers),
    withdraw: (number: number, id: string) => at(number, '10.5.5.5').ask('DELETE', `${PATH}/${id}`),
  }
}

const countMails = async () => (await world.db.selectFrom('mails').select('id').execute()).length
const setCounted = async (failed: Date[]) => {
  await world.db.updateTable('sign_in_failures').set({ failed }).execute()
}

test('a team that invites and withdraws in a loop sends as many mails as it may', async () => {
  const { own, invite, withdraw } = await openOwner()
  for (let at = 3; at < most; at++) {
    const { status, body } = await invite(at, `2001:db8:0:${at}::1`)
    assert.equal(status, 201)
    assert.equal((await withdraw(at, body.id)).status, 204)
  }
  const known = await invite(0, '2001:db8:1::1', own)
  assert.deepEqual([known.status, known.body.code], [409, 'email_taken'], 'one that fails counts')
  const last = [0, 1, 2, 3, 4].map((at) => invite(at, `2001:db8:2:${at}::1`))
  const statuses = (await Promise.all(last)).map(({ status }) => status).sort()
  assert.deepEqual(statuses, [201, 201, 429, 429, 429])
  assert.equal(await countMails(), most - 1)
  const { status, body, headers } = await invite(1, '2001:db8:3::1')
  assert.deepEqual([status, body.code], [429, 'rate_limited'])
  assert.match(body.detail, /send the others later/)
  const wait = Number(headers['retry-after'])
  assert.ok(wait > 0 && wait <= 900, String(wait))
  const other = await openOwner()
  assert.equal((await other.invite(0, '2001:db8:4::1')).status, 201, 'another team')
})

test('invitations that fail count under idempotency keys, too', async () => {
  const { own, invite } = await openOwner()
  assert.equal((await invite(0, '2001:db8:7::1')).status, 201)
  await setCounted(Array.from({ length: most - 2 }, () => new Date()))
  for (const at of [0, 1]) {
    const known = await invite(at, `2001:db8:8:${at}::1`, own, { 'idempotency-key': `own ${at}` })
    assert.deepEqual([known.status, known.body.code], [409, 'email_taken'])
  }
  const headers = { 'idempotency-key': 'another' }
  assert.equal((await invite(0, '2001:db8:9::1', someEmail(), headers)).status, 429)
})

test('an invitation under an idempotency key is answered again, and mailed once', async () => {
  await setCounted([])
  const { invite } = await openOwner()
  const [email, headers] = [someEmail(), { 'idempotency-key': 'once' }]
  const before = await countMails()
  const first = await invite(0, '2001:db8:a::1', email, headers)
  const again = await invite(1, '2001:db8:a::1', email, headers)
  assert.deepEqual([first.status, again.status, again.body.id], [201, 201, first.body.id])
  assert.equal((await countMails()) - before, 1)
})

test('teams of one address of the network share its limit, for 15 minutes', async () => {
  const [one, other] = await Promise.all([openOwner(), openOwner()])
  assert.equal((await one.invite(0, '2001:db8:5::1')).status, 201)
  await setCounted(Array.from({ length: most }, () => new Date()))
  assert.equal((await other.invite(1, '2001:db8:5::2')).status, 429)
  assert.equal((await other.invite(0, '2001:db8:6::1')).status, 201, 'another network')
  await setCounted(Array.from({ length: most }, () => new Date(Date.now() - 16 * 60_000)))
  assert.equal((await other.invite(1, '2001:db8:5::2')).status, 201)
})
