/** Public functions of checkouts: create one, pay it, end it unpaid. */

import { type Context, type Tx, transact } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { ApiError, TransientError } from '#lib/result.ts'
import { getMerchant } from '#merchant/merchants/merchants.ts'
import { newFormToken, newPageKey, pageId } from './page_id.ts'
import type { PaymentServices } from './payment.ts'
import { type CheckoutPlan, type CheckoutTerms, checkCheckout } from './rules/request.ts'
import type { NewCheckout } from './schema.ts'
import {
  type CheckoutRow,
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
export { checkoutsDue, findPage } from './store.ts'

const LIFE_MS = 24 * 60 * 60 * 1000
const RETRY_AFTER_SECONDS = 5

/**
 * Creates a checkout and returns the request with the address of its page. An unfinished one of
 * the same reference is superseded; a paid one is a fault of `reference` (D-81). Fails with
 * `payment_in_progress` while a payment of that reference is under way or its outcome is not known.
 */
export function createCheckout(ctx: Context | Tx, api: PaymentServices, request: NewCheckout) {
  return transact(ctx, async (tx) => {
    const merchant_id = tx.actor.id
    const reference = String(request.reference)
    // Sent together, and run in this order: behind the lock of the reference.
    const [{ callback_hosts }, , before, isUsed] = await Promise.all([
      getMerchant(tx, merchant_id),
      lockReference(tx, merchant_id, reference),
      lockUnfinishedCheckout(tx, merchant_id, reference),
      isPaid(tx, merchant_id, reference),
    ])
    const terms = { callback_hosts, plain_http: tx.profile.plain_http }
    const plan = planOf(request, terms, isUsed)
    if (before) supersede(tx, before)
    const row = newRow(tx, merchant_id, request, plan)
    tx.withCommit(insertCheckout(tx, row))
    const id = pageId({ tenant_id: tx.tenant_id, page_key: row.page_key })
    return { ...row.request, checkout_url: `${api.publicUrl()}/checkout?id=${id}` }
  })
}

/** Fails with the faults of the request and that of a reference in use (D-125). */
function planOf(request: NewCheckout, terms: CheckoutTerms, isUsed: boolean): CheckoutPlan {
  const checked = checkCheckout(request, terms)
  if (checked.ok && !isUsed) return checked.value
  const used = { path: 'reference', message: 'is the reference of an order already' }
  const errors = [...((!checked.ok && checked.errors) || []), ...(isUsed ? [used] : [])]
  throw new ApiError('validation_failed', { errors })
}

/** The checkout of the same reference that was paid or is being paid, where there is one. */
export function findSuccessor(ctx: Context, { id, merchant_id, reference }: CheckoutRow) {
  return findPaidOrPaying(ctx, merchant_id, reference, id)
}

/** A payment that may still succeed is not superseded: there would be two of one order. */
function supersede(tx: Tx, before: CheckoutRow): void {
  if (before.status === 'PAYING') {
    throw new TransientError('payment_in_progress', {
      retry_after_seconds: RETRY_AFTER_SECONDS,
    })
  }
  const changes = { status: 'SUPERSEDED' as const, due: null, ...noChallenge }
  tx.withCommit(updateCheckout(tx, before.id, changes))
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
