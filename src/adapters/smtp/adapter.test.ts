import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { MailFailure } from '#portal/mails/provider.ts'
import { keeper } from '#test/support/keeper.ts'
import { openMailServer } from '#test/support/services/mail_server.ts'
import { readAdapters, register } from '../adapter.ts'
import { smtp } from './adapter.ts'

const keep = keeper()
const FROM = 'Cards <cards@bank.example>'

function mailerOf(env: Record<string, string>) {
  const faults: string[] = []
  const [adapter] = readAdapters([register(smtp)], env, { faults, live: false })
  return { mailer: adapter?.open().mailer ?? assert.fail(faults.join()), adapter }
}

function faultsOf(env: Record<string, string>): string[] {
  const faults: string[] = []
  assert.deepEqual(readAdapters([register(smtp)], env, { faults, live: false }), [])
  return faults
}

const mail = {
  id: '0190aaaa-0000-7000-8000-000000000000',
  to: 'ann@shop.example',
  subject: 'Grüße',
  text: 'A sentence.\n',
  html: '<p>A sentence.</p>\n',
}

test('a mail has its sender, its recipient, both forms and the id that it keeps', async () => {
  const server = keep(await openMailServer())
  const { mailer } = mailerOf({ SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: FROM })
  await mailer(mail)
  await mailer(mail)
  const [first, second] = server.mails
  assert.deepEqual([first?.from, first?.to], ['cards@bank.example', ['ann@shop.example']])
  assert.match(first?.text ?? '', /^From: Cards <cards@bank\.example>\r?$/m)
  assert.match(first?.text ?? '', /^Auto-Submitted: auto-generated\r?$/m)
  assert.match(
    first?.text ?? '',
    /text\/plain[\s\S]*A sentence\.[\s\S]*text\/html[\s\S]*<p>A sentence\./,
  )
  const idOf = (text = '') => /^Message-ID: (.*)$/im.exec(text)?.[1]
  assert.match(idOf(first?.text) ?? '', new RegExp(`<${mail.id}@bank\\.example>`))
  assert.equal(idOf(second?.text), idOf(first?.text))
})

test('the login of SMTP_URL is used, with special characters as %-codes', async () => {
  const login = { user: 'bank@example', password: 'p:/@ss' }
  const server = keep(await openMailServer({ login }))
  const env = (password: string) => ({
    SMTP_URL: `smtp://bank%40example:${encodeURIComponent(password)}@127.0.0.1:${server.port}`,
    MAIL_FROM: FROM,
  })
  const { mailer, adapter } = mailerOf(env(login.password))
  assert.ok(!inspect(adapter, { depth: null }).includes(login.password))
  await mailer(mail)
  assert.equal(server.mails.length, 1)
  await assert.rejects(mailerOf(env('wrong-password')).mailer(mail), (error) => {
    assert.ok(error instanceof MailFailure && !error.permanent)
    assert.ok(!inspect(error).includes('wrong-password'))
    return true
  })
})

test('a recipient that is rejected with 5xx is rejected for ever, one with 4xx is not', async () => {
  const server = keep(await openMailServer())
  const { mailer } = mailerOf({ SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: FROM })
  for (const [answer, permanent] of [
    [550, true],
    [451, false],
  ] as const) {
    server.answer = answer
    await assert.rejects(mailer(mail), (error) => {
      assert.ok(error instanceof MailFailure)
      assert.equal(error.permanent, permanent)
      assert.ok(!inspect(error).includes('ann@shop.example'), 'the address is not in the log')
      return true
    })
  }
})

test('a server that cannot be reached is a failure that may pass', async () => {
  const server = await openMailServer()
  await server.close()
  const { mailer } = mailerOf({ SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: FROM })
  await assert.rejects(mailer(mail), { name: 'MailFailure', permanent: false })
})

test('in live a server of another host must have TLS', () => {
  const settingsFor = (SMTP_URL: string, live: boolean) =>
    smtp.settingsOf({ SMTP_URL, MAIL_FROM: FROM }, { live, faults: [] })
  assert.equal(settingsFor('smtp://mail.example', true)?.requires_tls, true)
  assert.equal(settingsFor('smtp://mail.example', false)?.requires_tls, false)
  assert.equal(settingsFor('smtp://127.0.0.1', true)?.requires_tls, false)
  assert.deepEqual(
    ['smtp://mail.example', 'smtps://mail.example', 'smtp://[::1]:2525'].map((url) => {
      const { host, port, secure } = settingsFor(url, true) ?? assert.fail()
      return [host, port, secure]
    }),
    [
      ['mail.example', 587, false],
      ['mail.example', 465, true],
      ['::1', 2525, false],
    ],
  )
})

test('what cannot be used names the variable and the remedy, and no secret', () => {
  const server = 'smtp://mail.example'
  const [onlyServer] = faultsOf({ SMTP_URL: server })
  assert.match(onlyServer ?? '', /^SMTP_URL is set and MAIL_FROM is not/)
  const [onlySender] = faultsOf({ MAIL_FROM: FROM })
  assert.match(onlySender ?? '', /^MAIL_FROM is set and SMTP_URL is not/)
  for (const url of [
    'http://mail.example',
    'smtp://',
    'smtp://hidden@mail.example',
    'smtp://user:hidden@mail.example/path',
    'smtp://user:hidden@mail.example?x=1',
    'smtp://user:%E0%A4%A@mail.example',
  ]) {
    const [fault = ''] = faultsOf({ SMTP_URL: url })
    assert.match(fault, /^SMTP_URL must be an address of a mail server: /, url)
    assert.ok(!fault.includes('hidden'))
  }
  for (const from of ['cards', 'Cards <cards>', 'a@b.example, c@d.example', '<a@b.example>']) {
    const [fault = ''] = faultsOf({ SMTP_URL: '', MAIL_FROM: from })
    assert.match(fault, /^MAIL_FROM must be an address, as cards@example.com/, from)
  }
})
