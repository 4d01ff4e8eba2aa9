/** Public functions of checkouts: create one, pay it, end it unpaid. */

import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { isSameText } from '#lib/digest.ts'
import { newId } from '#lib/id.ts'
import { ApiError, type Fault, TransientError } from '#lib/result.ts'
import { Secret } from '#lib/secret.ts'
import {
  ANSWER_TIMEOUT_MS,
  conclude,
  type IssuerLink,
  insist,
  type Outcome,
  recordAuthorization,
  transmit,
} from '#merchant/acquirer/acquirer.ts'
import { getMerchant } from '#merchant/merchants/merchants.ts'
import { newPageKey, pageId } from './page_id.ts'
import type { TestCards } from './provider.ts'
import type { TypedCard } from './rules/card.ts'
import { DECLINES_MAX, UNANSWERED } from './rules/declined.ts'
import { amountsOf, type CheckoutPlan, type CheckoutTerms, checkCheckout } from './rules/request.ts'
import type { NewCheckout, PaidCheckout } from './schema.ts'
import {
  type CheckoutRow,
  findCheckoutByMessage,
  findCheckoutByPage,
  findPaidOrPaying,
  insertCheckout,
  isPaid,
  lockCheckout,
  lockDueCheckouts,
  lockReference,
  lockUnfinishedCheckout,
  updateCheckout,
} from './store.ts'

export type { TestCards } from './provider.ts'
export type { CheckoutRow } from './store.ts'
export { checkoutsDue } from './store.ts'

const LIFE_MS = 24 * 60 * 60 * 1000
/** The process that sends a payment has finished by then, or has ended. */
const PAYING_MS = ANSWER_TIMEOUT_MS + 5_000
/** How long a received outcome is retried while the database is unavailable (D-131). */
const RECORDING_MS = 30_000
const RETRY_AFTER_SECONDS = 5
/** Of a slow test card (D-708). With an answer that takes longest it is less than PAYING_MS. */
const HELD_UP_MS = 3_000

/** What the checkouts need from the program. */
export type PaymentServices = {
  link: IssuerLink
  /** Without a trailing slash. */
  publicUrl: () => string
  /** Makes the order of a payment, in the transaction that records it. */
  onPaid: (tx: Tx, paid: PaidCheckout) => Promise<unknown>
  /** Used where the profile has test payments. */
  testCards?: TestCards | undefined
}

/**
 * Creates a checkout and returns the request with the address of its page. An unfinished one of
 * the same reference is superseded; a paid one is a fault of `reference` (D-81). Fails with
 * `payment_in_progress` while a payment of that reference is under way or its outcome is not known.
 */
export function createCheckout(ctx: Context | Tx, api: PaymentServices, request: NewCheckout) {
  return transact(ctx, async (tx) => {
    const { id: merchant_id, callback_hosts } = await getMerchant(tx, tx.actor.id)
    const terms = { callback_hosts, plain_http: tx.profile.plain_http }
    const plan = await planOf(tx, merchant_id, request, terms)

    await lockReference(tx, merchant_id, plan.reference)
    await supersede(tx, merchant_id, plan.reference)
    const faults = await faultsOfUse(tx, merchant_id, plan.reference)
    if (faults.length > 0) throw new ApiError('validation_failed', { errors: faults })

    const row = newRow(tx, merchant_id, request, plan)
    await insertCheckout(tx, row)
    const id = pageId({ tenant_id: tx.tenant_id, page_key: row.page_key })
    return { ...row.request, checkout_url: `${api.publicUrl()}/checkout?id=${id}` }
  })
}

/** Fails with the faults of the request and that of a reference in use (D-125). */
async function planOf(
  tx: Tx,
  merchant_id: string,
  request: NewCheckout,
  terms: CheckoutTerms,
): Promise<CheckoutPlan> {
  const checked = checkCheckout(request, terms)
  if (checked.ok) return checked.value
  const used = await faultsOfUse(tx, merchant_id, String(request.reference))
  throw new ApiError('validation_failed', { errors: [...(checked.errors ?? []), ...used] })
}

async function faultsOfUse(tx: Tx, merchant_id: string, reference: string): Promise<Fault[]> {
  const isUsed = await isPaid(tx, merchant_id, reference)
  return isUsed ? [{ path: 'reference', message: 'is the reference of an order already' }] : []
}

export function findCheckout(ctx: Context, page_key: string) {
  return findCheckoutByPage(ctx, page_key)
}

/** The checkout of the same reference that was paid or is being paid, where there is one. */
export function findSuccessor(ctx: Context, { id, merchant_id, reference }: CheckoutRow) {
  return findPaidOrPaying(ctx, merchant_id, reference, id)
}

export type Payment = {
  checkout: CheckoutRow
  /** The form was used before or is of an older page: the card in it was not used. */
  stale: boolean
}

/**
 * Pays with a card. The form is valid once: a second submission finds its token used, moves no
 * money and returns the checkout as it is.
 */
export async function pay(
  ctx: Context,
  api: PaymentServices,
  page_key: string,
  form_token: string,
  card: TypedCard & { held_up?: boolean },
): Promise<Payment> {
  const end = performance.now() + RECORDING_MS
  const { checkout, message_id } = await transact(ctx, (tx) =>
    begin(tx, page_key, form_token, card),
  )
  if (!message_id) return { checkout, stale: true }
  if (card.held_up && ctx.profile.test_payments) await pause(HELD_UP_MS)
  const outcome = await transmit(ctx, api.link, message_id, new Secret(card.cvv2))
  const record = () =>
    transact(ctx, (tx) => recordOutcome(tx, api, checkout.id, message_id, outcome))
  return { checkout: await insist(end, record), stale: false }
}

/** Records the outcome of a payment once; later calls return what was recorded. */
async function recordOutcome(
  tx: Tx,
  api: PaymentServices,
  id: string,
  message_id: string,
  outcome: Outcome,
): Promise<CheckoutRow> {
  const checkout = await lockCheckout(tx, id)
  if (!checkout) throw new ApiError('not_found')
  if (checkout.message_id !== message_id) return checkout
  const conclusion = await conclude(tx, message_id, outcome)
  const approved = conclusion.known && conclusion.approved
  const changes = approved ? paid() : unpaid(tx, checkout, conclusion.known, outcome)
  await updateCheckout(tx, id, changes)
  if (approved) await api.onPaid(tx, paidCheckout(checkout, message_id))
  return { ...checkout, ...changes }
}

/** Until a reversal is acknowledged the card may have been charged (D-131). */
function unpaid(tx: Tx, checkout: CheckoutRow, known: boolean, outcome: Outcome) {
  return known ? declined(tx, checkout, outcome) : { in_doubt: true, due: null }
}

/**
 * The authorization of a payment was reversed, and the issuer has acknowledged that: now it is
 * certain that the card is not charged. Nothing where the message belongs to no checkout.
 */
export async function paymentTakenBack(tx: Tx, message_id: string): Promise<void> {
  const found = await findCheckoutByMessage(tx, message_id)
  const checkout = found && (await lockCheckout(tx, found.id))
  if (checkout?.message_id !== message_id) return
  await updateCheckout(tx, checkout.id, declined(tx, checkout, { kind: 'unanswered' }))
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
      else await updateCheckout(tx, checkout.id, { status: 'EXPIRED', due: null })
    }
    return { more: rows.length === limit }
  })
}

async function breakOff(tx: Tx, checkout: CheckoutRow, message_id: string): Promise<void> {
  const outcome: Outcome = { kind: 'unanswered' }
  const { known } = await conclude(tx, message_id, outcome)
  await updateCheckout(tx, checkout.id, unpaid(tx, checkout, known, outcome))
}

async function begin(tx: Tx, page_key: string, form_token: string, card: TypedCard) {
  const found = await findCheckoutByPage(tx, page_key)
  const checkout = found && (await lockCheckout(tx, found.id))
  if (!checkout) throw new ApiError('not_found')
  const isOpen = checkout.status === 'OPEN' && checkout.expires > tx.now
  if (!isOpen || !isSameText(checkout.form_token, form_token)) return { checkout, message_id: null }

  const acceptor = await getMerchant(tx, checkout.merchant_id)
  const { amount, currency } = checkout
  const message_id = await recordAuthorization(tx, {
    acceptor,
    amount,
    currency,
    card: { pan: new Secret(card.pan), expiry: card.expiry },
  })
  await updateCheckout(tx, checkout.id, {
    status: 'PAYING',
    message_id,
    form_token: newToken(),
    due: new Date(tx.now.getTime() + PAYING_MS),
  })
  return { checkout, message_id }
}

/** A payment that may still succeed is not superseded: there would be two of one order. */
async function supersede(tx: Tx, merchant_id: string, reference: string): Promise<void> {
  const before = await lockUnfinishedCheckout(tx, merchant_id, reference)
  if (!before) return
  if (before.status === 'PAYING') {
    throw new TransientError('payment_in_progress', {
      detail: 'A payment of this reference is being checked. Try again when it is known.',
      retry_after_seconds: RETRY_AFTER_SECONDS,
    })
  }
  await updateCheckout(tx, before.id, { status: 'SUPERSEDED', due: null })
}

function newRow(
  { tenant_id, now }: Tx,
  merchant_id: string,
  request: NewCheckout,
  plan: CheckoutPlan,
): CheckoutRow {
  const expires = new Date(now.getTime() + LIFE_MS)
  const { reference, total, amount, currency, confirm_callback_url, reject_callback_url } = plan
  return {
    tenant_id,
    id: newId(),
    merchant_id,
    page_key: newPageKey(),
    reference,
    status: 'OPEN',
    total,
    amount,
    currency,
    request: { ...request, display_reference: request.display_reference ?? request.reference },
    confirm_callback_url,
    reject_callback_url,
    form_token: newToken(),
    declines: 0,
    last_decline: null,
    message_id: null,
    in_doubt: false,
    expires,
    due: expires,
    created: now,
    modified: now,
  }
}

const paid = () => ({ status: 'PAID' as const, message_id: null, in_doubt: false, due: null })

function declined(tx: Tx, checkout: CheckoutRow, outcome: Outcome) {
  const declines = checkout.declines + 1
  const last_decline = outcome.kind === 'answered' ? outcome.response_code : UNANSWERED
  const changes = { declines, last_decline, message_id: null, in_doubt: false }
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

const newToken = () => randomBytes(16).toString('base64url')
