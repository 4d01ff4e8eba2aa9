/** Public functions of chargebacks: the disputes of a merchant's orders (D-1065). */

import { emit } from '#events/outbox.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { asInvalid, invalid } from '#kit/http/answers/problems.ts'
import { listPage, type PageRange } from '#kit/http/lists.ts'
import { newId } from '#lib/id.ts'
import { parseAmount } from '#lib/money.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError, unwrap } from '#lib/result.ts'
import { addDays } from '#lib/time.ts'
import { getFees } from '#merchant/merchants/merchants.ts'
import { feeOf } from '#merchant/merchants/rules.ts'
import { findChargedBack, payableFrom } from '#merchant/orders/orders.ts'
import { chargebackMoved } from './events.ts'
import { assertSendable } from './files.ts'
import { findPlace } from './operator_store.ts'
import { presentChargeback } from './present.ts'
import { type ChargebackStep, checkAmount, checkMove, givesBack, RESPONSE_DAYS } from './rules.ts'
import type {
  Chargeback,
  ChargebackRow,
  ChargebacksQuery,
  Evidence,
  NewChargeback,
} from './schema.ts'
import {
  type DisputedOrder,
  findChargeback,
  findRefunding,
  insertChargeback,
  insertEntry,
  listChargebackRows,
  lockChargeback,
  lockDisputedOrder,
  updateChargeback,
} from './store.ts'

export { auditChargebacks } from './audit.ts'
export { listSentFiles, sealedChargebackFileKeys } from './files.ts'
export type { EvidenceStore } from './provider.ts'
export {
  chargebacksDue,
  entriesDue,
  findChargeback,
  findOpenChargeback,
  findPayableEntry,
  findTakingChargeback,
  listChargedDays,
  lockDisputedOrder,
  lockPayableEntries,
  updateEntriesPaidOut,
} from './store.ts'

/** The disputes of the calling merchant, newest first or by their deadline (D-1222). */
export async function listChargebacks(
  ctx: Context,
  query: ChargebacksQuery,
): Promise<Page<Chargeback>> {
  const [name, keyOf] = query.sort_by === 'respond_by' ? byDeadline : byCreation
  const read = (range: PageRange) => listChargebackRows(ctx, query, range)
  const page = await listPage(name, query, read, keyOf)
  return { ...page, data: page.data.map(presentChargeback) }
}

const keyAt = ({ id }: ChargebackRow, at: Date) => ({ id, created: at.toISOString() })
const byCreation = ['chargebacks', (row: ChargebackRow) => keyAt(row, row.created)] as const
const byDeadline = [
  'chargebacks by deadline',
  (row: ChargebackRow) => keyAt(row, row.respond_by ?? row.created),
] as const

/** A dispute of the calling merchant. */
export async function getChargeback(ctx: Context | Tx, id: string): Promise<Chargeback> {
  const row = await findChargeback(ctx, id)
  if (row?.merchant_id !== ctx.actor.id) throw new ApiError('not_found')
  return presentChargeback(row)
}

/** A dispute of the calling merchant, which no other request changes until the transaction ends. */
export async function lockOwnChargeback(tx: Tx, id: string): Promise<Chargeback> {
  const row = await lockChargeback(tx, id)
  if (row?.merchant_id !== tx.actor.id) throw new ApiError('not_found')
  return presentChargeback(row)
}

/** Evidence against a dispute, which is under review then (D-1065); its files are sent with it. */
export function answerChargeback(
  ctx: Context | Tx,
  id: string,
  evidence: Evidence,
): Promise<Chargeback> {
  return ownMove(ctx, id, 'ANSWER', evidence)
}

/** The merchant does not contest a dispute: the amount is not given back. */
export const acceptChargeback = (ctx: Context | Tx, id: string): Promise<Chargeback> =>
  ownMove(ctx, id, 'ACCEPT')

function ownMove(ctx: Context | Tx, id: string, step: ChargebackStep, evidence?: Evidence) {
  return transact(ctx, async (tx) => {
    await getChargeback(tx, id)
    return presentChargeback(await moveChargeback(tx, id, step, evidence && { evidence }))
  })
}

/** The operator records the amount that the network took back of an order. */
export function recordChargeback(
  ctx: Context | Tx,
  { merchant_id, reference, ...input }: NewChargeback,
): Promise<Chargeback> {
  return transact(ctx, async (tx) => {
    const isNone = asInvalid('merchant_id', 'names no merchant')
    const within = await withinTenantOf(tx, 'merchants', merchant_id).catch(isNone)
    const order = await lockDisputedOrder(within, { merchant_id, reference })
    if (!order) throw invalid('reference', 'names no order of the merchant')
    const wanted = readAmount(input.amount, order.currency)
    return presentChargeback(await openChargeback(within, order, { ...input, amount: wanted }))
  })
}

/** The operator records the next step of a dispute. */
export function recordChargebackStep(
  ctx: Context | Tx,
  id: string,
  step: ChargebackStep,
): Promise<Chargeback> {
  return transact(ctx, async (tx) => {
    const within = await withinTenantOf(tx, 'chargebacks', id)
    return presentChargeback(await moveChargeback(within, id, step))
  })
}

/** A dispute of any merchant, which no other request changes until the transaction ends. */
export async function lockAnyChargeback(tx: Tx, id: string): Promise<Chargeback> {
  const row = await lockChargeback(await withinTenantOf(tx, 'chargebacks', id), id)
  if (!row) throw new ApiError('not_found')
  return presentChargeback(row)
}

type Opening = Pick<NewChargeback, 'reason' | 'reason_code' | 'respond_by'> & {
  /** The dispute of an issuer of the same tenant. */
  dispute_id?: string
  /** Minor units; all that is left of the order if it is undefined. */
  amount: bigint | undefined
}

/** Takes the amount and the fee from the merchant. The caller has locked the order. */
export async function openChargeback(
  tx: Tx,
  order: DisputedOrder,
  { amount: wanted, dispute_id, reason, reason_code, respond_by }: Opening,
): Promise<ChargebackRow> {
  const { merchant_id, currency } = order
  const charged_back = await findChargedBack(tx, order.id)
  // A refund under way is counted: if it succeeds, the shop would pay twice (D-1370).
  const refunded = order.refunded + (await findRefunding(tx, order.id))
  const amount = unwrap(checkAmount({ ...order, refunded, charged_back }, wanted))
  const fee = feeOf(await getFees(tx, merchant_id), { type: 'CHARGEBACK', amount, currency })
  const row: ChargebackRow = {
    tenant_id: tx.tenant_id,
    id: newId(),
    merchant_id,
    order_id: order.id,
    dispute_id: dispute_id ?? null,
    reference: order.reference,
    status: 'NEEDS_RESPONSE',
    reason,
    reason_code: reason_code ?? null,
    amount,
    currency,
    kept: 0n,
    fee,
    evidence: {},
    respond_by: respond_by === undefined ? addDays(tx.now, RESPONSE_DAYS) : new Date(respond_by),
    created: tx.now,
    modified: tx.now,
  }
  await insertChargeback(tx, row)
  await book(tx, row, 'CHARGEBACK', fee)
  await emit(tx, chargebackMoved(row))
  return row
}

/**
 * A refund that was under way has failed, and left more of the order than was there: the
 * chargeback takes it, up to `wanted` in minor units (D-1413). One that has given its amount back
 * takes nothing.
 */
export async function raiseChargeback(tx: Tx, id: string, wanted: bigint): Promise<void> {
  const seen = await findChargeback(tx, id)
  const order = seen && (await lockDisputedOrder(tx, { id: seen.order_id }))
  const before = seen && (await lockChargeback(tx, id))
  if (!order || !before || givesBack(before.status)) return
  const taken = (await findChargedBack(tx, order.id)) + (await findRefunding(tx, order.id))
  const left = order.captured - order.refunded - taken
  const missing = wanted - before.amount
  const more = left < missing ? left : missing
  if (more <= 0n) return
  const row: ChargebackRow = { ...before, amount: before.amount + more, modified: tx.now }
  await updateChargeback(tx, row)
  await book(tx, { ...row, amount: more }, 'CHARGEBACK', 0n)
  await emit(tx, chargebackMoved(row))
}

type Moving = {
  evidence?: Evidence
  /**
   * The part of the amount that is not given back by a step that gives back; minor units. One that
   * is under review may have it already.
   */
  kept?: bigint
}

/**
 * Fails with `chargeback_move_refused`, and evidence with `file_held` and 400. The order is locked
 * before its dispute.
 */
export async function moveChargeback(
  tx: Tx,
  id: string,
  step: ChargebackStep,
  { evidence, kept: part }: Moving = {},
): Promise<ChargebackRow> {
  const seen = await findChargeback(tx, id)
  if (!seen) throw new ApiError('not_found')
  await lockDisputedOrder(tx, { id: seen.order_id })
  const before = await lockChargeback(tx, id)
  if (!before) throw new ApiError('not_found')
  const status = unwrap(checkMove(before.status, step))
  if (evidence) await assertSendable(tx, id, evidence)
  const kept = part ?? (givesBack(status) ? before.kept : 0n)
  const row: ChargebackRow = {
    ...before,
    status,
    ...(evidence && { evidence }),
    kept,
    respond_by: null,
    modified: tx.now,
  }
  await updateChargeback(tx, row)
  if (givesBack(status) && row.amount > kept) await book(tx, row, 'CHARGEBACK_REVERSAL', 0n)
  await emit(tx, chargebackMoved(row))
  return row
}

function book(tx: Tx, row: ChargebackRow, type: 'CHARGEBACK' | 'CHARGEBACK_REVERSAL', fee: bigint) {
  const { id: chargeback_id, merchant_id, currency } = row
  const amount = row.amount - row.kept
  const payable = payableFrom(tx.now)
  const entry = { id: newId(), chargeback_id, merchant_id, currency, type, amount, fee, payable }
  return insertEntry(tx, entry)
}

/** Actions of the operator have the tenant's time (D-70). */
async function withinTenantOf(
  tx: Tx,
  ...of: [table: 'merchants' | 'chargebacks', id: string]
): Promise<Tx> {
  const place = await findPlace(tx, ...of)
  if (!place) throw new ApiError('not_found')
  const now = new Date(tx.now.getTime() + Number(place.clock_offset_ms))
  tx.audited?.within(place.tenant_id, now)
  return { ...tx, tenant_id: place.tenant_id, now }
}

function readAmount(amount: number | string | undefined, currency: string): bigint | undefined {
  if (amount === undefined) return undefined
  const parsed = parseAmount(amount, currency)
  if (!parsed.ok) throw invalid('amount', parsed.message)
  if (parsed.minor === 0n) throw invalid('amount', 'must be above zero')
  return parsed.minor
}
