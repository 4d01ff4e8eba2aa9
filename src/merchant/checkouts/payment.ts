/** Payment of a checkout with a card: recorded, sent, and concluded under the checkout's lock. */

import { setTimeout as pause } from 'node:timers/promises'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { shareTransaction } from '#kit/db/shared_transactions.ts'
import { isSameText } from '#lib/digest.ts'
import { ApiError } from '#lib/result.ts'
import { Secret } from '#lib/secret.ts'
import {
  ANSWER_TIMEOUT_MS,
  type Card,
  conclude,
  findCard,
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
import { keepCard, takeKeptCard } from '#merchant/kept_cards/kept_cards.ts'
import { customerOf } from '#merchant/kept_cards/rules.ts'
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
export const PAYING_MS = ANSWER_TIMEOUT_MS + 5_000
/** How long a received outcome is retried while the database is unavailable (D-131). */
export const RECORDING_MS = 30_000
/**
 * The delay of a slow test card (D-708). With an answer that takes longest it is less than
 * PAYING_MS.
 */
const HELD_UP_MS = 3_000

/** The services of the program that checkouts need. */
export type PaymentServices = {
  link: IssuerLink
  /** Without a trailing slash. */
  publicUrl: () => string
  /** Makes the order of a payment, in the transaction that records it. */
  onPaid: (tx: Tx, paid: PaidCheckout, merchant: MerchantRow) => Promise<unknown>
  /** The id of the order of a reference of the merchant. */
  orderIdOf: (ctx: Context, merchant_id: string, reference: string) => Promise<string | undefined>
  /** Used if the profile has test payments. */
  testCards?: TestCards | undefined
  authenticator?: Authenticator | undefined
}

/** The columns of a checkout that never change. */
export type CheckoutIdentity = Pick<CheckoutRow, 'id' | 'merchant_id' | 'reference'>

/**
 * `held_up` is of a slow test card, `kept_card_id` of a card that the shop keeps. `consent` names
 * the sentence by which the customer lets the shop keep one that was typed.
 */
export type PayingCard = TypedCard & {
  held_up?: boolean
  kept_card_id?: string
  consent?: string
}

/**
 * Why the form is shown again without a decline: it was used before or is of an older page, so that
 * the card in it was not used; or the issuer's question was cancelled, answered too late, or could
 * not be asked.
 */
export type Notice = 'stale' | 'cancelled' | 'late' | 'unasked'
export type Payment = { checkout: CheckoutRow; notice?: Notice }

/**
 * Pays with a card. The form is valid once: a second submission finds its token used, moves no
 * money and returns the checkout as it is.
 */
export async function pay(
  ctx: Context,
  api: PaymentServices,
  found: CheckoutIdentity,
  form_token: string,
  card: PayingCard & { three_ds: ThreeDs },
): Promise<Payment> {
  const stamp = await reserveStamp(ctx)
  const { checkout, ready } = await transactWith(ctx, found, card, async (tx) => {
    const [checkout, acceptor] = await Promise.all([
      lockFound(tx, found),
      getMerchant(tx, found.merchant_id),
    ])
    const isCurrent = isOpen(tx, checkout) && isSameText(checkout.form_token, form_token)
    const ready = isCurrent ? await begin(tx, checkout, acceptor, card, stamp) : undefined
    return { checkout, ready }
  })
  if (!ready) return { checkout, notice: 'stale' }
  return { checkout: await finish(ctx, api, found, ready, card) }
}

/** Sends the payment that `begin` recorded, and records its outcome. `aav` proves 3-D Secure. */
export async function finish(
  ctx: Context,
  api: PaymentServices,
  found: CheckoutIdentity,
  ready: Ready,
  card: PayingCard,
  aav?: Secret,
): Promise<CheckoutRow> {
  const end = performance.now() + RECORDING_MS
  if (card.held_up && ctx.profile.test_payments) await pause(HELD_UP_MS)
  const outcome = await send(ctx, api.link, ready, { cvv2: new Secret(card.cvv2), aav })
  const sent = { ...found, message_id: ready.message.id, outcome, card: ready.card }
  return insist(end, () => transactWith(ctx, found, card, (tx) => recordOutcome(tx, api, sent)))
}

/** Kept cards are locked too, which payments of several references may have in common. */
function transactWith<Result>(
  ctx: Context,
  found: CheckoutIdentity,
  { kept_card_id, consent }: PayingCard,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const isKept = kept_card_id !== undefined || consent !== undefined
  return isKept ? transact(ctx, work) : shareTransaction(ctx, nameOfReference(found), work)
}

export type SentPayment = CheckoutIdentity & {
  message_id: string
  outcome: Outcome
  card: Card | undefined
}

/** Records the outcome of a payment once; later calls return what was recorded. */
export async function recordOutcome(
  tx: Tx,
  api: Pick<PaymentServices, 'onPaid'>,
  sent: SentPayment,
): Promise<CheckoutRow> {
  const { id, merchant_id, message_id, outcome, card } = sent
  // Sent together, and run in this order: the checkout is locked before the message.
  const [checkout, conclusion, merchant] = await Promise.all([
    lockFound(tx, sent),
    conclude(tx, message_id, outcome, card),
    getMerchant(tx, merchant_id),
  ])
  if (checkout.message_id !== message_id) return checkout
  const approved = conclusion.known && conclusion.approved
  const changes = approved ? paid() : unpaid(tx, checkout, conclusion.known, outcome)
  void tx.withCommit(updateCheckout(tx, id, changes))
  if (approved) {
    await keepPaid(tx, checkout, message_id)
    await api.onPaid(tx, paidCheckout(checkout, message_id), merchant)
  }
  return { ...checkout, ...changes }
}

/** Keeps the card if the customer has agreed to it (D-771). */
async function keepPaid(tx: Tx, checkout: CheckoutRow, authorization_id: string): Promise<void> {
  const { merchant_id, keep_consent: consent } = checkout
  const customer = customerIn(checkout)
  if (consent === null || customer === undefined) return
  await keepCard(tx, { merchant_id, customer, authorization_id, consent })
}

/** The name of the customer in the shop, if the checkout has one. */
export const customerIn = ({ request }: CheckoutRow): string | undefined =>
  customerOf((request as NewCheckout).order?.customer?.reference)

/** Until a reversal is acknowledged the card may have been charged (D-131). */
function unpaid(tx: Tx, checkout: CheckoutRow, known: boolean, outcome: Outcome) {
  return known ? declined(tx, checkout, codeOf(outcome)) : { in_doubt: true, due: null }
}

const codeOf = (outcome: Outcome): string =>
  outcome.kind === 'answered' ? outcome.response_code : UNANSWERED

/**
 * The authorization of a payment was reversed, and the issuer has acknowledged that: now it is
 * certain that the card is not charged. Nothing if the message belongs to no checkout.
 */
export async function paymentTakenBack(tx: Tx, message_id: string): Promise<void> {
  const found = await findCheckoutByMessage(tx, message_id)
  const checkout = found && (await lockCheckout(tx, found.id))
  if (checkout?.message_id !== message_id) return
  await updateCheckout(tx, checkout.id, declined(tx, checkout, UNANSWERED)).start()
}

type Ended = { id: string; message_id: string; approved: boolean; end: () => Promise<void> }

/**
 * Ends a payment whose outcome was learnt beside its messages; `end` records that of its message.
 * False if it has an outcome. A card that is not stored cannot be kept either.
 */
export async function endPayment(
  tx: Tx,
  onPaid: PaymentServices['onPaid'],
  { id, message_id, approved, end }: Ended,
): Promise<boolean> {
  const checkout = await lockCheckout(tx, id)
  if (checkout?.message_id !== message_id) return false
  await end()
  if (!approved) {
    await paymentTakenBack(tx, message_id)
    return true
  }
  const card = await findCard(tx, message_id)
  if (!card) await updateCheckout(tx, id, { keep_consent: null }).start()
  const outcome = { kind: 'answered', approved, response_code: '00', approval_code: null } as const
  await recordOutcome(tx, { onPaid }, { ...checkout, message_id, outcome, card })
  return true
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
      else
        await updateCheckout(tx, checkout.id, {
          status: 'EXPIRED',
          due: null,
          ...noChallenge,
        }).start()
    }
    return { more: rows.length === limit }
  })
}

async function breakOff(tx: Tx, checkout: CheckoutRow, message_id: string): Promise<void> {
  const outcome: Outcome = { kind: 'unanswered' }
  const { known } = await conclude(tx, message_id, outcome)
  await updateCheckout(tx, checkout.id, unpaid(tx, checkout, known, outcome)).start()
}

/** The checkout, locked. Fails with `not_found`. */
export async function lockFound(tx: Tx, { id }: CheckoutIdentity): Promise<CheckoutRow> {
  const checkout = await lockCheckout(tx, id)
  if (!checkout) throw new ApiError('not_found')
  return checkout
}

export const isOpen = ({ now }: Context, { status, expires }: CheckoutRow): boolean =>
  status === 'OPEN' && expires > now

/** A merchant that the operator has closed takes no payment of its open checkouts (D-875). */
export const takesPayments = ({ status }: MerchantRow): boolean => status === 'ACTIVE'

/**
 * Records the payment of an open checkout that is locked; `finish` sends it. Undefined if its
 * merchant takes no payments, or its kept card is there no longer.
 */
export async function begin(
  tx: Tx,
  checkout: CheckoutRow,
  acceptor: MerchantRow,
  paying: PayingCard & { three_ds: ThreeDs },
  stamp: Stamp,
): Promise<Ready | undefined> {
  const card = takesPayments(acceptor) && (await cardOf(tx, checkout, acceptor, paying))
  if (!card) return undefined
  const { amount, currency } = checkout
  const { three_ds, consent = null } = paying
  const ready = recordAuthorization(tx, { acceptor, amount, currency, three_ds, card }, stamp)
  const changes = {
    status: 'PAYING' as const,
    message_id: ready.message.id,
    keep_consent: acceptor.kept_cards ? consent : null,
    form_token: newFormToken(),
    due: new Date(tx.now.getTime() + PAYING_MS),
    ...noChallenge,
  }
  void tx.withCommit(updateCheckout(tx, checkout.id, changes))
  return ready
}

/** Undefined for a kept card that is not, or no longer, one of the checkout's customer. */
async function cardOf(
  tx: Tx,
  checkout: CheckoutRow,
  { id: merchant_id, kept_cards }: MerchantRow,
  { pan, expiry, kept_card_id: id }: PayingCard,
): Promise<Card | undefined> {
  if (id === undefined) return { pan: new Secret(pan), expiry }
  const customer = customerIn(checkout)
  if (!kept_cards || customer === undefined) return undefined
  return takeKeptCard(tx, { merchant_id, id, customer })
}

const paid = () => ({ status: 'PAID' as const, message_id: null, in_doubt: false, due: null })

/** `last_decline` is DE39 or what replaces it. */
export function declined(tx: Tx, checkout: CheckoutRow, last_decline: string) {
  const declines = checkout.declines + 1
  const changes = { declines, last_decline, message_id: null, in_doubt: false, wrong_codes: 0 }
  const isOver = declines >= DECLINES_MAX || checkout.kept_card_id !== null
  if (isOver) return { ...changes, status: 'REJECTED' as const, due: null }
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
    merchant_id,
    authorization_id,
    reference,
    currency,
    total,
    amount,
    tax_amount,
    shipping_amount,
    discount,
    display_reference: String(request.display_reference ?? reference),
    description: request.description ?? '',
    customer: order?.customer ?? {},
    billing_address: order?.billing_address ?? null,
    shipping_address: order?.shipping_address ?? null,
    lines: order?.lines ?? [],
  }
}
