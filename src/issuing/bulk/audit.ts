/** The invariant of bulk issuances (I4), checked over a whole database. */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'

/**
 * The number of cards is the count of the bulk issuance, and its hold is the preload of the cards
 * not issued yet. Empty when the invariant holds.
 */
export async function auditBulkIssuances(db: Db): Promise<Finding[]> {
  const { rows } = await sql<Finding>`
    select 'I4' as invariant, b.tenant_id, 'bulk issuance ' || b.id as subject,
      'is ' || b.status || ' with ' || b.issued_cards || ' issued of ' || b.number_of_cards
        || ', has ' || c.cards || ' cards and ' || coalesce(h.amount, 0) || ' held' as detail
    from bulk_issuances b
    cross join lateral (select count(*) as cards from cards c
      where c.tenant_id = b.tenant_id and c.bulk_issuance_id = b.id) c
    left join holds h on h.tenant_id = b.tenant_id and h.id = b.id
    where c.cards <> b.issued_cards
      or coalesce(h.amount, 0) <> case b.status when 'PROCESSING'
        then coalesce(b.amount, 0) * (b.number_of_cards - b.issued_cards) else 0 end
    limit ${FINDINGS_MAX}`.execute(db)
  return [...rows, ...(await ofFunding.execute(db)).rows]
}

/** A hold is of a bulk issuance, at the program funding of its currency. */
const ofFunding = sql<Finding>`
  select 'I4' as invariant, h.tenant_id, 'hold ' || h.id as subject,
    'is of ' || coalesce('a bulk issuance in ' || b.currency, 'nothing') || ', in ' || h.currency
      || ' at ' || coalesce('a ' || a.kind || ' account in ' || a.currency, 'no account') as detail
  from holds h
  left join bulk_issuances b on b.tenant_id = h.tenant_id and b.id = h.id
  left join accounts a on a.tenant_id = h.tenant_id and a.id = h.account_id
  where b.id is null or b.currency <> h.currency or a.id is null or a.kind <> 'FUNDING'
    or a.currency <> h.currency or h.amount < 0
  limit ${FINDINGS_MAX}`
