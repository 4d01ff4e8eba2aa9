/**
 * Both sides of a dispute in one sandbox: a chargeback of the issuer is taken from the merchant
 * of the same tenant, and the merchant's answer reaches the issuer, as the scheme would carry them.
 */

import { addMerchantFiles, findDispute, type MerchantFile } from '#issuing/disputes/disputes.ts'
import type { Dispute } from '#issuing/disputes/schema.ts'
import type { Tx } from '#kit/context.ts'
import { NOTE_LENGTH } from '#kit/http/schema.ts'
import type { Reactions } from '#kit/slice.ts'
import { parseAmount, portionOf } from '#lib/money.ts'
import { ApiError } from '#lib/result.ts'
import {
  findChargeback,
  findOpenChargeback,
  findTakingChargeback,
  listSentFiles,
  lockDisputedOrder,
  moveChargeback,
  openChargeback,
  raiseChargeback,
} from '#merchant/chargebacks/chargebacks.ts'
import { type Evidence, evidenceNames } from '#merchant/chargebacks/schema.ts'
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
    if (!call) return
    const row = await findChargeback(tx, dispute_id)
    const id = row?.dispute_id
    if (!id) return
    const { status: there } = await findDispute(tx, id)
    // A step of the issuer has moved its dispute before its echo comes here.
    const echo = call === 'represent' ? there !== 'CHARGED_BACK' : !undecided.includes(there)
    if (echo) return
    try {
      const note = call === 'represent' ? noteOf(row.evidence) : ''
      await simulateAnswer(tx, id, call, note === '' ? {} : { note })
      if (call === 'represent') await addMerchantFiles(tx, id, await sentFiles(tx, row.id))
    } catch (error) {
      if (!(error instanceof ApiError && refusals.includes(error.code))) throw error
      const detail = `The issuer has the dispute as ${there}, from where it cannot follow.`
      throw new ApiError('chargeback_move_refused', { detail })
    }
  },
}

/** The texts of a shop's evidence as the note of the second presentment, each by its share. */
function noteOf(evidence: unknown): string {
  // The column holds what the contract has let in: texts by their names.
  const texts = evidence as Evidence
  const named = evidenceNames.flatMap((name) => (texts[name] ? [`${name}: ${texts[name]}`] : []))
  const most = Math.floor(NOTE_LENGTH / (named.length || 1)) - SEPARATOR.length
  const cut = (text: string) => (text.length > most ? `${text.slice(0, most - 1)}…` : text)
  return named.map(cut).join(SEPARATOR)
}
const SEPARATOR = '; '

async function sentFiles(tx: Tx, id: string): Promise<MerchantFile[]> {
  const files = await listSentFiles(tx, id)
  return files.map(
    ({ file_name, content_type, size, sha256, blob_key, sealed_key, scan_status }) => ({
      ...{ file_name, content_type, size, sha256, blob_key, sealed_key, scan_status },
    }),
  )
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

/**
 * A refund was under way when the shop was charged back, and has failed since: the shop's side
 * takes what it lacks of the dispute (D-1413).
 */
export async function catchUp(tx: Tx, id: string): Promise<void> {
  const dispute = await findDispute(tx, id)
  const taking = await findTakingChargeback(tx, id)
  if (taking) return raiseChargeback(tx, taking.id, minorOf(dispute.amount, dispute.currency))
  await chargeBack(tx, dispute)
  const opened = await findOpenChargeback(tx, id)
  const step = opened && stepOf(dispute)
  if (!step) return
  await moveChargeback(tx, opened.id, step, { kept: keptOf(dispute, opened.amount) })
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
