/** The invariants of orders (I4, I6), checked over a whole database. */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'
import { isComplete } from '#kit/db/partitions/partitions.ts'
import { checkoutRows, operationRows, orderRows } from './audit_rows.ts'

/** Checks amounts, times, messages and events. Returns an empty list when all agree. */
export async function auditOrders(db: Db): Promise<Finding[]> {
  const complete = await isComplete(db, 'events')
  const checks = [agrees(), isReported(complete), orderRows, operationRows, checkoutRows]
  const found: Finding[] = []
  // Doctor has one connection, for which the second of two statements would wait.
  for (const check of checks) found.push(...(await check.execute(db)).rows)
  return found
}

/**
 * At most one last capture an order, which completes it unless its deadline does, no other capture
 * if parts are not allowed, captured ≤ authorized, refunded ≤ captured, totals that are the sums of
 * the operations, no operation and no payment whose status disagrees with its message, and one
 * order for each paid checkout.
 */
const agrees = () => sql<Finding>`
  with done as (
    select tenant_id, order_id,
      count(*) filter (where type = 'CAPTURE') as captures,
      count(*) filter (where final) as finals,
      coalesce(sum(amount) filter (where type = 'CAPTURE'), 0) as captured,
      coalesce(sum(total) filter (where type = 'CAPTURE'), 0) as total_captured,
      coalesce(sum(amount) filter (where type = 'REFUND'), 0) as refunded,
      coalesce(sum(total) filter (where type = 'REFUND'), 0) as total_refund
    from order_operations where status = 'SUCCESS' group by tenant_id, order_id
  ), checked as (
    select o.tenant_id, o.id as object_id, unnest(array[
      case when o.captured > o.authorized then 'more is captured than was authorized' end,
      case when o.refunded > o.captured then 'more is refunded than was captured' end,
      case when d.finals > 1 or (d.captures > 1 and not o.partial_captures)
        then 'it is captured more than once' end,
      case when (o.status = 'COMPLETED')
          <> (coalesce(d.finals, 0) > 0 or (o.released and coalesce(d.captures, 0) > 0))
        then 'its status and its captures differ' end,
      case when (o.captured, o.total_captured)
          <> (coalesce(d.captured, 0), coalesce(d.total_captured, 0))
        then 'what is captured is not the sum of its captures' end,
      case when (o.refunded, o.total_refund)
          <> (coalesce(d.refunded, 0), coalesce(d.total_refund, 0))
        then 'what is refunded is not the sum of its refunds' end,
      case when count(*) over (partition by o.tenant_id, o.authorization_id) > 1
        then 'another order has the same payment' end,
      case when m.id is null then 'its payment has no message'
        when m.status <> 'APPROVED' then 'its payment is ' || m.status end,
      case when c.id is null then 'no checkout with its reference is paid' end
    ]) as message
    from orders o left join done d on d.tenant_id = o.tenant_id and d.order_id = o.id
    left join acquirer_messages m on m.tenant_id = o.tenant_id and m.id = o.authorization_id
    left join checkouts c on c.tenant_id = o.tenant_id and c.merchant_id = o.merchant_id
      and c.reference = o.reference and c.status = 'PAID'
    union all
    select c.tenant_id, c.id, 'the checkout is paid, and there is no order'
    from checkouts c left join orders o on o.tenant_id = c.tenant_id
      and o.merchant_id = c.merchant_id and o.reference = c.reference
    where c.status = 'PAID' and o.id is null
    union all
    select c.tenant_id, c.id, 'the checkout is being paid, and its message is '
      || coalesce(m.status, 'missing')
    from checkouts c
    left join acquirer_messages m on m.tenant_id = c.tenant_id and m.id = c.message_id
    where c.status = 'PAYING' and coalesce(m.status, '') not in ('PENDING', 'REVERSING')
    union all
    select p.tenant_id, p.order_id, 'operation ' || p.id || ' is ' || p.status
      || ' and its message is ' || coalesce(m.status, 'missing')
    from order_operations p
    left join acquirer_messages m on m.tenant_id = p.tenant_id and m.id = p.message_id
    where (p.status, coalesce(m.status, '')) not in (('SUCCESS', 'APPROVED'),
      ('PENDING', 'PENDING'), ('PENDING', 'REVERSING'), ('FAILURE', 'DECLINED'),
      ('FAILURE', 'UNSENT'),
      ('FAILURE', 'REVERSED'))
  )
  select 'I4' as invariant, tenant_id, 'order ' || object_id as subject, message as detail
  from checked where message is not null
  order by tenant_id, object_id, message limit ${FINDINGS_MAX}`

/**
 * One event for each payment, capture, refund and end of the hold. Unless all events are still
 * there, only orders whose payment is among them are compared.
 */
const isReported = (complete: boolean) => sql<Finding>`
  with reported as (
    select tenant_id, object_id,
      count(*) filter (where event = 'ORDER_AUTHORIZED') as authorized,
      count(*) filter (where event = 'ORDER_CAPTURED') as captured,
      count(*) filter (where event = 'ORDER_REFUNDED') as refunded,
      count(*) filter (where event = 'ORDER_EXPIRED') as expired,
      count(*) filter (where event = 'ORDER_CAPTURE_EXPIRING') as reminders
    from events group by tenant_id, object_id
  ), done as (
    select tenant_id, order_id, count(*) filter (where type = 'CAPTURE') as captured,
      count(*) filter (where type = 'REFUND') as refunded
    from order_operations where status = 'SUCCESS' group by tenant_id, order_id
  )
  select 'I6' as invariant, o.tenant_id, 'order ' || o.id as subject,
    'has events that differ from its operations: ' || coalesce(row_to_json(r)::text, 'none')
      as detail
  from orders o
  left join reported r on r.tenant_id = o.tenant_id and r.object_id = o.id
  left join done d on d.tenant_id = o.tenant_id and d.order_id = o.id
  where (r.object_id is null or r.authorized <> 1 or r.captured <> coalesce(d.captured, 0)
    or r.refunded <> coalesce(d.refunded, 0) or r.expired <> o.released::int
    or r.reminders > o.reminders) and (${complete} or r.authorized > 0)
  limit ${FINDINGS_MAX}`
