/** When rows were made (I4): not long before their tenant, and not ahead of its clock. */

import { type RawBuilder, sql } from 'kysely'
import { FINDINGS_MAX, type Finding, ofAll, type Scope } from '#kit/audit.ts'
import { tenantNow } from '#kit/clock.ts'
import type { Db } from '#kit/db/database.ts'

/** The clocks of two servers of the database may differ by so much. */
const SOON = sql`interval '15 minutes'`
/** Rows of a trial are made older by weeks. A wrong year is what this finds. */
const LONG = sql`interval '60 days'`

/** The tables of money and of its owners, with the word for a row. */
const tables = {
  ...{ users: 'user', accounts: 'account', transfers: 'transfer', holds: 'hold' },
  ...{ card_products: 'card product', cards: 'card', bulk_issuances: 'bulk issuance' },
  ...{ charges: 'charge', transactions: 'transaction', limits: 'limit' },
  ...{ merchants: 'merchant', acquirer_messages: 'message', merchant_kept_cards: 'kept card' },
  ...{ checkouts: 'checkout', orders: 'order', order_operations: 'operation', payouts: 'payout' },
}

/**
 * No row was made long before its tenant or is of a time to come; a message may be of any time
 * before. Empty when all hold.
 */
export async function auditTimes(db: Db, of: Scope = ofAll): Promise<Finding[]> {
  const { rows } = await sql<Finding>`
    select * from (
      select 'I4' as invariant, m.tenant_id, m.subject, 'was made at ' || m.created
        || case when m.created < t.created then ', long before its tenant'
          else ', which is to come' end
        as detail
      from (${sql.join(Object.entries(tables).map(madeIn(of)), sql` union all `)}) m
      join tenants t on t.id = m.tenant_id
      where m.created > ${tenantNow} + ${SOON}
        or (m.created < t.created - ${LONG} and not starts_with(m.subject, 'message '))
    ) m
    order by subject limit ${FINDINGS_MAX}`.execute(db)
  return rows
}

const madeIn =
  (of: Scope) =>
  ([table, name]: [string, string]): RawBuilder<unknown> =>
    sql`
    select tenant_id, ${name}::text || ' ' || id as subject, created from ${sql.table(table)}
    where ${of(table)}`
