/**
 * Both sides of a dispute in one sandbox: a chargeback of the issuer is taken from the merchant
 * of the same tenant, and the merchant's answer reaches the issuer, as the scheme would carry them.
 */

import { findDispute } from '#issuing/disputes/disputes.ts'
import type { Dispute } from '#issuing/disputes/schema.ts'
import type { Tx } from '#kit/context.ts'
import type { Reactions } from '#kit/slice.ts'
import { parseAmount, portionOf } from '#lib/money.ts'
import { ApiError } from '#lib/result.ts'
import {
  findChargeback,
  findOpenChargeback,
  lockDisputedOrder,
  moveChargeback,
  openChargeback,
} from '#merchant/chargebacks/chargebacks.ts'
import { simulateAnswer } from './scheme.ts'
import { findOrderOf } from './store.ts'

export const schemeReactions: Reactions = {
  async DISPUTE_STATUS_CHANGE(tx, { payload }) {
    const { dispute, dispute_status_change: change } = payload
    if (change.new_status === 'CHARGED_BACK') return chargeBack(tx, dispute)
    const step = stepOf(dispute)
    const open = step && (await findOpenChargeback(tx, dispute.id))
    if (!open || (step === 'ANSWER' && open.status !== 'NEEDS_RESPONSE')) return
    // Known from the second presentment on: any decision for the shop gives back its part.
    const kept = step === 'ANSWER' || step === 'WIN' ? keptOf(dispute, open.amount) : 0n
    await moveChargeback(tx, open.id, step, { kept })
  },
  async CHARGEBACK_STATUS_CHANGE(tx, { payload: { dispute_id, status } }) {
    const call = calls[status]
    const id = call && (await findChargeback(tx, dispute_id))?.dispute_id
    if (!id) return
    const { status: there } = await findDispute(tx, id)
    // A step of the issuer has moved its dispute before its echo comes here.
    const echo = call === 'represent' ? there !== 'CHARGED_BACK' : !undecided.includes(there)
    if (echo) return
    try {
      await simulateAnswer(tx, id, call, {})
    } catch (error) {
      if (!(error instanceof ApiError && refusals.includes(error.code))) throw error
      const detail = `The issuer has the dispute as ${there}, from where it cannot follow.`
      throw new ApiError('chargeback_move_refused', { detail })
    }
  },
}

/** The call by which the dispute of the issuer follows the shop's: one of the two has lost then. */
const calls = {
  NEEDS_RESPONSE: undefined,
  UNDER_REVIEW: 'represent',
  ACCEPTED: 'win',
  LOST: 'win',
  WON: 'lose',
  WITHDRAWN: 'withdraw',
} as const

const refusals: readonly string[] = ['dispute_move_refused', 'dispute_exceeds_amount']

/** The statuses in which the chargeback has left and nothing is decided. */
const undecided: readonly string[] = ['CHARGED_BACK', 'REPRESENTED', 'PRE_ARBITRATION']

/** The step that the merchant sees of a move of the issuer; undefined for nothing. */
function stepOf({ status, outcome }: Dispute) {
  if (status === 'REPRESENTED') return 'ANSWER'
  if (status === 'WITHDRAWN' || status === 'DRAFT') return 'WITHDRAW'
  if (outcome === undefined) return undefined
  return outcome === 'WON' ? 'LOSE' : 'WIN'
}

/** The part of a chargeback that stays with the cardholder of a dispute that is lost. */
function keptOf({ amount, represented_amount, currency }: Dispute, charged: bigint): bigint {
  const of = minorOf(amount, currency)
  return portionOf(charged, of, of - minorOf(represented_amount, currency))
}

function minorOf(amount: number, currency: string): bigint {
  const read = parseAmount(amount, currency)
  if (!read.ok) throw new RangeError(`the amount of a dispute ${read.message}`)
  return read.minor
}

async function chargeBack(tx: Tx, dispute: Dispute): Promise<void> {
  const { id: dispute_id, transaction_id, reason, reason_code, currency } = dispute
  const paid = await findOrderOf(tx, transaction_id)
  const order = paid && (await lockDisputedOrder(tx, { id: paid.id }))
  if (!order) return
  const minor = minorOf(dispute.amount, currency)
  // An order in another currency is charged back by the same part.
  const amount =
    order.currency === currency ? minor : portionOf(order.captured, paid.cleared_amount, minor)
  const of = { dispute_id, reason, ...(reason_code !== undefined && { reason_code }) }
  // The order may have less left: its shop has refunded it, and the refund is on its way.
  for (const wanted of [amount, undefined]) {
    try {
      await openChargeback(tx, order, { ...of, amount: wanted })
      return
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    }
  }
}
