/** Mails by SMTP, to the server of SMTP_URL (D-142). */

import { type Mail, type Mailer, MailFailure } from '#portal/mails/provider.ts'
import type { Adapter } from '../adapter.ts'
import { type SmtpSettings, settingsOf, variables } from './settings.ts'

/** The time limits of the connection, and of each answer of the server. */
const CONNECT_MS = 10_000
const SILENCE_MS = 20_000
/** The time limit of a mail in all, which the lease of its sender covers. */
const MAIL_MS = 60_000

export const smtp: Adapter<typeof variables, SmtpSettings> = {
  name: 'smtp',
  provides: ['mailer'],
  variables,
  settingsOf,
  open: (settings) => ({ mailer: smtpMailer(settings) }),
}

/** One connection for each mail: they are few. The library is loaded with the first. */
function smtpMailer({ host, port, secure, requires_tls, login, from }: SmtpSettings): Mailer {
  const transport = async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      host,
      port,
      secure,
      requireTLS: requires_tls,
      ...(login && { auth: { user: login.user, pass: login.password.reveal() } }),
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }
  return async (mail) => {
    const opened = await transport()
    try {
      await opened.sendMail({ ...headersOf(mail, from), signal: AbortSignal.timeout(MAIL_MS) })
    } catch (error) {
      throw failureOf(error)
    }
  }
}

/** The id makes a mail that comes twice recognizable; nobody is to answer it automatically. */
function headersOf({ id, to, subject, text, html }: Mail, from: string) {
  const domain = /@([^\s@<>]+)>?$/.exec(from)?.[1] ?? 'localhost'
  return {
    from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId: `<${id}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

/** The commands that are about this mail alone. A rejected sender or login is the operator's. */
const OF_THE_MAIL: readonly unknown[] = ['RCPT TO', 'DATA']

/** 5xx to the mail itself is for ever; all else may pass. */
function failureOf(error: unknown): MailFailure {
  const { code, command, responseCode } = Object(error) as Record<string, unknown>
  const status = typeof responseCode === 'number' ? responseCode : 0
  const reason = typeof code === 'string' ? code : 'unknown'
  const answered = status === 0 ? '' : ` with ${status}`
  const permanent = status >= 500 && OF_THE_MAIL.includes(command)
  return new MailFailure(`the mail server failed${answered} (${reason})`, permanent)
}
