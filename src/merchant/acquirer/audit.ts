/** Doctor's checks of the sealed cards of shops. */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'

/**
 * Kept cards without a number or of another customer than has agreed to it, and numbers of no
 * payment and no kept card: findings of doctor.
 * Empty when there are none.
 */
export async function auditShopVault(db: Db): Promise<Finding[]> {
  const { rows } = await sql<Finding>`
    with owners as (
      select tenant_id, id, true as is_kept from merchant_kept_cards
      union all
      select tenant_id, id, false from acquirer_messages where mti = '0100'
    )
    select 'I4' as invariant, coalesce(o.tenant_id, c.tenant_id) as tenant_id,
      case when o.id is null then 'number of ' || c.owner_id else 'kept card ' || o.id end
        as subject,
      case when o.id is null then 'is of no payment and no kept card'
        else 'has no number' end as detail
    from owners o
    full join merchant_vault.cards c on c.tenant_id = o.tenant_id and c.owner_id = o.id
    where o.id is null or (c.owner_id is null and o.is_kept)
    limit ${FINDINGS_MAX}`.execute(db)
  return [...rows, ...(await ofCustomers.execute(db)).rows]
}

/** The payment by which a card was kept was recorded in the same transaction as the consent. */
const ofCustomers = sql<Finding>`
  select 'I4' as invariant, k.tenant_id, 'kept card ' || k.id as subject,
    'is of customer ' || k.customer || ' of merchant ' || k.merchant_id
      || ', who agreed to it in no payment of that time' as detail
  from merchant_kept_cards k
  join checkouts c on c.tenant_id = k.tenant_id and c.status = 'PAID'
    and c.modified = k.consented and c.keep_consent = k.consent
  cross join lateral (select btrim(c.request #>> '{order,customer,reference}') as name) r
  group by k.tenant_id, k.id, k.customer, k.merchant_id
  having not bool_or(c.merchant_id = k.merchant_id and r.name = k.customer)
  limit ${FINDINGS_MAX}`
