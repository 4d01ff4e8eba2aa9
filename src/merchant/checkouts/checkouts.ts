/** Front door of checkouts: a shop opens one, its customer pays it, or it ends unpaid. */

import { randomBytes } from 'node:crypto'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { invalid } from '#kit/problems.ts'
import { isSameText } from '#lib/digest.ts'
import { newId } from '#lib/id.ts'
import { obey, Refusal } from '#lib/ruling.ts'
import { Secret } from '#lib/secret.ts'
import {
  ANSWER_TIMEOUT_MS,
  conclude,
  type IssuerLink,
  type Outcome,
  recordAuthorization,
  transmit,
} from '#merchant/acquirer/acquirer.ts'
import { getMerchant } from '#merchant/merchants/merchants.ts'
import { newPageKey, pageId } from './page_id.ts'
import type { TypedCard } from './rules/card.ts'
import { REFUSALS_MAX, UNANSWERED } from './rules/refused.ts'
import { type CheckoutPlan, ruleOnCheckout } from './rules/request.ts'
import type { NewCheckout, PaidCheckout } from './schema.ts'
import * as store from './store.ts'

export type { CheckoutRow } from './store.ts'

const LIFE_MS = 24 * 60 * 60 * 1000
/** Whoever takes a payment up is done with it by then, or is gone. */
const PAYING_MS = ANSWER_TIMEOUT_MS + 5_000

/** What the house gives to the checkouts. */
export type CheckoutHouse = {
  link: IssuerLink
  /** Without a slash at its end. */
  publicUrl: () => string
  live: boolean
  /** Makes the order of a payment, in the transaction that records it. */
  onPaid: (tx: Tx, paid: PaidCheckout) => Promise<unknown>
}

/**
 * Opens a checkout and answers the request with the address of its page. An unfinished one of the
 * same reference is superseded; a paid one is a fault of `reference` (D-81).
 */
export function createCheckout(ctx: Context | Tx, house: CheckoutHouse, request: NewCheckout) {
  return transact(ctx, async (tx) => {
    const { id: merchant_id, callback_hosts } = await getMerchant(tx, tx.actor.id)
    const plan = obey(ruleOnCheckout(request, { callback_hosts, plain_http: !house.live }))

    await store.lockReference(tx, merchant_id, plan.reference)
    await supersede(tx, merchant_id, plan.reference)
    if (await store.isPaid(tx, merchant_id, plan.reference)) {
      throw invalid('reference', 'is the reference of an order already')
    }

    const row = newRow(tx, merchant_id, request, plan)
    await store.insertCheckout(tx, row)
    const id = pageId({ tenant_id: tx.tenant_id, page_key: row.page_key })
    return { ...row.request, checkout_url: `${house.publicUrl()}/checkout?id=${id}` }
  })
}

export function findCheckout(ctx: Context, page_key: string) {
  return store.findByPage(ctx, page_key)
}

/**
 * Pays with a card. The form is good once: a second sending of it finds its token used, takes no
 * money and answers the checkout as it stands. Refuses with `not_found`.
 */
export async function pay(
  ctx: Context,
  house: CheckoutHouse,
  page_key: string,
  form_token: string,
  card: TypedCard,
): Promise<store.CheckoutRow> {
  const begun = await transact(ctx, (tx) => begin(tx, page_key, form_token, card))
  if (!begun.message_id) return begun.checkout
  const cvv2 = new Secret(card.cvv2)
  const outcome = await transmit(ctx, house.link, begun.message_id, cvv2)
  return settle(ctx, house, begun.checkout.id, begun.message_id, outcome)
}

/** Records the outcome of a payment, once; whoever comes later answers what was recorded. */
function settle(
  ctx: Context,
  house: CheckoutHouse,
  id: string,
  message_id: string,
  outcome: Outcome,
): Promise<store.CheckoutRow> {
  return transact(ctx, async (tx) => {
    const checkout = await store.lockCheckout(tx, id)
    if (!checkout) throw new Refusal('not_found')
    if (!(await conclude(tx, message_id, outcome))) return checkout
    const approved = outcome.kind === 'answered' && outcome.approved
    const changes = approved ? paid() : refused(tx, checkout, outcome)
    await store.updateCheckout(tx, id, changes)
    if (approved) await house.onPaid(tx, paidCheckout(checkout, message_id))
    return { ...checkout, ...changes }
  })
}

/**
 * What became due: a checkout that is not paid ends; a payment that broke off is taken back, since
 * it cannot be asked again without the CVV2, which is kept nowhere.
 */
export function endDue(ctx: Context, limit: number): Promise<{ more: boolean }> {
  return transact(ctx, async (tx) => {
    const rows = await store.lockDue(tx, limit)
    for (const checkout of rows) {
      if (checkout.message_id) await breakOff(tx, checkout, checkout.message_id)
      else await store.updateCheckout(tx, checkout.id, { status: 'EXPIRED', due: null })
    }
    return { more: rows.length === limit }
  })
}

async function breakOff(tx: Tx, checkout: store.CheckoutRow, message_id: string): Promise<void> {
  const outcome: Outcome = { kind: 'unanswered' }
  await conclude(tx, message_id, outcome)
  await store.updateCheckout(tx, checkout.id, refused(tx, checkout, outcome))
}

async function begin(tx: Tx, page_key: string, form_token: string, card: TypedCard) {
  const found = await store.findByPage(tx, page_key)
  const checkout = found && (await store.lockCheckout(tx, found.id))
  if (!checkout) throw new Refusal('not_found')
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
  await store.updateCheckout(tx, checkout.id, {
    status: 'PAYING',
    message_id,
    form_token: newToken(),
    due: new Date(tx.now.getTime() + PAYING_MS),
  })
  return { checkout, message_id }
}

/** A payment under way is taken back: its answer, should it come, finds it settled. */
async function supersede(tx: Tx, merchant_id: string, reference: string): Promise<void> {
  const before = await store.lockUnfinished(tx, merchant_id, reference)
  if (!before) return
  if (before.message_id) await conclude(tx, before.message_id, { kind: 'unanswered' })
  const changes = { status: 'SUPERSEDED' as const, message_id: null, due: null }
  await store.updateCheckout(tx, before.id, changes)
}

function newRow(
  { tenant_id, now }: Tx,
  merchant_id: string,
  request: NewCheckout,
  { reference, total, amount, currency }: CheckoutPlan,
): store.CheckoutRow {
  const expires = new Date(now.getTime() + LIFE_MS)
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
    confirm_callback_url: request.confirm_callback_url,
    reject_callback_url: request.reject_callback_url,
    form_token: newToken(),
    refusals: 0,
    last_refusal: null,
    message_id: null,
    expires,
    due: expires,
    created: now,
    modified: now,
  }
}

const paid = () => ({ status: 'PAID' as const, message_id: null, due: null })

function refused(tx: Tx, checkout: store.CheckoutRow, outcome: Outcome) {
  const refusals = checkout.refusals + 1
  const last_refusal = outcome.kind === 'answered' ? outcome.response_code : UNANSWERED
  const told = { refusals, last_refusal, message_id: null }
  if (refusals >= REFUSALS_MAX) return { ...told, status: 'REJECTED' as const, due: null }
  const lapsed = checkout.expires <= tx.now
  return lapsed
    ? { ...told, status: 'EXPIRED' as const, due: null }
    : { ...told, status: 'OPEN' as const, due: checkout.expires }
}

/** The request was ruled on when the checkout was made, so its amounts are read again safely. */
function paidCheckout(checkout: store.CheckoutRow, authorization_id: string): PaidCheckout {
  const request = checkout.request as NewCheckout
  const { merchant_id, reference, currency, total, amount } = checkout
  const plan = obey(ruleOnCheckout(request, { callback_hosts: [], plain_http: true }))
  const { tax_amount, shipping_amount, discount } = plan
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
