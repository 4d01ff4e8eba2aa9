/** Payment of a checkout with a card: recorded, sent, and concluded under the checkout's lock. */

import { setTimeout as pause } from 'node:timers/promises'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { transactTogether } from '#kit/db/shared_transactions.ts'
import { isSameText } from '#lib/digest.ts'
import { ApiError } from '#lib/result.ts'
import { Secret } from '#lib/secret.ts'
import {
  ANSWER_TIMEOUT_MS,
  conclude,
  type IssuerLink,
  insist,
  type Outcome,
  type Ready,
  recordAuthorization,
  reserveStamp,
  type Stamp,
  send,
  type ThreeDs,
} from '#merchant/acquirer/acquirer.ts'
import { getMerchant, type MerchantRow } from '#merchant/merchants/merchants.ts'
import { newFormToken } from './page_id.ts'
import type { Authenticator, TestCards } from './provider.ts'
import type { TypedCard } from './rules/card.ts'
import { DECLINES_MAX, UNANSWERED } from './rules/declined.ts'
import { amountsOf } from './rules/request.ts'
import type { NewCheckout, PaidCheckout } from './schema.ts'
import {
  type CheckoutRow,
  findCheckoutByMessage,
  lockCheckout,
  lockDueCheckouts,
  nameOfReference,
  noChallenge,
  updateCheckout,
} from './store.ts'

/** The process that sends a payment has finished by then, or has ended. */
const PAYING_MS = ANSWER_TIMEOUT_MS + 5_000
/** How long a received outcome is retried while the database is unavailable (D-131). */
const RECORDING_MS = 30_000
/** Of a slow test card (D-708). With an answer that takes longest it is less than PAYING_MS. */
const HELD_UP_MS = 3_000

/** What the checkouts need from the program. */
export type PaymentServices = {
  link: IssuerLink
  /** Without a trailing slash. */
  publicUrl: () => string
  /** Makes the order of a payment, in the transaction that records it. */
  onPaid: (tx: Tx, paid: PaidCheckout, merchant: MerchantRow) => Promise<unknown>
  /** Used where the profile has test payments. */
  testCards?: TestCards | undefined
  authenticator?: Authenticator | undefined
}

/** What of a checkout never changes. */
export type Found = Pick<CheckoutRow, 'id' | 'merchant_id' | 'reference'>

/** `held_up` is of a slow test card. */
export type PayingCard = TypedCard & { held_up?: boolean }

/**
 * Why the form is shown again without a decline: it was used before or is of an older page, so that
 * the card in it was not used; or the issuer's question was cancelled or answered too late.
 */
export type Notice = 'stale' | 'cancelled' | 'late'
export type Payment = { checkout: CheckoutRow; notice?: Notice }

/**
 * Pays with a card. The form is valid once: a second submission finds its token used, moves no
 * money and returns the checkout as it is.
 */
export async function pay(
  ctx: Context,
  api: PaymentServices,
  found: Found,
  form_token: string,
  card: PayingCard & { three_ds: ThreeDs },
): Promise<Payment> {
  const stamp = await reserveStamp(ctx)
  const { checkout, ready } = await transactTogether(ctx, nameOfReference(found), async (tx) => {
    const [checkout, acceptor] = await Promise.all([
      lockFound(tx, found),
      getMerchant(tx, found.merchant_id),
    ])
    const isCurrent = isOpen(tx, checkout) && isSameText(checkout.form_token, form_token)
    return { checkout, ready: isCurrent ? begin(tx, checkout, acceptor, card, stamp) : undefined }
  })
  if (!ready) return { checkout, notice: 'stale' }
  return { checkout: await finish(ctx, api, found, ready, card) }
}

/** Sends the payment that `begin` recorded, and records its outcome. */
export async function finish(
  ctx: Context,
  api: PaymentServices,
  found: Found,
  ready: Ready,
  card: PayingCard,
): Promise<CheckoutRow> {
  const end = performance.now() + RECORDING_MS
  if (card.held_up && ctx.profile.test_payments) await pause(HELD_UP_MS)
  const outcome = await send(api.link, ready, new Secret(card.cvv2))
  const sent = { ...found, message_id: ready.message.id, outcome }
  return insist(end, () =>
    transactTogether(ctx, nameOfReference(found), (tx) => recordOutcome(tx, api, sent)),
  )
}

type Sent = Found & { message_id: string; outcome: Outcome }

/** Records the outcome of a payment once; later calls return what was recorded. */
async function recordOutcome(tx: Tx, api: PaymentServices, sent: Sent): Promise<CheckoutRow> {
  const { id, merchant_id, message_id, outcome } = sent
  // Sent together, and run in this order: the checkout is locked before the message.
  const [checkout, conclusion, merchant] = await Promise.all([
    lockFound(tx, sent),
    conclude(tx, message_id, outcome),
    getMerchant(tx, merchant_id),
  ])
  if (checkout.message_id !== message_id) return checkout
  const approved = conclusion.known && conclusion.approved
  const changes = approved ? paid() : unpaid(tx, checkout, conclusion.known, outcome)
  tx.withCommit(updateCheckout(tx, id, changes))
  if (approved) await api.onPaid(tx, paidCheckout(checkout, message_id), merchant)
  return { ...checkout, ...changes }
}

/** Until a reversal is acknowledged the card may have been charged (D-131). */
function unpaid(tx: Tx, checkout: CheckoutRow, known: boolean, outcome: Outcome) {
  return known ? declined(tx, checkout, codeOf(outcome)) : { in_doubt: true, due: null }
}

const codeOf = (outcome: Outcome): string =>
  outcome.kind === 'answered' ? outcome.response_code : UNANSWERED

/**
 * The authorization of a payment was reversed, and the issuer has acknowledged that: now it is
 * certain that the card is not charged. Nothing where the message belongs to no checkout.
 */
export async function paymentTakenBack(tx: Tx, message_id: string): Promise<void> {
  const found = await findCheckoutByMessage(tx, message_id)
  const checkout = found && (await lockCheckout(tx, found.id))
  if (checkout?.message_id !== message_id) return
  await updateCheckout(tx, checkout.id, declined(tx, checkout, UNANSWERED))
}

/**
 * Ends what is due: an unpaid checkout expires; an interrupted payment is reversed, since it cannot
 * be repeated without the CVV2, which is not stored.
 */
export function endDue(ctx: Context, limit: number): Promise<{ more: boolean }> {
  return transact(ctx, async (tx) => {
    const rows = await lockDueCheckouts(tx, limit)
    for (const checkout of rows) {
      if (checkout.message_id) await breakOff(tx, checkout, checkout.message_id)
      else await updateCheckout(tx, checkout.id, { status: 'EXPIRED', due: null, ...noChallenge })
    }
    return { more: rows.length === limit }
  })
}

async function breakOff(tx: Tx, checkout: CheckoutRow, message_id: string): Promise<void> {
  const outcome: Outcome = { kind: 'unanswered' }
  const { known } = await conclude(tx, message_id, outcome)
  await updateCheckout(tx, checkout.id, unpaid(tx, checkout, known, outcome))
}

/** The checkout, locked. Fails with `not_found`. */
export async function lockFound(tx: Tx, { id }: Found): Promise<CheckoutRow> {
  const checkout = await lockCheckout(tx, id)
  if (!checkout) throw new ApiError('not_found')
  return checkout
}

export const isOpen = ({ now }: Context, { status, expires }: CheckoutRow): boolean =>
  status === 'OPEN' && expires > now

/** Records the payment of an open checkout that is locked; `finish` sends it. */
export function begin(
  tx: Tx,
  checkout: CheckoutRow,
  acceptor: MerchantRow,
  { pan, expiry, three_ds }: TypedCard & { three_ds: ThreeDs },
  stamp: Stamp,
): Ready {
  const { amount, currency } = checkout
  const card = { pan: new Secret(pan), expiry }
  const ready = recordAuthorization(tx, { acceptor, amount, currency, three_ds, card }, stamp)
  const changes = {
    status: 'PAYING' as const,
    message_id: ready.message.id,
    form_token: newFormToken(),
    due: new Date(tx.now.getTime() + PAYING_MS),
    ...noChallenge,
  }
  tx.withCommit(updateCheckout(tx, checkout.id, changes))
  return ready
}

const paid = () => ({ status: 'PAID' as const, message_id: null, in_doubt: false, due: null })

/** `last_decline` is DE39 or what replaces it. */
export function declined(tx: Tx, checkout: CheckoutRow, last_decline: string) {
  const declines = checkout.declines + 1
  const changes = { declines, last_decline, message_id: null, in_doubt: false, wrong_codes: 0 }
  if (declines >= DECLINES_MAX) return { ...changes, status: 'REJECTED' as const, due: null }
  const lapsed = checkout.expires <= tx.now
  return lapsed
    ? { ...changes, status: 'EXPIRED' as const, due: null }
    : { ...changes, status: 'OPEN' as const, due: checkout.expires }
}

/** The request was validated when the checkout was created, so its amounts can be read again. */
function paidCheckout(checkout: CheckoutRow, authorization_id: string): PaidCheckout {
  const request = checkout.request as NewCheckout
  const { merchant_id, reference, currency, total, amount } = checkout
  const { tax_amount, shipping_amount, discount } = amountsOf(request)
  const { order } = request
  return {
    ...{ merchant_id, authorization_id, reference, currency, total, amount },
    ...{ tax_amount, shipping_amount, discount },
    display_reference: String(request.display_reference ?? reference),
    description: request.description ?? '',
    customer: order?.customer ?? {},
    billing_address: order?.billing_address ?? null,
    shipping_address: order?.shipping_address ?? null,
    lines: order?.lines ?? [],
  }
}
