/** The statements of the operator, who belongs to no tenant: these read all of them. */

import { type RawBuilder, sql } from 'kysely'
import type { Context } from '#kit/context.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import type { OperatorPayoutsQuery } from './schema.ts'
import type { PayoutRow } from './store.ts'

/** Status is text of the statement: only so can the partial index serve what is unpaid. */
export async function listAllPayouts(
  { db }: Context,
  { tenant_id, merchant_id, currency, status }: OperatorPayoutsQuery,
  range: PageRange,
): Promise<PayoutRow[]> {
  const conditions: (RawBuilder<boolean> | undefined)[] = [
    tenant_id === undefined ? undefined : sql`tenant_id = ${tenant_id}`,
    merchant_id === undefined ? undefined : sql`merchant_id = ${merchant_id}`,
    currency === undefined ? undefined : sql`currency = ${currency}`,
    status && sql`status = ${sql.lit(status)}`,
  ]
  const all = db.selectFrom('payouts').selectAll()
  const found = conditions.reduce((some, one) => (one ? some.where(one) : some), all)
  const rows = await selectRange(found, range).execute()
  return rows
}

/** The tenant of a payout, and how far its clock is ahead. */
export async function findPlace(
  { db }: Context,
  id: string,
): Promise<{ tenant_id: string; clock_offset_ms: bigint } | undefined> {
  const { rows } = await sql<{ tenant_id: string; clock_offset_ms: bigint }>`
    select t.id as tenant_id, t.clock_offset_ms
    from payouts p join tenants t on t.id = p.tenant_id
    where p.id = ${id}`.execute(db)
  return rows[0]
}
