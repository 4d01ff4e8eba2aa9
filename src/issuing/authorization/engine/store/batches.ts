/** The transaction of a batch: how long it waits for locks, and whether it was committed. */

import { sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'

/** Milliseconds that a statement of a batch may wait for a lock of another session. */
const LOCK_WAIT_MS = 100

/** Every later statement of this transaction fails (55P03) rather than wait longer for a lock. */
export async function setLockTimeout({ db }: Tx): Promise<void> {
  await sql`select set_config('lock_timeout', ${String(LOCK_WAIT_MS)}, true)`.execute(db)
}

/** Whether an event of this id exists. */
export async function hasEvent({ db, tenant_id }: Context, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('events')
    .select('id')
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}
