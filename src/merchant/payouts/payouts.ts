/** Public functions of payouts: the merchant's, its statement, and those of the operator. */

import { emit } from '#events/outbox.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { listPage } from '#kit/http/lists.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError, unwrap } from '#lib/result.ts'
import { payoutMarked } from './events.ts'
import { findPlace, listAllPayouts } from './operator_store.ts'
import { presentOperatorPayout, presentPayout } from './present.ts'
import { checkMove } from './rules.ts'
import type {
  OperatorPayout,
  OperatorPayoutsQuery,
  Payout,
  PayoutMark,
  PayoutsQuery,
} from './schema.ts'
import { findPayout, listPayoutRows, lockPayout, updatePayout } from './store.ts'

export { auditPayouts } from './audit.ts'

/** The payouts of the calling merchant, newest first. */
export async function listPayouts(
  ctx: Context,
  { limit, after, ...filter }: PayoutsQuery,
): Promise<Page<Payout>> {
  const page = await listPage('payouts', { limit, after }, (range) =>
    listPayoutRows(ctx, { ...filter, merchant_id: ctx.actor.id }, range),
  )
  return { ...page, data: page.data.map(presentPayout) }
}

/** A payout of the calling merchant. */
export async function getPayout(ctx: Context, id: string): Promise<Payout> {
  const row = await findPayout(ctx, ctx.actor.id, id)
  if (!row) throw new ApiError('not_found')
  return presentPayout(row)
}

/** The payouts of all tenants, newest first. */
export async function listAsOperator(
  ctx: Context,
  { limit, after, ...filter }: OperatorPayoutsQuery,
): Promise<Page<OperatorPayout>> {
  const page = await listPage('all_payouts', { limit, after }, (range) =>
    listAllPayouts(ctx, filter, range),
  )
  return { ...page, data: page.data.map(presentOperatorPayout) }
}

/**
 * Records that the operator has paid a payout, or could not (D-738). Fails with
 * `payout_status_refused` if its status does not lead to that one.
 */
export function markPayout(
  ctx: Context | Tx,
  id: string,
  to: 'PAID' | 'FAILED',
  { reference }: PayoutMark,
): Promise<OperatorPayout> {
  return transact(ctx, async (tx) => {
    const { within, before } = await locked(tx, id)
    const status = unwrap(checkMove(before.status, to))
    const row = { ...before, status, reference, modified: within.now }
    await updatePayout(within, row)
    await emit(within, payoutMarked(row))
    return presentOperatorPayout(row)
  })
}

/** A payout of any merchant, which no other request changes until the transaction ends. */
export async function lockAnyPayout(tx: Tx, id: string): Promise<OperatorPayout> {
  return presentOperatorPayout((await locked(tx, id)).before)
}

async function locked(tx: Tx, id: string) {
  const within = await withinTenantOf(tx, id)
  const before = await lockPayout(within, id)
  if (!before) throw new ApiError('not_found')
  return { within, before }
}

/** Actions of the operator on a payout have the tenant's time (D-70). */
async function withinTenantOf(tx: Tx, id: string): Promise<Tx> {
  const place = await findPlace(tx, id)
  if (!place) throw new ApiError('not_found')
  const now = new Date(tx.now.getTime() + Number(place.clock_offset_ms))
  tx.audited?.within(place.tenant_id, now)
  return { ...tx, tenant_id: place.tenant_id, now }
}
