/** Deliveries that the deletion of their subscription did not see. */

import { sql } from 'kysely'
import type { Db } from '#kit/db/database.ts'

/**
 * Ends the open deliveries of deleted subscriptions, of all tenants. An event that is written while
 * its subscription is deleted has found it active, and commits a delivery that nobody will claim
 * (D-887). Locking the subscription with every event would make events wait for each other.
 */
export async function endLeftOverDeliveries(db: Db): Promise<void> {
  await sql`
    update deliveries d set status = 'EXPIRED', due = null, claimed_until = null,
      error = 'the subscription was deleted', modified = greatest(d.modified, w.deleted)
    from webhooks w
    where w.deleted is not null and d.tenant_id = w.tenant_id and d.webhook_id = w.id
      and d.due is not null`.execute(db)
}
