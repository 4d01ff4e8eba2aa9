/** Registrations of one address of the network, over two processes (D-886). */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { PROFILES } from '#src/program/modes/profiles.ts'
import { openBrowser, PASSWORD, someEmail } from '#test/support/portal/browser.ts'
import { openSecondProcess } from '#test/support/portal/second_process.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld({
  env: {
    MODE: 'live',
    MASTER_KEY: randomBytes(32).toString('hex'),
    PORTAL_SIGN_UP: 'open',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'cards@bank.example',
  },
})
after(() => world[Symbol.asyncDispose]())
const second = await openSecondProcess(world)
after(() => second[Symbol.asyncDispose]())
const most = PROFILES.live.sign_ups_most

const register = (at: number, from: string, password = PASSWORD) =>
  openBrowser(at % 2 === 0 ? world : second, from).ask('POST', '/portal/v1/registrations', {
    email: someEmail(),
    organization: 'Palm Bank',
    password,
  })
const countMails = async () => (await world.db.selectFrom('mails').select('id').execute()).length

test('registrations of an address beyond the limit are 429 and send no mail', async () => {
  const from = '2001:db8:5::1'
  for (let at = 2; at < most; at++) assert.equal((await register(at, from)).status, 202)
  const answers = await Promise.all([0, 1, 2, 3, 4, 5].map((at) => register(at, from)))
  const statuses = answers.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [202, 202, 429, 429, 429, 429])
  assert.equal(await countMails(), most)
  const { status, body, headers } = await register(1, '2001:db8:5::2')
  assert.deepEqual([status, body.code], [429, 'rate_limited'])
  const wait = Number(headers['retry-after'])
  assert.ok(wait > 0 && wait <= 900, String(wait))
  assert.equal((await register(0, '2001:db8:6::1')).status, 202, 'another network')
})

test('a registration that is not valid counts, and each for 15 minutes', async () => {
  const from = '192.0.2.7'
  for (let at = 0; at < most; at++) assert.equal((await register(at, from, 'short')).status, 400)
  assert.equal((await register(0, from)).status, 429)
  const early = new Date(Date.now() - 16 * 60_000)
  await world.db
    .updateTable('sign_in_failures')
    .set({ failed: Array.from({ length: most }, () => early) })
    .execute()
  assert.equal((await register(1, from)).status, 202)
})
