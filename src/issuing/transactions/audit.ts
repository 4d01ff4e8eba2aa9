/** The invariants of card transactions (I4, I6), checked over a whole database. */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'
import { eventsOfRow } from '#kit/db/events/event_batches.ts'
import { oldestEvent } from '#kit/db/events/events_audit.ts'

/**
 * No more is refunded than was cleared, what is cleared is what the ledger has moved for it, and
 * each thing that happened was reported by one event; where a transaction is older than all stored
 * events, only its newest one is expected, if any is stored. Empty when all is well.
 */
export async function auditTransactions(db: Db): Promise<Finding[]> {
  const [moved, reported] = [await cleared.execute(db), await numbered.execute(db)]
  return [...moved.rows, ...reported.rows]
}

// Both sides are grouped rather than joined, which takes as long with any plan.
const cleared = sql<Finding>`
  with compared as (
    select tenant_id, id, cleared_amount, refunded_amount, null::bigint as moved from transactions
    union all
    select e.tenant_id, e.transaction_id, null, null, e.amount
    from entries e
    join accounts a on a.tenant_id = e.tenant_id and a.id = e.account_id and a.kind = 'CARD'
    where e.transaction_id is not null and e.kind not in ('CHARGE', 'CHARGE_REVERSAL')
  ), summed as (
    select tenant_id, id, max(cleared_amount) as cleared, max(refunded_amount) as refunded,
      coalesce(abs(sum(moved)), 0) as moved
    from compared group by tenant_id, id
  )
  select 'I4' as invariant, tenant_id, 'transaction ' || id as subject,
    'has cleared ' || cleared || ', refunded ' || refunded || ', moved ' || moved as detail
  from summed where refunded > cleared or cleared <> moved
  limit ${FINDINGS_MAX}`

const numbered = sql<Finding>`
  with compared as (
    select tenant_id, id, sequence as happened, null::bigint as reported from transactions
    union all
    select r.tenant_id, e.object_id, null, e.sequence
    from events r cross join ${eventsOfRow} where r.object_ids is not null
  ), counted as (
    select tenant_id, id, max(happened) as happened, count(reported) as events,
      max(reported) as newest
    from compared group by tenant_id, id having count(happened) > 0
  )
  select 'I6' as invariant, x.tenant_id, 'transaction ' || x.id as subject,
    x.happened || ' things happened to it, ' || x.events || ' were reported' as detail
  from counted x
  join tenants t on t.id = x.tenant_id
  left join ${oldestEvent} on true
  where x.happened <> case when x.id >= oldest.id then x.events else x.newest end
  limit ${FINDINGS_MAX}`
