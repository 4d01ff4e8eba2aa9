/** When rows were made (I4): not long before their tenant or before what they name, nor ahead. */

import { type RawBuilder, sql } from 'kysely'
import { CLOCKS, FINDINGS_MAX, type Finding, ofAll, type Scope } from '#kit/audit.ts'
import { tenantNow } from '#kit/clock.ts'
import type { Db } from '#kit/db/database.ts'

/** The clocks of two servers of the database may differ by so much. */
const SOON = sql`interval '15 minutes'`
/** Rows of a trial are made older by weeks. A wrong year is what this finds. */
const LONG = sql`interval '60 days'`

/** The tables of money and of its owners, with the word for a row. */
const tables = {
  users: 'user',
  accounts: 'account',
  transfers: 'transfer',
  holds: 'hold',
  card_products: 'card product',
  cards: 'card',
  bulk_issuances: 'bulk issuance',
  charges: 'charge',
  transactions: 'transaction',
  limits: 'limit',
  merchants: 'merchant',
  acquirer_messages: 'message',
  merchant_kept_cards: 'kept card',
  checkouts: 'checkout',
  orders: 'order',
  order_operations: 'operation',
  payouts: 'payout',
}

/**
 * No row was made long before its tenant, before a row that it names, or is of a time to come; a
 * payment may be of any time before its tenant. Empty when all hold.
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
  return [...rows, ...(await inOrderOf(of).execute(db)).rows]
}

/** Rows that name one which was there before: their table, how they name it, and its table. */
const followers: readonly [table: string, name: string, column: string, earlier: string][] = [
  ['accounts', 'account', 'card_product_id', 'card_products'],
  ['cards', 'card', 'card_product_id', 'card_products'],
  ['transactions', 'transaction', 'card_id', 'cards'],
  ['transfers', 'transfer', 'debit_account_id', 'accounts'],
  ['transfers', 'transfer', 'credit_account_id', 'accounts'],
  ['charges', 'charge', 'account_id', 'accounts'],
  ['checkouts', 'checkout', 'merchant_id', 'merchants'],
  ['orders', 'order', 'authorization_id', 'acquirer_messages'],
]

const inOrderOf = (of: Scope) => sql<Finding>`
  select * from (${sql.join(followers.map(followed(of)), sql` union all `)}) f
  order by subject limit ${FINDINGS_MAX}`

const followed =
  (of: Scope) =>
  ([table, name, column, earlier]: (typeof followers)[number]): RawBuilder<unknown> =>
    sql`
    select 'I4' as invariant, n.tenant_id, ${name}::text || ' ' || n.id as subject,
      'was made at ' || n.created || ', before what it names as ' || ${column}::text || ', at '
        || e.created as detail
    from ${sql.table(table)} n
    join ${sql.table(earlier)} e on e.tenant_id = n.tenant_id and e.id = ${sql.ref(`n.${column}`)}
    where ${of('n')} and ${of('e')} and n.created < e.created - ${CLOCKS}`

const madeIn =
  (of: Scope) =>
  ([table, name]: [string, string]): RawBuilder<unknown> =>
    sql`
    select tenant_id, ${name}::text || ' ' || id as subject, created from ${sql.table(table)}
    where ${of(table)}`
