/** Requests for a new password of one address of the network, over two processes (D-922). */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { PROFILES } from '#src/program/modes/profiles.ts'
import { openBrowser, someEmail } from '#test/support/portal/browser.ts'
import { insertPerson } from '#test/support/portal/members.ts'
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
const most = PROFILES.live.resets_most

const ask = (at: number, from: string, email: string) =>
  openBrowser(at % 2 === 0 ? world : second, from).ask('POST', '/portal/v1/passwords:reset', {
    email,
  })
const countMails = async () => (await world.db.selectFrom('mails').select('id').execute()).length

test('requests of an address beyond the limit are answered alike and send no mail', async () => {
  const from = '2001:db8:7::1'
  const first = await ask(0, from, someEmail())
  for (let at = 3; at < most; at++) assert.equal((await ask(at, from, someEmail())).status, 202)
  const people = await Promise.all(Array.from({ length: 6 }, () => insertPerson(world)))
  const answers = await Promise.all(people.map(({ email }, at) => ask(at, from, email)))
  for (const { status, text } of answers) assert.deepEqual([status, text], [202, first.text])
  assert.equal(await countMails(), 2)

  const [{ email } = { email: '' }] = people
  const { status, text } = await ask(1, '2001:db8:7::2', email)
  assert.deepEqual([status, text], [202, first.text])
  assert.equal(await countMails(), 2, 'another address of the same network')
  const { email: other } = await insertPerson(world)
  assert.equal((await ask(1, '2001:db8:8::1', other)).status, 202)
  assert.equal(await countMails(), 3, 'another network')
})

test('each request counts for 15 minutes', async () => {
  const from = '192.0.2.8'
  for (let at = 0; at < most; at++) await ask(at, from, someEmail())
  const before = await countMails()
  const { email } = await insertPerson(world)
  await ask(0, from, email)
  assert.equal(await countMails(), before)
  const early = new Date(Date.now() - 16 * 60_000)
  await world.db
    .updateTable('sign_in_failures')
    .set({ failed: Array.from({ length: most }, () => early) })
    .execute()
  await ask(1, from, email)
  assert.equal(await countMails(), before + 1)
})
