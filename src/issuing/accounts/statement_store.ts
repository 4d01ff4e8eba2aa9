/** The entries of an account as its statement shows them, newest first. */

import { type RawBuilder, sql } from 'kysely'
import type { Context } from '#kit/context.ts'
import { isInRange, type PageRange } from '#kit/http/lists.ts'
import type { EntryMerchant } from './schema.ts'

export type EntryRow = {
  id: string
  kind: string
  /** Minor units, below zero if money left the account. */
  amount: bigint
  /** Balance after this entry. */
  balance: bigint
  currency: string
  transaction_id: string | null
  transaction_type: string | null
  card_id: string | null
  merchant: EntryMerchant | null
  notes: string | null
  created: Date
  /** `created` as the database writes it, for the cursor. */
  created_text: string
}

export type EntryFilter = {
  account_id: string
  from?: Date | undefined
  /** The end, exclusive. */
  to?: Date | undefined
  /** The balance of the first entry, if it is known. */
  balance?: bigint | undefined
}

/**
 * Undefined if the tenant has no such card account. Both sides go by their index from the first
 * entry wanted to the last, and balances are counted back from the stored balance: only entries
 * newer than the page are summed. All of it is one statement and so sees one moment.
 */
export async function listEntryRows(
  { db, tenant_id }: Context,
  filter: EntryFilter,
  range: PageRange,
): Promise<EntryRow[] | undefined> {
  const { account_id } = filter
  const { limit } = range
  const window = windowOf(filter, range)
  const { rows } = await sql<EntryRow | { id: null }>`
    with listed as (
      select * from (
        (select id, kind, -amount as amount, transaction_id, notes, created from transfers
          where tenant_id = ${tenant_id} and debit_account_id = ${account_id} and ${window}
          order by created desc, id desc limit ${limit})
        union all
        (select id, kind, amount, transaction_id, notes, created from transfers
          where tenant_id = ${tenant_id} and credit_account_id = ${account_id} and ${window}
          order by created desc, id desc limit ${limit})) sides
      order by created desc, id desc limit ${limit})
    select e.id, e.kind, e.amount, a.currency, e.transaction_id, x.transaction_type, x.card_id,
      x.merchant, e.notes, e.created, e.created::text as created_text,
      (${firstBalance(tenant_id, filter, range)} - coalesce(sum(e.amount) over (
        order by e.created desc, e.id desc rows between unbounded preceding and 1 preceding), 0)
      )::bigint as balance
    from accounts a
    left join listed e on true
    left join lateral (
      select card_id, transaction_type, details -> 'merchant' as merchant from transactions
      where tenant_id = ${tenant_id} and id = e.transaction_id limit 1) x on true
    where a.tenant_id = ${tenant_id} and a.id = ${account_id} and a.kind = 'CARD'
    order by e.created desc, e.id desc`.execute(db)
  if (rows.length === 0) return undefined
  return rows.filter((row) => row.id !== null)
}

function windowOf({ from, to }: EntryFilter, range: PageRange): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (from) conditions.push(sql`created >= ${from}`)
  if (to) conditions.push(sql`created < ${to}`)
  conditions.push(isInRange(range))
  return sql.join(conditions, sql` and `)
}

/**
 * The stored balance of the account, less all that is newer than the page; the balance itself if
 * the page begins at the newest entry. The range to infinity excludes nothing, but PostgreSQL
 * estimates it as a narrow one.
 */
function firstBalance(
  tenant_id: string,
  filter: EntryFilter,
  range: PageRange,
): RawBuilder<unknown> {
  const { account_id, balance } = filter
  if (balance !== undefined) return sql`${balance}::numeric`
  const end = endOf(filter, range)
  if (!end) return sql`a.balance`
  const newer = sql`(created, id) >= (${end.created}::timestamptz, ${end.id}::uuid)
    and created between ${end.created}::timestamptz and 'infinity'`
  return sql`(a.balance
    + (select coalesce(sum(amount), 0) from transfers
      where tenant_id = ${tenant_id} and debit_account_id = ${account_id} and ${newer})
    - (select coalesce(sum(amount), 0) from transfers
      where tenant_id = ${tenant_id} and credit_account_id = ${account_id} and ${newer}))`
}

const LOWEST_ID = '00000000-0000-0000-0000-000000000000'

/** The first place past the page on its newer side: `after` or `to`, whichever is earlier. */
function endOf({ to }: EntryFilter, { after }: PageRange) {
  if (after && (!to || new Date(after.created) < to)) return after
  return to && { created: to, id: LOWEST_ID }
}
