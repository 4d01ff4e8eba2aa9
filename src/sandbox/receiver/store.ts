/** Receivers and their requests. The times of requests are real (D-115). */

import { type Selectable, sql } from 'kysely'
import { databaseNow, databaseNowPlus } from '#kit/clock.ts'
import type { Context, Tx } from '#kit/context.ts'
import type { Db } from '#kit/db/database.ts'
import { lockNames } from '#kit/db/locks.ts'
import type { Database } from '#kit/db/tables.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import type { ShownHeader } from './rules.ts'
import type { ReceiverChange, Verification } from './schema.ts'

export type ReceiverRow = Selectable<Database['sandbox_webhook_receivers']>
export type RequestRow = Selectable<Database['sandbox_webhook_requests']>

/** The newest ones of a receiver are kept. */
const REQUESTS_KEPT = 100
/** And none for longer. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000

/** Creations of one tenant are serialised, so that their count is exact. */
export async function countReceivers(tx: Tx): Promise<number> {
  const { db, tenant_id } = tx
  await lockNames(tx, ['webhook receivers'])
  const row = await db
    .selectFrom('sandbox_webhook_receivers')
    .select((of) => of.fn.countAll().as('count'))
    .where('tenant_id', '=', tenant_id)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export async function insertReceiver({ db }: Tx, row: ReceiverRow): Promise<void> {
  await db.insertInto('sandbox_webhook_receivers').values(row).execute()
}

export function listReceiverRows(
  { db, tenant_id }: Context,
  range: PageRange,
): Promise<ReceiverRow[]> {
  const all = db
    .selectFrom('sandbox_webhook_receivers')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
  return selectRange(all, range).execute()
}

export function findReceiverRow(
  { db, tenant_id }: Context,
  id: string,
): Promise<ReceiverRow | undefined> {
  return db
    .selectFrom('sandbox_webhook_receivers')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function updateReceiver(
  { db, tenant_id, now }: Tx,
  id: string,
  change: ReceiverChange,
): Promise<ReceiverRow | undefined> {
  return db
    .updateTable('sandbox_webhook_receivers')
    .set({ ...change, modified: now })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Deletes the receiver with its requests. */
export async function deleteReceiverRow({ db, tenant_id }: Tx, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sandbox_webhook_receivers')
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Counts a request and locks its receiver, so that its requests have an order. */
export function updateReceived(
  { db, tenant_id }: Tx,
  id: string,
): Promise<ReceiverRow | undefined> {
  return db
    .updateTable('sandbox_webhook_receivers')
    .set({ received: sql`received + 1` })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export type NewRequest = {
  id: string
  headers: readonly ShownHeader[]
  body: string | null
  size: number
  verification: Verification
  webhook_id: string | null
}

/**
 * Inserts a request of the receiver as `updateReceived` has returned it; the oldest ones beyond the
 * limit go.
 */
export async function insertRequest(
  { db, tenant_id }: Tx,
  { id: receiver_id, received: number, answer_status, delay_ms }: ReceiverRow,
  { headers, ...request }: NewRequest,
): Promise<void> {
  const place = { tenant_id, receiver_id, number, answer_status, delay_ms, created: databaseNow }
  await db
    .insertInto('sandbox_webhook_requests')
    .values({ ...request, ...place, headers: JSON.stringify(headers) })
    .execute()
  await db
    .deleteFrom('sandbox_webhook_requests')
    .where('tenant_id', '=', tenant_id)
    .where('receiver_id', '=', receiver_id)
    .where('number', '<=', number - REQUESTS_KEPT)
    .execute()
}

export function listRequestRows(
  { db, tenant_id }: Context,
  receiver_id: string,
  range: PageRange,
): Promise<RequestRow[]> {
  const all = db
    .selectFrom('sandbox_webhook_requests')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('receiver_id', '=', receiver_id)
  return selectRange(all, range).execute()
}

/** Deletes requests of every tenant whose time is over. */
export async function deleteOldRequests(db: Db): Promise<void> {
  await sql`
    delete from sandbox_webhook_requests
    where created < ${databaseNowPlus(-KEPT_MS)}`.execute(db)
}
