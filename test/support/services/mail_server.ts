/** A mail server for tests on loopback: keeps what it accepts, and rejects what a test configures. */

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { certificate } from './certificates.ts'

export type ReceivedMail = { from: string; to: string[]; text: string; isSecure: boolean }

export type TestMailServer = {
  port: number
  mails: ReceivedMail[]
  /** The answer to recipients from now on: an SMTP status, or 250. */
  answer: number
  /** Called when a mail has come, before it is accepted. */
  onMail: () => void
  close: () => Promise<void>
}

type Options = { login?: { user: string; password: string }; startTls?: boolean }

export async function openMailServer({
  login,
  startTls = false,
}: Options = {}): Promise<TestMailServer> {
  const state = { mails: [] as ReceivedMail[], answer: 250, onMail: () => {} }
  const kept: Pick<TestMailServer, 'mails' | 'answer' | 'onMail'> = state
  const server = new SMTPServer({
    authOptional: login === undefined,
    allowInsecureAuth: true,
    logger: false,
    cert: certificate('server.pem'),
    key: certificate('server.key'),
    disabledCommands: startTls ? [] : ['STARTTLS'],
    closeTimeout: 100,
    onAuth: ({ username, password }, _session, done) => {
      const isRight = username === login?.user && password === login?.password
      done(isRight ? null : new Error('wrong login'), { user: username })
    },
    onRcptTo: (_address, _session, done) => done(rejection(kept.answer)),
    onData: async (stream, { envelope, secure }, done) => {
      const chunks = await stream.toArray()
      kept.onMail()
      const { mailFrom, rcptTo } = envelope
      kept.mails.push({
        from: mailFrom === false ? '' : mailFrom.address,
        to: rcptTo.map(({ address }) => address),
        text: Buffer.concat(chunks).toString(),
        isSecure: secure,
      })
      done()
    },
  })
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  return Object.assign(kept, {
    port: (listening.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  })
}

function rejection(status: number): Error | null {
  return status === 250 ? null : Object.assign(new Error('not here'), { responseCode: status })
}
