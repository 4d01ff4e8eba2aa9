/** Mails by their rows. They belong to no tenant, and their times are the database's (D-350). */

import { type Selectable, sql } from 'kysely'
import { databaseNow, databaseNowPlus } from '#kit/clock.ts'
import type { Context, Tx } from '#kit/context.ts'
import type { Db } from '#kit/db/database.ts'
import { lockNames, sharedName } from '#kit/db/locks.ts'
import type { Database } from '#kit/db/tables.ts'
import { NO_TENANT } from '#kit/http/callers/callers.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import type { Backlog } from '#kit/jobs/backlogs.ts'
import { normalEmail } from '#lib/email.ts'
import { overAllTenants } from '#portal/over_all_tenants.ts'

export type MailRow = Selectable<Database['mails']>

/**
 * Mails of one subject to one address within the window; more are dropped. By subject: a stranger
 * who signs up with the address of a member would otherwise keep links for passwords from it.
 */
const SUBJECT_MAX = 5
const WINDOW_MS = 15 * 60_000

type NewMail = Pick<MailRow, 'id' | 'to_address' | 'subject'> & {
  sealed_content: Buffer
  /** How long it is of use. */
  valid_ms: number
  is_sent: boolean
  /** False: the same statement without a row. */
  is_needed: boolean
  /** False: the limit does not hold. */
  is_capped: boolean
}

/**
 * Mails of one subject to an address are queued one after another until the transaction ends, so
 * that those at one time are no more than the address may get.
 */
export async function lockMails(
  tx: Tx,
  { to_address, subject }: Pick<NewMail, 'to_address' | 'subject'>,
): Promise<void> {
  const { db } = overAllTenants(tx)
  await lockNames({ db, tenant_id: NO_TENANT }, [sharedName('mails', `${to_address} ${subject}`)])
}

/** False if the address has had too many of the subject, or the mail is not needed. */
export async function insertMail({ db }: Tx, mail: NewMail): Promise<boolean> {
  const { id, to_address, subject, sealed_content, valid_ms } = mail
  const { is_sent, is_needed, is_capped } = mail
  const { numAffectedRows } = await sql`
    insert into mails (id, to_address, subject, sealed_content, created, due, expires)
    select ${id}::uuid, ${to_address}, ${subject}, ${sealed_content}::bytea, ${databaseNow},
      case when ${is_sent}::boolean then ${databaseNow} end, ${databaseNowPlus(valid_ms)}
    where ${is_needed}::boolean and (not ${is_capped}::boolean or (
      select count(*) from mails
      where to_address = ${to_address} and subject = ${subject}
        and created > ${databaseNowPlus(-WINDOW_MS)}
    ) < ${SUBJECT_MAX})`.execute(db)
  return numAffectedRows === 1n
}

/** Newest first; all addresses if `to` is left out. */
export function listMailRows(
  { db }: Context,
  to: string | undefined,
  range: PageRange,
): Promise<MailRow[]> {
  const kept = db.selectFrom('mails').selectAll().where('sealed_content', 'is not', null)
  const found = to === undefined ? kept : kept.where('to_address', '=', normalEmail(to) ?? to)
  return selectRange(found, range).execute()
}

/** Whether there is something to send or to delete. */
export async function hasDueMails(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from mails where due <= ${databaseNow}
    union all (select from mails where expires <= ${databaseNow} limit 1) limit 1`.execute(db)
  return rows.length > 0
}

export const mailBacklog: Backlog = {
  queue: 'mails',
  rows: () => sql`select created as since from mails where due is not null order by due`,
}

/** Takes mails for so long; another process takes them up afterwards. */
export async function claimDueMails(
  { db }: Context,
  lease_ms: number,
  limit: number,
): Promise<MailRow[]> {
  const { rows } = await sql<MailRow>`
    update mails set due = ${databaseNowPlus(lease_ms)}, attempts = attempts + 1
    where id in (
      select id from mails where due <= ${databaseNow} and expires > ${databaseNow}
      order by due limit ${limit} for update skip locked)
    returning *`.execute(db)
  return rows
}

/** The mail was sent, or is given up: its content is forgotten. */
export async function updateMailDone({ db }: Context, id: string): Promise<void> {
  await db
    .updateTable('mails')
    .set({ due: null, sealed_content: null })
    .where('id', '=', id)
    .execute()
}

export async function updateMailDue({ db }: Context, id: string, wait_ms: number): Promise<void> {
  await db
    .updateTable('mails')
    .set({ due: databaseNowPlus(wait_ms) })
    .where('id', '=', id)
    .where('due', 'is not', null)
    .execute()
}

/** Returns how many there were. */
export async function deleteExpiredMails({ db }: Context, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from mails where id in (
      select id from mails where expires <= ${databaseNow}
      order by expires limit ${limit} for update skip locked)`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
