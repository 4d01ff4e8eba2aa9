/** The booked operations, and those among them that are in no payout yet (D-735 to D-739). */

import { sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import { idArray } from '#kit/db/arrays.ts'
import type { OperationRow } from './store.ts'

type Payable = { merchant_id: string; currency: string; payable: Date }

/** A merchant, currency and day of which something is to be paid out; the longest due. */
export function findPayable({ db, tenant_id, now }: Context): Promise<Payable | undefined> {
  return db
    .selectFrom('order_operations')
    .select(['merchant_id', 'currency', sql<Date>`payable`.as('payable')])
    .where('tenant_id', '=', tenant_id)
    .where('payable', '<=', now)
    .orderBy('payable')
    .limit(1)
    .executeTakeFirst()
}

export type PayableRow = Pick<OperationRow, 'id' | 'type' | 'amount' | 'fee'>

/** At most `limit` of its operations, locked. */
export function lockPayable(
  { db, tenant_id }: Tx,
  { merchant_id, currency, payable }: Payable,
  limit: number,
): Promise<PayableRow[]> {
  return db
    .selectFrom('order_operations')
    .select(['id', 'type', 'amount', 'fee'])
    .where('tenant_id', '=', tenant_id)
    .where('payable', '=', payable)
    .where('merchant_id', '=', merchant_id)
    .where('currency', '=', currency)
    .orderBy('created')
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute()
}

/** Puts locked operations into a payout. */
export async function updateOperationsPaidOut(
  { db, tenant_id }: Tx,
  payout_id: string,
  ids: readonly string[],
): Promise<void> {
  await sql`
    update order_operations set payout_id = ${payout_id}, payable = null
    where tenant_id = ${tenant_id} and id = any (${idArray(ids)}::uuid[])`.execute(db)
}

/** Minor units; `day` is YYYY-MM-DD in UTC. */
export type BookedDay = {
  currency: string
  day: string
  captures: number
  captured: bigint
  refunds: number
  refunded: bigint
  fees: bigint
}

/** The sums that a merchant has booked in a period, by currency and day, in their order. */
export async function listBookedDays(
  { db, tenant_id }: Context,
  merchant_id: string,
  { first, end }: { first: Date; end: Date },
): Promise<BookedDay[]> {
  const { rows } = await sql<BookedDay>`
    select currency, to_char(booked at time zone 'UTC', 'YYYY-MM-DD') as day,
      count(*) filter (where type = 'CAPTURE')::int as captures,
      coalesce(sum(amount) filter (where type = 'CAPTURE'), 0)::bigint as captured,
      count(*) filter (where type = 'REFUND')::int as refunds,
      coalesce(sum(amount) filter (where type = 'REFUND'), 0)::bigint as refunded,
      sum(fee)::bigint as fees
    from order_operations
    where tenant_id = ${tenant_id} and merchant_id = ${merchant_id}
      and booked >= ${first} and booked < ${end}
    group by currency, day order by currency, day`.execute(db)
  return rows
}
