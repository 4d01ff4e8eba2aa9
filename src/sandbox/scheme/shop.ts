/**
 * Both sides of a dispute in one sandbox: a chargeback of the issuer is taken from the merchant
 * of the same tenant, and the merchant's answer reaches the issuer, as the scheme would carry them.
 */

import { recordNetworkMove } from '#issuing/disputes/disputes.ts'
import type { Dispute } from '#issuing/disputes/schema.ts'
import type { Tx } from '#kit/context.ts'
import type { Reactions } from '#kit/slice.ts'
import { parseAmount } from '#lib/money.ts'
import { ApiError } from '#lib/result.ts'
import {
  findOpenChargeback,
  lockDisputedOrder,
  moveChargeback,
  openChargeback,
} from '#merchant/chargebacks/chargebacks.ts'
import { findDisputeOfOrder, findOrderOf } from './store.ts'

export const schemeReactions: Reactions = {
  async DISPUTE_STATUS_CHANGE(tx, { payload }) {
    const { dispute, dispute_status_change: change } = payload
    const order_id = await findOrderOf(tx, dispute.transaction_id)
    if (order_id === undefined) return
    if (change.new_status === 'CHARGED_BACK') return chargeBack(tx, order_id, dispute)
    const step = stepOf(dispute)
    const open = step && (await findOpenChargeback(tx, order_id))
    if (!open || (step === 'ANSWER' && open.status !== 'NEEDS_RESPONSE')) return
    await moveChargeback(tx, open.id, step)
  },
  async CHARGEBACK_STATUS_CHANGE(tx, { payload: { order_id, status } }) {
    const step = status === 'UNDER_REVIEW' ? 'REPRESENT' : 'WIN'
    if (!['UNDER_REVIEW', 'ACCEPTED', 'LOST'].includes(status)) return
    const id = await findDisputeOfOrder(tx, order_id)
    if (id !== undefined) await recordNetworkMove(tx, id, { step })
  },
}

/** The step that the merchant sees of a move of the issuer; undefined for nothing. */
function stepOf({ status, outcome }: Dispute) {
  if (status === 'REPRESENTED') return 'ANSWER'
  if (status === 'WITHDRAWN' || status === 'DRAFT') return 'WITHDRAW'
  if (outcome === undefined) return undefined
  return outcome === 'WON' ? 'LOSE' : 'WIN'
}

async function chargeBack(tx: Tx, order_id: string, dispute: Dispute): Promise<void> {
  const order = await lockDisputedOrder(tx, { id: order_id })
  if (!order) return
  const { currency, reason, reason_code } = dispute
  const read = parseAmount(dispute.amount, currency)
  // An order in another currency is charged back in whole.
  const amount = read.ok && order.currency === currency ? read.minor : undefined
  const code = reason_code === undefined ? {} : { reason_code }
  try {
    await openChargeback(tx, order, { amount, reason, ...code })
  } catch (error) {
    // The order has less left: its shop has refunded it, or another issuer's dispute took it.
    if (!(error instanceof ApiError)) throw error
  }
}
