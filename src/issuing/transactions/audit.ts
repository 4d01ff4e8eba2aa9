/** The invariants of card transactions (I4, I6), checked over a whole database. */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'
import { eventsOfRow } from '#kit/db/event_batches.ts'
import { oldestEvent } from '#kit/db/events_audit.ts'

/**
 * No more is refunded than was cleared, what is cleared is what the ledger has moved for it, and
 * each thing that happened was reported by one event; where a transaction is older than all stored
 * events, only its newest one is expected, if any is stored. Empty when all is well.
 */
export async function auditTransactions(db: Db): Promise<Finding[]> {
  const moved = await sql<Finding>`
    with moved as (
      select e.tenant_id, e.transaction_id, abs(sum(e.amount)) as amount
      from entries e
      join accounts a on a.tenant_id = e.tenant_id and a.id = e.account_id and a.kind = 'CARD'
      where e.transaction_id is not null group by e.tenant_id, e.transaction_id
    )
    select 'I4' as invariant, t.tenant_id, 'transaction ' || t.id as subject,
      'has cleared ' || t.cleared_amount || ', refunded ' || t.refunded_amount || ', moved '
        || coalesce(m.amount, 0) as detail
    from transactions t
    left join moved m on m.tenant_id = t.tenant_id and m.transaction_id = t.id
    where t.refunded_amount > t.cleared_amount
      or t.cleared_amount <> coalesce(m.amount, 0)
    limit ${FINDINGS_MAX}`.execute(db)
  const reported = await sql<Finding>`
    with reported as (
      select r.tenant_id, e.object_id, count(*) as events, max(e.sequence) as newest
      from events r cross join ${eventsOfRow} where r.object_ids is not null
      group by r.tenant_id, e.object_id
    )
    select 'I6' as invariant, x.tenant_id, 'transaction ' || x.id as subject,
      x.sequence || ' things happened to it, ' || coalesce(r.events, 0)
        || ' were reported' as detail
    from transactions x
    join tenants t on t.id = x.tenant_id
    left join ${oldestEvent} on true
    left join reported r on r.tenant_id = x.tenant_id and r.object_id = x.id
    where x.sequence <> case when x.id >= oldest.id then coalesce(r.events, 0)
      else r.newest end
    limit ${FINDINGS_MAX}`.execute(db)
  return [...moved.rows, ...reported.rows]
}
