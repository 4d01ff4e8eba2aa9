/** The invariants of payouts (I4), checked over a whole database. */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'
import { isComplete } from '#kit/db/partitions/partitions.ts'

/**
 * A payout is the sum of its parts, which succeeded and are of its merchant and currency. Payouts
 * of a merchant and a currency are numbered without a gap, and each carries what the one before it
 * has left. The last of its events has its status. That each operation is in one payout at most is
 * the shape of the table (D-737).
 */
export async function auditPayouts(db: Db): Promise<Finding[]> {
  const complete = await isComplete(db, 'events')
  const checks = [ofParts, ofChains, ofEvents(complete)]
  const found: Finding[] = []
  // Doctor has one connection, for which the second of two statements would wait.
  for (const check of checks) found.push(...(await check.execute(db)).rows)
  return found
}

const ofParts = sql<Finding>`
  with parts as (
    select tenant_id, payout_id,
      count(*) filter (where type = 'CAPTURE') as captures,
      coalesce(sum(amount) filter (where type = 'CAPTURE'), 0) as captured,
      count(*) filter (where type = 'REFUND') as refunds,
      coalesce(sum(amount) filter (where type = 'REFUND'), 0) as refunded,
      count(*) filter (where type = 'CHARGEBACK') as chargebacks,
      coalesce(sum(case type when 'CHARGEBACK' then amount when 'CHARGEBACK_REVERSAL' then -amount
        end), 0) as charged_back,
      sum(fee) as fees
    from (select tenant_id, payout_id, type, amount, fee from order_operations
      union all select tenant_id, payout_id, type, amount, fee from chargeback_entries) parts
    where payout_id is not null group by tenant_id, payout_id
  )
  select 'I4' as invariant, o.tenant_id, 'payout ' || o.id as subject,
    'its sums differ from those of its parts: ' || coalesce(row_to_json(p)::text, 'none') as detail
  from payouts o left join parts p on p.tenant_id = o.tenant_id and p.payout_id = o.id
  where p.payout_id is null or (o.captures, o.captured, o.refunds, o.refunded, o.chargebacks,
    o.charged_back, o.fees) <> (p.captures, p.captured, p.refunds, p.refunded, p.chargebacks,
    p.charged_back, p.fees)
  union all
  select 'I4', p.tenant_id, 'payout ' || p.payout_id,
    'operation ' || p.id || ' is of another merchant or currency'
  from order_operations p
  join payouts o on o.tenant_id = p.tenant_id and o.id = p.payout_id
  where (o.merchant_id, o.currency) <> (p.merchant_id, p.currency)
  union all
  select 'I4', p.tenant_id, 'payout ' || p.payout_id,
    'entry ' || p.id || ' of a chargeback is of another merchant or currency'
  from chargeback_entries p
  join payouts o on o.tenant_id = p.tenant_id and o.id = p.payout_id
  where (o.merchant_id, o.currency) <> (p.merchant_id, p.currency)
  union all
  select 'I4', p.tenant_id, 'order ' || p.order_id,
    'operation ' || p.id || ' is of another merchant or currency'
  from order_operations p join orders o on o.tenant_id = p.tenant_id and o.id = p.order_id
  where (o.merchant_id, o.currency) <> (p.merchant_id, p.currency)
  limit ${FINDINGS_MAX}`

const ofChains = sql<Finding>`
  with chained as (
    select tenant_id, id, number, carried,
      lag(number, 1, 0::bigint) over of_merchant as number_before,
      lag(case when status = 'CARRIED' then amount else 0 end, 1, 0::bigint)
        over of_merchant as left_before
    from payouts
    window of_merchant as (partition by tenant_id, merchant_id, currency order by number)
  )
  select 'I4' as invariant, tenant_id, 'payout ' || id as subject,
    'is number ' || number || ' and carries ' || carried || ', after number ' || number_before
      || ', which has left ' || left_before as detail
  from chained where number <> number_before + 1 or carried <> left_before
  limit ${FINDINGS_MAX}`

/** Payouts are never deleted, and an event that is gone is no finding. */
const ofEvents = (complete: boolean) => sql<Finding>`
  with reported as (
    select tenant_id, object_id, (array_agg(event order by sequence desc))[1] as last
    from events where event in ('PAYOUT_CREATED', 'PAYOUT_PAID', 'PAYOUT_FAILED')
    group by tenant_id, object_id
  )
  select 'I6' as invariant, coalesce(p.tenant_id, r.tenant_id) as tenant_id,
    'payout ' || coalesce(p.id, r.object_id) as subject,
    coalesce('is ' || p.status, 'does not exist') || ', and its last event is '
      || coalesce(r.last, 'none') as detail
  from payouts p
  full join reported r on r.tenant_id = p.tenant_id and r.object_id = p.id
  where p.id is null or (r.object_id is null and ${complete})
    or r.last <> case p.status when 'PAID' then 'PAYOUT_PAID' when 'FAILED' then 'PAYOUT_FAILED'
      else 'PAYOUT_CREATED' end
  limit ${FINDINGS_MAX}`
