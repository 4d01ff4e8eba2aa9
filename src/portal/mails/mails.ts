/**
 * Public functions of mails (D-142, D-580): they are written in the transaction of their cause and
 * sent after its commit. Their content is sealed, since the link in it is a secret.
 */

import type { Context, Tx } from '#kit/context.ts'
import { listPage } from '#kit/http/lists.ts'
import type { ListQuery } from '#kit/http/schema.ts'
import type { SealedColumn } from '#kit/keys/sealed_columns.ts'
import type { Profile } from '#kit/profile.ts'
import { newId } from '#lib/id.ts'
import type { Page } from '#lib/paging.ts'
import type { Mailer } from './provider.ts'
import { TERMS } from './rules.ts'
import type { KeptMail } from './schema.ts'
import { insertMail, listMailRows, lockMails, type MailRow } from './store.ts'
import { type Message, renderMail } from './templates/layout.ts'

declare module '#kit/profile.ts' {
  interface Profile {
    /** Mails that are not sent are kept for the operator to read (D-142). */
    readonly keeps_mails: boolean
  }
}

export type { Message } from './templates/layout.ts'
export * as templates from './templates/templates.ts'

/** Wakes what sends them. */
export const MAILS = 'mails'

/** A mail that is not sent is kept for so long (D-142). */
const KEPT_MS = TERMS.kept_mail_days * 24 * 60 * 60_000

/** How this deployment treats mails: sends them, keeps them for the operator, or has none. */
export type Outbox = Readonly<{
  goes: 'SENT' | 'KEPT' | 'NOWHERE'
  /** The name under each mail. */
  sender: string
}>

/** The targets of links in mails, and the way in which mails leave. */
export type Mailing = Readonly<{
  outbox: Outbox
  linkTo: (page: 'confirm' | 'invitation' | 'reset', token: string) => string
}>

export function outboxOf(
  { keeps_mails }: Pick<Profile, 'keeps_mails'>,
  mailer: Mailer | undefined,
  sender: string,
): Outbox {
  return { goes: mailer ? 'SENT' : keeps_mails ? 'KEPT' : 'NOWHERE', sender }
}

type NewMail = {
  to: string
  message: Message
  /** How long its link is valid: after it no attempt is made. */
  valid_ms: number
  /** False: does the same work, and writes no mail (D-135). */
  is_needed?: boolean
  /** False: it comes however many of its subject there were before. */
  is_capped?: boolean
}

/**
 * Writes a mail in the transaction of its cause; it is sent after the commit. False if it will not
 * arrive: the deployment has no mails, or the address had five of the subject within 15 minutes.
 */
export async function queueMail(tx: Tx, outbox: Outbox, mail: NewMail): Promise<boolean> {
  const { goes, sender } = outbox
  if (goes === 'NOWHERE') return false
  const { subject, ...content } = renderMail(mail.message, sender)
  const id = newId()
  const isSent = goes === 'SENT'
  const to_address = mail.to.toLowerCase()
  const is_capped = mail.is_capped ?? true
  if (is_capped) await lockMails(tx, { to_address, subject })
  const isQueued = await insertMail(tx, {
    id,
    subject,
    to_address,
    is_capped,
    sealed_content: tx.keys.seal('secrets', Buffer.from(JSON.stringify(content)), bindOf({ id })),
    valid_ms: isSent ? mail.valid_ms : KEPT_MS,
    is_sent: isSent,
    is_needed: mail.is_needed ?? true,
  })
  if (isQueued && isSent) tx.afterCommit(() => tx.notify(MAILS))
  return isQueued
}

/** The mails that were not sent, newest first; to one address if `to` is given. */
export async function listMails(
  ctx: Context,
  query: ListQuery & { to?: string },
): Promise<Page<KeptMail>> {
  const page = await listPage('mails', query, (range) => listMailRows(ctx, query.to, range))
  return { ...page, data: page.data.map((row) => keptMail(ctx, row)) }
}

export function keptMail(ctx: Pick<Context, 'keys'>, row: MailRow): KeptMail {
  const { id, to_address: to, subject, created } = row
  return { id, to, subject, ...openContent(ctx, row), created }
}

function openContent({ keys }: Pick<Context, 'keys'>, { id, sealed_content }: MailRow) {
  if (sealed_content === null) throw new Error('the content of a mail was forgotten')
  const opened = keys.open('secrets', sealed_content, bindOf({ id })).toString()
  // The text that `queueMail` sealed.
  return JSON.parse(opened) as { text: string; html: string }
}

const bindOf = ({ id }: { id: string }) => `mail:${id}`

/** The columns for the rotation of keys. */
export const sealedInMails: SealedColumn = {
  purpose: 'secrets',
  table: 'mails',
  column: 'sealed_content',
  by: { id: 'uuid' },
  bind: bindOf,
}
