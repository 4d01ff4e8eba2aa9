/** Time that passes for what is stored of a lane, and work that becomes due. */

import { sql } from 'kysely'
import type { Db } from '#kit/db/database.ts'
import { firstIdAt, timeOfId } from '#lib/id.ts'

/** Longer than messages are looked up by their keys. */
export const AGE_MS = 45 * 86_400_000

/** Makes what waits to be reversed due at once; whether there is any. */
export async function makeDue(db: Db, tenant_id: string): Promise<boolean> {
  const { rows } = await sql`
    update unanswered_approvals set due = now() where tenant_id = ${tenant_id}
    returning 1`.execute(db)
  return rows.length > 0
}

/**
 * The holds of a payment are due to end. A decision that is being made on its account is made
 * again.
 */
export const endHolds = (db: Db, tenant_id: string, rrn: string): Promise<void> =>
  db.runTransaction(async (tx) => {
    await sql`update accounts a set version = a.version + 1
      where a.tenant_id = ${tenant_id} and a.id in (
        select t.account_id from transactions t
        where t.tenant_id = ${tenant_id} and t.rrn = ${rrn} and t.held > 0)`.execute(tx)
    await sql`update transactions set hold_expires = now() - interval '1 second'
      where tenant_id = ${tenant_id} and rrn = ${rrn} and held > 0`.execute(tx)
  })

/**
 * Everything that is stored of the tenant's payments is older by AGE_MS, all of it at once: a
 * process's work in hand commits before or after.
 */
export const ageAll = (db: Db, tenant_id: string): Promise<void> =>
  db.runTransaction(async (tx) => {
    await sql`lock table transactions, network_messages, transfers, charges, events
      in share row exclusive mode`.execute(tx)
    await ageRows(tx, tenant_id)
  })

async function ageRows(db: Db, tenant_id: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from transactions where tenant_id = ${tenant_id}
      and id >= ${firstIdAt(Date.now() - AGE_MS / 2)}`.execute(db)
  for (const { id } of rows) {
    const older = `${firstIdAt(timeOfId(id) - AGE_MS).slice(0, 13)}${id.slice(13)}`
    await sql`update transactions set id = ${older}
      where tenant_id = ${tenant_id} and id = ${id}`.execute(db)
    for (const table of ['transfers', 'network_messages', 'charges']) {
      await sql`update ${sql.table(table)} set transaction_id = ${older}
        where tenant_id = ${tenant_id} and transaction_id = ${id}`.execute(db)
    }
    await sql`update network_messages set answer = replace(answer::text, ${id}, ${older})::json
      where tenant_id = ${tenant_id} and transaction_id = ${older}`.execute(db)
    await sql`update transactions
      set details = replace(details::text, ${id}, ${older})::json
      where tenant_id = ${tenant_id} and details ->> 'reference_transaction_id' = ${id}`.execute(db)
    await sql`update events set object_ids = array_replace(object_ids, ${id}::uuid, ${older}::uuid)
      where tenant_id = ${tenant_id} and ${id}::uuid = any (object_ids)`.execute(db)
  }
  // Citus computes nothing of a column by a time zone in an update.
  const messages = await sql<{ created: string; older: string }>`
    select distinct created::text, (created - interval '45 days')::text as older
    from network_messages
    where tenant_id = ${tenant_id} and created > now() - interval '20 days'`.execute(db)
  for (const { created, older } of messages.rows) {
    await sql`update network_messages set created = ${older}::timestamptz
      where tenant_id = ${tenant_id} and created = ${created}::timestamptz`.execute(db)
  }
}
