/** Payouts of a tenant's merchants; `operator_store.ts` has the statements over all tenants. */

import { type Selectable, sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import type { Database } from '#kit/db/tables.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import type { PayoutStatus } from './schema.ts'

export type PayoutRow = Selectable<Database['payouts']>

export async function insertPayout({ db }: Tx, row: PayoutRow): Promise<void> {
  await db.insertInto('payouts').values(row).execute()
}

/** The newest of the merchant and the currency. */
export function findNewestPayout(
  { db, tenant_id }: Context,
  { merchant_id, currency }: { merchant_id: string; currency: string },
): Promise<PayoutRow | undefined> {
  return db
    .selectFrom('payouts')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('merchant_id', '=', merchant_id)
    .where('currency', '=', currency)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export function findPayout(
  { db, tenant_id }: Context,
  merchant_id: string,
  id: string,
): Promise<PayoutRow | undefined> {
  return db
    .selectFrom('payouts')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function lockPayout({ db, tenant_id }: Tx, id: string): Promise<PayoutRow | undefined> {
  return db
    .selectFrom('payouts')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function updatePayout({ db, tenant_id }: Tx, row: PayoutRow): Promise<void> {
  const { status, reference, modified } = row
  await db
    .updateTable('payouts')
    .set({ status, reference, modified })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', row.id)
    .execute()
}

type PayoutFilter = {
  merchant_id: string
  status?: PayoutStatus | undefined
  currency?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

export function listPayoutRows(
  { db, tenant_id }: Context,
  { merchant_id, status, currency, from, to }: PayoutFilter,
  range: PageRange,
): Promise<PayoutRow[]> {
  const found = db
    .selectFrom('payouts')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('merchant_id', '=', merchant_id)
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'PENDING'))
    .$if(currency !== undefined, (query) => query.where('currency', '=', currency ?? ''))
    .$if(from !== undefined, (query) => query.where('created', '>=', new Date(from ?? '')))
    .$if(to !== undefined, (query) => query.where('created', '<', new Date(to ?? '')))
  return selectRange(found, range).execute()
}

/**
 * The sum owed to a merchant, minor units by currency: payouts that are not paid, the amount that
 * is carried on, and operations that are in no payout yet. One statement, so a payout that is made
 * meanwhile counts once.
 */
export async function listOwed(
  { db, tenant_id }: Context,
  merchant_id: string,
): Promise<{ currency: string; amount: bigint }[]> {
  const own = sql`tenant_id = ${tenant_id} and merchant_id = ${merchant_id}`
  const { rows } = await sql<{ currency: string; amount: bigint }>`
    select currency, sum(amount)::bigint as amount from (
      select currency, amount from payouts where ${own} and status in ('PENDING', 'FAILED')
      union all
      select currency, amount from (
        select distinct on (currency) currency, status, amount from payouts
        where ${own} order by currency, number desc) newest
      where status = 'CARRIED'
      union all
      select currency, case when type = 'CAPTURE' then amount else -amount end - fee
      from order_operations where ${own} and payable is not null
      union all
      select currency, case when type = 'CHARGEBACK' then -amount else amount end - fee
      from chargeback_entries where ${own} and payable is not null) owed
    group by currency`.execute(db)
  return rows
}
