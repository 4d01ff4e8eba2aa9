/** Open deliveries of subscriptions that are deleted. */

import { sql } from 'kysely'
import type { Tx } from '#kit/context.ts'
import type { Db } from '#kit/db/database.ts'

/** An endpoint that was away for days may have hundreds of thousands: too many for a statement. */
const ENDED_AT_ONCE = 10_000

type Deleted = { tenant_id: string; id: string; deleted: Date }

/**
 * Ends deliveries of a subscription that is deleted in this transaction: 10,000, the rest is left
 * over.
 */
export async function endSome({ db, tenant_id, now: deleted }: Tx, id: string): Promise<void> {
  await updateSomeEnded(db, { tenant_id, id, deleted })
}

/**
 * Ends the open deliveries of deleted subscriptions, of all tenants: those that were too many for
 * the deletion, and those that it did not see. An event that is written while its subscription is
 * deleted has found it active, and commits a delivery that nobody will claim (D-887). Locking the
 * subscription with every event would make events wait for each other.
 */
export async function endLeftOverDeliveries(db: Db): Promise<void> {
  const { rows } = await sql<Deleted>`
    select w.tenant_id, w.id, w.deleted from webhooks w
    where w.deleted is not null and exists (
      select from deliveries d
      where d.tenant_id = w.tenant_id and d.webhook_id = w.id and d.due is not null)`.execute(db)
  for (const webhook of rows) {
    while ((await updateSomeEnded(db, webhook)) === ENDED_AT_ONCE);
  }
}

/** Returns how many. */
async function updateSomeEnded(db: Db, { tenant_id, id, deleted }: Deleted): Promise<number> {
  const { numAffectedRows } = await sql`
    update deliveries d set status = 'EXPIRED', due = null, claimed_until = null,
      error = 'the subscription was deleted', modified = greatest(d.modified, ${deleted})
    where d.tenant_id = ${tenant_id} and d.id in (
      select e.id from deliveries e
      where e.tenant_id = ${tenant_id} and e.webhook_id = ${id} and e.due is not null
      order by e.object_id, e.sequence limit ${sql.lit(ENDED_AT_ONCE)})`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
