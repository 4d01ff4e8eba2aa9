/** The server that takes the mails of the portal, and the address that they come from (D-142). */

import { type Static, Type } from 'typebox'
import { Shaped } from '#kit/settings/kinds.ts'
import { isLoopback } from '#kit/settings/shapes.ts'
import { Secret } from '#lib/secret.ts'
import type { Deployment } from '../adapter.ts'

export type SmtpSettings = Readonly<{
  host: string
  port: number
  /** TLS from the first byte; otherwise STARTTLS if the server has it. */
  secure: boolean
  /** A server without STARTTLS gets no mail. */
  requires_tls: boolean
  login: Readonly<{ user: string; password: Secret }> | null
  /** The sender, in the form of the header From. */
  from: string
}>

/**
 * The ports of a submission without TLS at first (RFC 6409), and with TLS from the start (RFC
 * 8314).
 */
const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 }
const ADDRESS = /^[^\s@<>"]{1,64}@[^\s@<>"]{1,190}$/
const NAMED = /^[^<>"\r\n]{1,100}<([^<>]+)>$/

function isServer(text: string): boolean {
  const url = URL.parse(text)
  if (!url || PORTS[url.protocol] === undefined || url.hostname === '') return false
  const isBare = url.search === '' && url.hash === '' && /^\/?$/.test(url.pathname)
  return isBare && (url.username === '') === (url.password === '') && isDecodable(url)
}

function isDecodable({ username, password }: URL): boolean {
  try {
    return decodeURIComponent(username + password).isWellFormed()
  } catch {
    return false
  }
}

/** An address, or a name and an address in angle brackets. */
const isSender = (text: string): boolean => ADDRESS.test(NAMED.exec(text)?.[1] ?? text)

export const variables = Type.Object({
  SMTP_URL: Shaped(isServer, {
    description: 'an address of a mail server',
    remedy:
      'write smtp://user:password@host:587 or smtps://user:password@host:465 (a special ' +
      'character of the password as %-code), or leave it out',
    writeOnly: true,
    inFile: true,
  }),
  MAIL_FROM: Shaped(isSender, {
    description: 'an address, as cards@example.com or Cards <cards@example.com>',
    remedy: 'change it',
  }),
})

/** Undefined without SMTP_URL. In live no mail leaves this machine without TLS. */
export function settingsOf(
  { SMTP_URL, MAIL_FROM }: Static<typeof variables>,
  { live, faults }: Deployment,
): SmtpSettings | undefined {
  if (SMTP_URL === undefined && MAIL_FROM === undefined) return undefined
  if (SMTP_URL === undefined || MAIL_FROM === undefined) {
    const [set, missing] = SMTP_URL ? ['SMTP_URL', 'MAIL_FROM'] : ['MAIL_FROM', 'SMTP_URL']
    faults.push(`${set} is set and ${missing} is not: set both, or leave both out`)
    return undefined
  }
  const url = URL.parse(SMTP_URL)
  if (!url) return undefined
  const { protocol, hostname, port, username, password } = url
  const host = hostname.replace(/^\[|\]$/g, '')
  return Object.freeze({
    host,
    port: port === '' ? (PORTS[protocol] ?? 0) : Number(port),
    secure: protocol === 'smtps:',
    requires_tls: live && !isLoopback(host),
    login:
      username === ''
        ? null
        : Object.freeze({
            user: decodeURIComponent(username),
            password: new Secret(decodeURIComponent(password)),
          }),
    from: MAIL_FROM,
  })
}
