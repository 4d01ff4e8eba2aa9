/** What doctor checks of the sealed cards of shops. */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'

/**
 * Kept cards without a number, and numbers of no payment and no kept card: findings of doctor.
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
  return rows
}
