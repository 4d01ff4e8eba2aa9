/**
 * Sends mails after the commit that wrote them (D-580): without locks, and again until another
 * server has them or their link has ended. A process that ends in between sends one twice, under
 * the same id.
 */

import type { Context } from '#kit/context.ts'
import { FIRST_ID } from '#kit/jobs/due_tenants.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'
import type { Log } from '#kit/log.ts'
import { doubledWait } from '#lib/time.ts'
import { keptMail, MAILS } from './mails.ts'
import { type Mailer, MailFailure } from './provider.ts'
import {
  claimDueMails,
  deleteExpiredMails,
  hasDueMails,
  type MailRow,
  updateMailDone,
  updateMailDue,
} from './store.ts'

/** Sent at one time. */
const PORTION = 5
/** Longer than a Mailer takes; after it another process takes over. */
const LEASE_MS = 2 * 60_000
const RETRY_FIRST_MS = 5_000
const RETRY_LAST_MS = 30 * 60_000
const DELETED_AT_ONCE = 500

/** The pace of looks for mails that other processes queue, and for those that are sent again. */
const LOOK_MS = 5_000

/** Without a mailer mails are only deleted. */
type Sender = { mailer?: Mailer | undefined; log: Log }

/** Mails belong to no tenant: the sweep has one turn, that of the first id. */
export function mailSweep(sender: Sender): Sweep {
  return {
    name: 'mails',
    channel: MAILS,
    realTime: true,
    every_ms: LOOK_MS,
    dueTenants: async (db, from) =>
      from === FIRST_ID && (await hasDueMails(db)) ? [FIRST_ID] : [],
    run: (ctx) => sendPortion(ctx, sender),
  }
}

async function sendPortion(ctx: Context, { mailer, log }: Sender): Promise<{ more: boolean }> {
  const deleted = await deleteExpiredMails(ctx, DELETED_AT_ONCE)
  const sent = mailer ? await sendDue(ctx, { mailer, log }) : 0
  return { more: sent === PORTION || deleted === DELETED_AT_ONCE }
}

type Ready = { mailer: Mailer; log: Log }

async function sendDue(ctx: Context, ready: Ready): Promise<number> {
  const mails = await claimDueMails(ctx, LEASE_MS, PORTION)
  await Promise.all(mails.map((row) => send(ctx, ready, row)))
  return mails.length
}

async function send(ctx: Context, { mailer, log }: Ready, row: MailRow): Promise<void> {
  try {
    await mailer(keptMail(ctx, row))
  } catch (error) {
    const isLost = error instanceof MailFailure && error.permanent
    log.warn({ err: error, mail_id: row.id, attempts: row.attempts }, isLost ? LOST : LATER)
    if (!isLost)
      return updateMailDue(ctx, row.id, doubledWait(row.attempts, RETRY_FIRST_MS, RETRY_LAST_MS))
  }
  await updateMailDone(ctx, row.id)
}

const LOST = 'a mail was rejected and is given up'
const LATER = 'a mail was not sent and will be tried again'
