/** How codes go out, and what becomes of challenges where they do not (D-1090). */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { after, describe, test } from 'node:test'
import { idOf, MERCHANT, openAsking } from '#test/support/network/challenges.ts'
import { openMailServer } from '#test/support/services/mail_server.ts'
import { openReceiver, until } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'

const mails = await openMailServer()
after(() => mails.close())
const env = { SMTP_URL: `smtp://127.0.0.1:${mails.port}`, MAIL_FROM: 'cards@bank.example' }
const world = await openWorld({ env })
after(() => world[Symbol.asyncDispose]())
const plain = await openWorld()
after(() => plain[Symbol.asyncDispose]())

type Asking = Awaited<ReturnType<typeof openAsking>>
const becomes = (of: Asking, id: string, sending: string) =>
  until(`the sending is ${sending}`, async () => {
    const { body } = await of.call('GET', `/v1/challenges/${id}`)
    return body.sending === sending && body
  })

async function askingBy(settings: object, user: object = {}, on = world) {
  const asking = await openAsking(on, {}, user)
  const { status, text } = await asking.call('PUT', '/v1/tenantsettings', settings)
  assert.equal(status, 200, text)
  return asking
}

describe('the server of the tenant', () => {
  test('that hangs holds no request; its code passes while its answer is missing', async () => {
    const server = await openReceiver()
    const held: ServerResponse[] = []
    server.answer((response) => held.push(response))
    const asking = await askingBy({ challenge_messenger: 'SERVER', challenge_url: server.url })
    const created = await asking.create()
    const id = idOf(created)
    assert.equal(created.body.sending, 'PENDING')
    const { body } = await until('it has the code', () => server.received[0])
    const passed = await asking.act(id, 'answer', { code: body.code })
    assert.equal(passed.body.status, 'PASSED')
    await server.close()
    // It is not known whether the code was passed on.
    await becomes(asking, id, 'UNKNOWN')
  })

  for (const [answer, sending] of [
    [204, 'SENT'],
    [400, 'FAILED'],
    [302, 'UNKNOWN'],
    [503, 'UNKNOWN'],
  ] as const) {
    test(`that answers ${answer} leaves the sending ${sending}, and the challenge open`, async () => {
      const server = await openReceiver()
      server.answer(answer)
      const asking = await askingBy({ challenge_messenger: 'SERVER', challenge_url: server.url })
      const id = idOf(await asking.create())
      const { status } = await becomes(asking, id, sending)
      assert.equal(status, 'PENDING')
      const code = server.received[0]?.body.code
      assert.equal((await asking.act(id, 'answer', { code })).body.status, 'PASSED')
      await server.close()
    })
  }

  test('that is down leaves it UNKNOWN, and the cardholder may approve in the app', async () => {
    const server = await openReceiver()
    await server.close()
    const asking = await askingBy({ challenge_messenger: 'SERVER', challenge_url: server.url })
    const id = idOf(await asking.create())
    await becomes(asking, id, 'UNKNOWN')
    assert.equal((await asking.act(id, 'approve')).body.status, 'PASSED')
  })

  test('400 for the messenger SERVER without a URL, and for one that may not be called', async () => {
    const { call } = await openAsking(world)
    for (const settings of [
      { challenge_messenger: 'SERVER' },
      { challenge_url: 'http://10.0.0.1/codes' },
    ]) {
      const { status, body } = await call('PUT', '/v1/tenantsettings', settings)
      assert.equal(status, 400)
      assert.equal(body.errors[0].path, 'challenge_url')
    }
  })
})

describe('a mail', () => {
  const user = { email: 'layla@example.com' }

  test('has the code, the amount and the merchant, and no code in its subject', async () => {
    const asking = await askingBy({ challenge_messenger: 'MAIL' }, user)
    const id = idOf(await asking.create())
    const { text, to } = await until('it has come', () => mails.mails.at(-1))
    assert.deepEqual(to, [user.email])
    const [, code = ''] = /Your code is (\d{6})\./.exec(text) ?? []
    assert.ok(text.includes(`AED 12.50 to ${MERCHANT.name}`), text)
    assert.match(text, /^Subject: .*: confirm your payment\r?$/m)
    assert.equal((await asking.act(id, 'answer', { code })).body.status, 'PASSED')
    await becomes(asking, id, 'SENT')
  })

  for (const [answer, sending] of [
    [550, 'FAILED'],
    [451, 'UNKNOWN'],
  ] as const) {
    test(`that is rejected with ${answer} leaves the sending ${sending}`, async () => {
      mails.answer = answer
      const asking = await askingBy({ challenge_messenger: 'MAIL' }, user)
      await becomes(asking, idOf(await asking.create()), sending)
      mails.answer = 250
    })
  }

  test('409 for a cardholder without an address, and where no mails are sent', async () => {
    const nowhere = await askingBy({ challenge_messenger: 'MAIL' })
    assert.equal((await nowhere.create()).body.code, 'challenge_unreachable')
    const unsent = await askingBy({ challenge_messenger: 'MAIL' }, user, plain)
    assert.equal((await unsent.create()).body.code, 'challenge_unreachable')
  })
})

test('without a messenger there is no code, and the cardholder decides in the app', async () => {
  const asking = await openAsking(world)
  const created = await asking.create()
  const id = idOf(created)
  assert.deepEqual([created.body.messenger, created.body.sending], ['NONE', 'NONE'])
  const typed = await asking.act(id, 'answer', { code: '000000' })
  assert.deepEqual([typed.status, typed.body.code], [409, 'challenge_without_code'])
  assert.equal((await asking.act(id, 'decline')).body.status, 'DECLINED')
})

test('in live a challenge is passed by mail and in the app, and codes go to public servers only', async () => {
  const MASTER_KEY = randomBytes(32).toString('hex')
  await using live = await openWorld({ env: { ...env, MODE: 'live', MASTER_KEY } })
  const asking = await askingBy(
    { challenge_messenger: 'MAIL' },
    { email: 'omar@example.com' },
    live,
  )
  const mailed = idOf(await asking.create())
  const { text } = await until('it has come', () =>
    mails.mails.find(({ to }) => to.includes('omar@example.com')),
  )
  const [, code = ''] = /Your code is (\d{6})\./.exec(text) ?? []
  assert.equal((await asking.act(mailed, 'answer', { code })).body.status, 'PASSED')
  const approved = idOf(await asking.create())
  assert.equal((await asking.act(approved, 'approve')).body.status, 'PASSED')
  const settings = { challenge_url: 'http://127.0.0.1:9/codes' }
  const refused = await asking.call('PUT', '/v1/tenantsettings', settings)
  assert.deepEqual([refused.status, refused.body.errors[0].path], [400, 'challenge_url'])
})
