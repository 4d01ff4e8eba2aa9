/** The invariants of orders of cards (I4), checked over a whole database. */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding, ofAll, type Scope } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'
import { sealOf } from './store.ts'

/**
 * A card that is ORDERED is in a batch whose file the bureau has, each batch has its records, and
 * what it froze is what its file was made of. Empty when all hold.
 */
export async function auditCardOrders(db: Db, of: Scope = ofAll): Promise<Finding[]> {
  const found: Finding[] = []
  for (const check of [ordered(of), whole(of)]) found.push(...(await check.execute(db)).rows)
  return found
}

/** Cards that were ordered by other means, or by a version before, are marked as such. */
const ordered = (of: Scope) => sql<Finding>`
  select 'I4' as invariant, c.tenant_id, 'card ' || c.id as subject,
    case when c.card_order_id is null
        then 'is ' || c.fulfillment_status || ' without a batch of the bureau'
      when o.id is null then 'is in a batch that does not exist'
      when r.id is null then 'is in batch ' || o.id || ', which has no record of it'
      else 'is ' || c.fulfillment_status || ', and its batch ' || o.id || ' is ' || o.state
      end as detail
  from cards c
  left join card_orders o on o.tenant_id = c.tenant_id and o.id = c.card_order_id
  left join card_order_records r
    on r.tenant_id = c.tenant_id and r.card_id = c.id and r.card_order_id = c.card_order_id
  where ${of('c')} and c.ordered_by_file
    and c.fulfillment_status in ('ORDERED', 'SHIPPED', 'DELIVERED')
    and (r.id is null or o.sent is null)
  limit ${FINDINGS_MAX}`

const whole = (of: Scope) => sql<Finding>`
  select 'I4' as invariant, o.tenant_id, 'batch ' || o.id as subject, w.message as detail
  from card_orders o
  cross join lateral (
    select count(*)::int as records from card_order_records r
    where ${of('r')} and r.tenant_id = o.tenant_id and r.card_order_id = o.id) r
  cross join lateral (values
    (r.records <> o.count, 'has ' || r.records || ' records and states ' || o.count),
    (o.sent is not null and o.digest is null, 'was sent and has no digest'),
    (o.seal is not null and o.seal is distinct from ${sealOf('o', of)},
      'has a digest that is not of what it froze')
  ) as w (is_wrong, message)
  where ${of('o')} and w.is_wrong
  limit ${FINDINGS_MAX}`
