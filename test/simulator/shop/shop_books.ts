/** The books of shop and issuer about orders, compared with the shop's belief. */

import { sql } from 'kysely'
import type { Shop } from '#test/e2e/shop.ts'
import { FEES, feeOfCapture, total } from './order_belief.ts'
import type { Bought } from './shop_round.ts'

export type Sums = { paid: bigint; held: bigint; captured: bigint; refunded: bigint; fees: bigint }

type OrderState = {
  status: string
  authorized: bigint
  captured: bigint
  refunded: bigint
}

/** The faults of an order, and its sums. */
export async function lookAt(
  shop: Shop,
  { reference, captures, refunds }: Bought,
): Promise<{ faults: string[]; sums: Sums }> {
  const { rows } = await sql<OrderState>`
    select status, authorized, captured, refunded from orders
    where tenant_id = ${shop.tenant.id} and reference = ${reference}`.execute(shop.db)
  const [order] = rows
  if (!order) throw new Error(`order ${reference} is missing`)
  const { status, authorized, captured, refunded } = order
  const own = captures.thatMake(captured)
  const given = refunds.thatMake(refunded)
  const fees = total((own ?? []).map(feeOfCapture)) + BigInt(given?.length ?? 0) * FEES.refund
  return {
    faults: [
      ...(own ? [] : [`${reference} says ${captured} captured, which the captures do not make`]),
      ...(given ? [] : [`${reference} says ${refunded} refunded, which the refunds do not make`]),
      ...(captured > authorized ? [`${reference}: more is captured than authorized`] : []),
      ...(refunded > captured ? [`${reference}: more is refunded than captured`] : []),
    ],
    sums: {
      captured,
      refunded,
      fees,
      paid: captured - refunded,
      held: status === 'OPENED' ? authorized - captured : 0n,
    },
  }
}

/** The sums of all the merchant's orders that were paid out or are carried over. */
export async function paidOut(shop: Shop): Promise<Pick<Sums, 'captured' | 'refunded' | 'fees'>> {
  const { rows } = await sql<Pick<Sums, 'captured' | 'refunded' | 'fees'>>`
    select coalesce(sum(captured), 0)::bigint as captured,
      coalesce(sum(refunded), 0)::bigint as refunded, coalesce(sum(fees), 0)::bigint as fees
    from payouts
    where tenant_id = ${shop.tenant.id} and merchant_id = ${shop.merchant.id}`.execute(shop.db)
  const [sums] = rows
  if (!sums) throw new Error('a sum is always a row')
  return sums
}
