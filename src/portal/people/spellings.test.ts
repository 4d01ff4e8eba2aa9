/** One mailbox is one person, and has one limit of mails, however it is written (D-976). */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { openBrowser, PASSWORD, signUp } from '#test/support/portal/browser.ts'
import { browserOf, mailsTo } from '#test/support/portal/members.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const call = browserOf(world)
const register = (email: string) =>
  call('POST', '/portal/v1/registrations', { email, password: PASSWORD, organization: 'Palm' })

/** How people and attackers write it. */
const spellings = (email: string): string[] => [
  email.toUpperCase(),
  `\u200e${email}\u200f`,
  `\u2068${email}\u2069 `,
  email.replace('@', '＠'),
  email.replace('.example', '。EXAMPLE'),
]

test('a spelling of a known address is no other person, and signs in as the one', async () => {
  const { email } = await signUp(world)
  for (const spelling of spellings(email)) {
    assert.equal((await register(spelling)).body.code, 'email_taken', JSON.stringify(spelling))
    const body = { email: spelling, password: PASSWORD }
    const signedIn = await openBrowser(world).ask('POST', '/portal/v1/sessions', body)
    assert.deepEqual([signedIn.status, signedIn.body.member?.email], [201, email])
  }
  for (const other of [`<${email}>`, email.replace('.example', '\u200b.example'), `"${email}`]) {
    const { status, body } = await register(other)
    assert.deepEqual([status, body.errors?.[0].path], [400, 'email'], JSON.stringify(other))
  }
})

test('a domain in Unicode and its A-labels are one', async () => {
  const name = randomUUID()
  assert.equal((await register(`${name}@BÜCHER.example`)).status, 201)
  assert.equal((await register(`${name}@xn--bcher-kva.example`)).body.code, 'email_taken')
})

test('the spellings of an address share the limit of its mails', async () => {
  const { email } = await signUp(world)
  for (const spelling of [...spellings(email), ...spellings(email)]) {
    const { status } = await call('POST', '/portal/v1/passwords:reset', { email: spelling })
    assert.equal(status, 202)
  }
  assert.equal((await mailsTo(world, email)).length, 5)
})
