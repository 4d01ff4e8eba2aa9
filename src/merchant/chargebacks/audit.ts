/** The invariants of chargebacks (I4), checked over a whole database. */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'

/**
 * A chargeback has taken its amount and its fee from its merchant once, and given the amount back
 * but for the part that is kept if it is WON or WITHDRAWN. Those of an order have taken no more
 * than it has captured and not refunded (D-1370).
 */
export async function auditChargebacks(db: Db): Promise<Finding[]> {
  const found: Finding[] = []
  for (const check of [booked, within]) found.push(...(await check.execute(db)).rows)
  return found
}

const booked = sql<Finding>`
  with entries as (
    select tenant_id, chargeback_id,
      coalesce(sum(amount) filter (where type = 'CHARGEBACK'), 0) as taken,
      coalesce(sum(amount) filter (where type = 'CHARGEBACK_REVERSAL'), 0) as given,
      sum(fee) as fee, min(merchant_id::text) as merchant_id, min(currency) as currency
    from chargeback_entries group by tenant_id, chargeback_id
  )
  select 'I4' as invariant, c.tenant_id, 'chargeback ' || c.id as subject,
    'is ' || c.status || ' with ' || c.amount || ' and the fee ' || c.fee || ', has taken '
      || coalesce(e.taken, 0) || ', given back ' || coalesce(e.given, 0) || ' and charged '
      || coalesce(e.fee, 0) as detail
  from chargebacks c
  left join entries e on e.tenant_id = c.tenant_id and e.chargeback_id = c.id
  where e.chargeback_id is null or e.taken <> c.amount or e.fee <> c.fee
    or e.given <> case when c.status in ('WON', 'WITHDRAWN') then c.amount - c.kept else 0 end
    or e.merchant_id <> c.merchant_id::text or e.currency <> c.currency
  limit ${FINDINGS_MAX}`

const taken = sql`case when c.status in ('WON', 'WITHDRAWN') then c.kept else c.amount end`

const within = sql<Finding>`
  select 'I4' as invariant, o.tenant_id, 'order ' || o.id as subject,
    'has captured ' || o.captured || ' and refunded ' || o.refunded
      || ', its chargebacks have taken ' || sum(${taken}) as detail
  from orders o
  join chargebacks c on c.tenant_id = o.tenant_id and c.order_id = o.id
  group by o.tenant_id, o.id, o.captured, o.refunded
  having sum(${taken}) > 0 and sum(${taken}) > o.captured - o.refunded
  limit ${FINDINGS_MAX}`
