/** Payments that come to no outcome by themselves: findings of doctor. */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import { tenantNow } from '#kit/clock.ts'
import type { Db } from '#kit/db/database.ts'
import { isStuck } from '#merchant/acquirer/acquirer.ts'

export async function auditStuck(db: Db): Promise<Finding[]> {
  const { rows } = await sql<Finding>`
    select 'I4' as invariant, w.tenant_id, w.subject, 'waits since ' || m.created
      || ' for the outcome of message ' || m.id || ', which does not come by itself: end it by '
      || 'POST /v1/operator/payments/' || m.id || ':end' as detail
    from (
      select tenant_id, message_id, 'checkout ' || id as subject from checkouts
      where status = 'PAYING' and in_doubt
      union all
      select tenant_id, message_id, 'operation ' || id from order_operations
      where status = 'PENDING' and in_doubt
    ) w
    join acquirer_messages m on m.tenant_id = w.tenant_id and m.id = w.message_id
    join tenants t on t.id = w.tenant_id
    where ${isStuck(tenantNow)}
    limit ${FINDINGS_MAX}`.execute(db)
  return rows
}
