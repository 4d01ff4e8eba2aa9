/**
 * Payments, captures and refunds that come to no outcome by themselves, and how the operator ends
 * them with the issuer's outcome (D-960). Here because this program's own issuer is asked, and
 * neither API module imports the other.
 */

import { type Context, type Tx, transact } from '#kit/context.ts'
import { upsertDueTimes } from '#kit/db/due_times.ts'
import { listPage } from '#kit/http/lists.ts'
import { formatAmount } from '#lib/money.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError } from '#lib/result.ts'
import { endMessage } from '#merchant/acquirer/acquirer.ts'
import { endPayment } from '#merchant/checkouts/checkouts.ts'
import { capturedAndRefunded, endOperation, openOrder } from '#merchant/orders/orders.ts'
import type { EndedPayment, EndInput, StuckPayment, StuckQuery } from './schema.ts'
import { findBooked, findWaiting, isKnown, listStuck, type WaitingRow } from './store.ts'

/** The stuck payments of all tenants, newest first. */
export async function listStuckPayments(
  ctx: Context,
  { limit, after, ...filter }: StuckQuery,
): Promise<Page<StuckPayment>> {
  const page = await listPage('stuck_payments', { limit, after }, (range) =>
    listStuck(ctx, filter, range),
  )
  return { ...page, data: page.data.map(present) }
}

/**
 * Ends one with the outcome that its issuer states, as an answer would have. 404, and 409
 * `payment_already_ended`, `payment_not_stuck`, `payment_outcome_contradicted`.
 */
export function endStuckPayment(
  ctx: Context | Tx,
  id: string,
  { outcome, note }: EndInput,
  own_issuer: boolean,
): Promise<EndedPayment> {
  return transact(ctx, async (tx) => {
    const found = await findWaiting(tx, id)
    if (!found) throw new ApiError((await isKnown(tx, id)) ? 'payment_already_ended' : 'not_found')
    if (!found.stuck) throw new ApiError('payment_not_stuck')
    const now = new Date(tx.now.getTime() + Number(found.clock_offset_ms))
    tx.audited?.within(found.tenant_id, now)
    const dueTimes = { tenant_id: found.tenant_id, times: new Map() }
    const within = { ...tx, tenant_id: found.tenant_id, now, dueTimes }
    const approved = outcome === 'APPROVED'
    if (own_issuer && found.issuer === null) await requireSame(within, found, approved)
    const { checkout_id, operation_id, order_id } = found
    const of = {
      message_id: found.id,
      approved,
      end: () => endMessage(within, found.id, { approved, note }),
    }
    const ended =
      checkout_id !== null
        ? await endPayment(within, openOrder, { ...of, id: checkout_id })
        : await endOperation(within, { ...of, id: operation_id ?? '', order_id: order_id ?? '' })
    if (dueTimes.times.size > 0) await upsertDueTimes(within.db, dueTimes).start()
    if (!ended) throw new ApiError('payment_already_ended')
    return { ...present(found), outcome, note, ended: now }
  })
}

/** The books of this program's issuer have the last word about its own cards. */
async function requireSame(tx: Tx, found: WaitingRow, approved: boolean): Promise<void> {
  const { booked, returned, held } = await findBooked(tx, found.rrn)
  const { type, amount, order_id } = found
  const order = order_id === null ? undefined : await capturedAndRefunded(tx, order_id)
  const before = type === 'CAPTURE' ? order?.captured : order?.refunded
  const moved = type === 'CAPTURE' ? booked : returned
  const took = type === 'PAYMENT' ? booked + held > 0n : moved >= (before ?? 0n) + amount
  if (took === approved) return
  const detail =
    `The transactions of ${found.rrn} hold ${held}, posted ${booked} and returned ${returned} ` +
    'in minor units.'
  throw new ApiError('payment_outcome_contradicted', { detail })
}

function present(row: WaitingRow): StuckPayment {
  const { id, tenant_id, merchant_id, type, reference, currency, rrn, created } = row
  const { checkout_id, order_id, operation_id, issuer } = row
  return {
    id,
    tenant_id,
    merchant_id,
    type,
    reference,
    currency,
    rrn,
    created,
    amount: formatAmount(row.amount, currency),
    reason: row.sendable ? 'UNANSWERED' : 'CARD_MISSING',
    ...(checkout_id !== null && { checkout_id }),
    ...(order_id !== null && { order_id }),
    ...(operation_id !== null && { operation_id }),
    ...(issuer !== null && { issuer }),
  }
}
