/**
 * Payments that a merchant makes with a kept card, without the customer (D-775). Each is a checkout
 * without a page that is paid at once, so that a reference has one payment whichever way it is
 * paid, and an interrupted or unknown payment ends as every other: it is reversed.
 */

import { recordChange } from '#kit/audit_log/records.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { holdKey, keepAnswer } from '#kit/http/idempotency.ts'
import { findOfSameRequest, unlessStored } from '#kit/http/joining.ts'
import type { Keep } from '#kit/http/route.ts'
import { newId } from '#lib/id.ts'
import { ApiError } from '#lib/result.ts'
import {
  insist,
  type Ready,
  recordAuthorization,
  reserveStamp,
  type Stamp,
  send,
} from '#merchant/acquirer/acquirer.ts'
import { takeKeptCard } from '#merchant/kept_cards/kept_cards.ts'
import { getMerchant } from '#merchant/merchants/merchants.ts'
import { newRow, planOf, supersede } from './creation.ts'
import { PAYING_MS, type PaymentServices, RECORDING_MS, recordOutcome } from './payment.ts'
import { presentKeptPayment } from './present.ts'
import { checkPayment } from './rules/request.ts'
import type { KeptPayment, NewKeptPayment } from './schema.ts'
import {
  type CheckoutRow,
  findCheckoutById,
  findCheckoutByKey,
  insertCheckout,
  isPaid,
  lockReference,
  lockUnfinishedCheckout,
} from './store.ts'
import { outcomeUnknown } from './unknown.ts'
import { untilKnown } from './waiting.ts'

type PayRequest = {
  ctx: Context
  api: PaymentServices
  /** The id of the payment that this request may begin, and the stamp of its message. */
  id: string
  stamp: Stamp
  kept_card_id: string
  request: NewKeptPayment
  keep: Keep | undefined
}

type Turn =
  | { kind: 'answered'; result: KeptPayment }
  | { kind: 'begun'; ready: Ready }
  /**
   * The payment was begun by an earlier transaction of this request, or by another under the same
   * key.
   */
  | { kind: 'paying'; id: string }

/**
 * Pays with a kept card of the calling merchant and returns the result: the order that it made, or
 * why no money was moved. Fails with `outcome_unknown` if that is not known within 30 seconds: a
 * repeat under the same key then joins the payment.
 */
export async function payKept(
  ctx: Context,
  api: PaymentServices,
  kept_card_id: string,
  request: NewKeptPayment,
  keep?: Keep,
): Promise<KeptPayment> {
  const start = performance.now()
  const [id, stamp] = [newId(), await reserveStamp(ctx)]
  const paying: PayRequest = { ctx, api, id, stamp, kept_card_id, request, keep }
  /** The message of this request, until it is sent. */
  let unsent: Ready | undefined
  const turnOf = () =>
    transact(ctx, async (tx) => {
      const next = await tryToBegin(tx, paying)
      if (next.kind === 'begun') unsent = next.ready
      return next
    })
  return untilKnown({
    start,
    async pass(_, begin) {
      const turn = await turnOf()
      if (turn.kind === 'answered') return turn
      begin()
      const isOwn = turn.kind === 'begun' || turn.id === id
      const ready: Ready | undefined = isOwn ? unsent : undefined
      if (!ready) return undefined
      unsent = undefined
      if (!(await sendOnce(paying, ready))) return undefined
      const ended = await turnOf()
      return ended.kind === 'answered' ? ended : undefined
    },
    notBegun: outcomeUnknown,
  })
}

/** Fails with the faults of the request, and changes nothing. */
export async function checkKeptPayment(ctx: Context, request: NewKeptPayment): Promise<void> {
  const isUsed = await isPaid(ctx, ctx.actor.id, String(request.reference))
  planOf(checkPayment(request), isUsed)
}

/** Whether the outcome is known. */
async function sendOnce({ ctx, api, id, request }: PayRequest, ready: Ready): Promise<boolean> {
  const end = performance.now() + RECORDING_MS
  const outcome = await send(ctx, api.link, ready)
  const named = { id, merchant_id: ctx.actor.id, reference: String(request.reference) }
  const sent = { ...named, message_id: ready.message.id, outcome, card: ready.card }
  const { status } = await insist(end, () => transact(ctx, (tx) => recordOutcome(tx, api, sent)))
  return status !== 'PAYING'
}

async function tryToBegin(tx: Tx, paying: PayRequest): Promise<Turn> {
  const { api, id, stamp, kept_card_id, request, keep } = paying
  const merchant_id = tx.actor.id
  const reference = String(request.reference)
  // Sent together, and run in this order. Behind the lock an earlier transaction of this request,
  // and of another of the same reference, has ended.
  const [merchant, , begun, keyed, before, isUsed] = await Promise.all([
    getMerchant(tx, merchant_id),
    lockReference(tx, merchant_id, reference),
    findCheckoutById(tx, id),
    findOfSameRequest(tx, keep, findCheckoutByKey),
    lockUnfinishedCheckout(tx, merchant_id, reference),
    isPaid(tx, merchant_id, reference),
  ])
  const own = begun ?? keyed
  if (own?.status === 'PAYING') return { kind: 'paying', id: own.id }
  if (own) return { kind: 'answered', result: await answer(tx, api, own, keep) }

  const plan = planOf(checkPayment(request), isUsed)
  if (!merchant.kept_cards) throw new ApiError('kept_cards_off')
  const card = await takeKeptCard(tx, { merchant_id, id: kept_card_id })
  if (!card) throw new ApiError('not_found')
  if (before) supersede(tx, before)
  const { amount, currency } = plan
  const sale = { amount, currency, three_ds: 'NONE', recurring: true } as const
  const ready = recordAuthorization(tx, { acceptor: merchant, card, ...sale }, stamp)
  const { key: idempotency_key = null, fingerprint = null } = keep?.key ?? {}
  const checkout: CheckoutRow = {
    ...newRow(tx, merchant_id, request, { ...plan, ...NO_PAGE }),
    id,
    kept_card_id,
    idempotency_key,
    fingerprint,
    status: 'PAYING',
    message_id: ready.message.id,
    due: new Date(tx.now.getTime() + PAYING_MS),
  }
  // If another request has the key, it is this statement that fails.
  if (keep) void tx.withCommit(holdKey(tx, keep.key))
  // Comes behind an unfinished checkout of the reference, which gives its place up before.
  void tx.withCommit(insertCheckout(tx, checkout))
  recordChange(tx, [kept_card_id, id])
  return { kind: 'begun', ready }
}

const NO_PAGE = { confirm_callback_url: '', reject_callback_url: '' }

async function answer(
  tx: Tx,
  api: PaymentServices,
  checkout: CheckoutRow,
  keep: Keep | undefined,
): Promise<KeptPayment> {
  const { merchant_id, reference, status } = checkout
  const order_id = status === 'PAID' ? await api.orderIdOf(tx, merchant_id, reference) : undefined
  const result = presentKeptPayment(checkout, order_id)
  if (keep) await keepAnswer(tx, keep.key, keep.finish(result)).catch(unlessStored)
  return result
}
