/** Public functions of checkouts: create one, pay it, end it unpaid. */

import { type Context, type Tx, transact } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { ApiError, type Fault, TransientError } from '#lib/result.ts'
import { getMerchant } from '#merchant/merchants/merchants.ts'
import { newFormToken, newPageKey, pageId } from './page_id.ts'
import type { PaymentServices } from './payment.ts'
import { type CheckoutPlan, type CheckoutTerms, checkCheckout } from './rules/request.ts'
import type { NewCheckout } from './schema.ts'
import {
  type CheckoutRow,
  findCheckoutByPage,
  findPaidOrPaying,
  insertCheckout,
  isPaid,
  lockReference,
  lockUnfinishedCheckout,
  noChallenge,
  updateCheckout,
} from './store.ts'

export { answerChallenge, type Challenge, isLate, startChallenge } from './challenge.ts'
export { endDue, type PaymentServices, pay, paymentTakenBack } from './payment.ts'
export type { Authenticator, TestCards } from './provider.ts'
export type { CheckoutRow } from './store.ts'
export { checkoutsDue } from './store.ts'

const LIFE_MS = 24 * 60 * 60 * 1000
const RETRY_AFTER_SECONDS = 5

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
  await updateCheckout(tx, before.id, { status: 'SUPERSEDED', due: null, ...noChallenge })
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
    form_token: newFormToken(),
    declines: 0,
    last_decline: null,
    ...noChallenge,
    wrong_codes: 0,
    message_id: null,
    in_doubt: false,
    expires,
    due: expires,
    created: now,
    modified: now,
  }
}
