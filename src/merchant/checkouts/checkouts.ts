/** Public functions of checkouts: create one, pay it, end it unpaid. */

import { type Context, type Tx, transact } from '#kit/context.ts'
import { getMerchant } from '#merchant/merchants/merchants.ts'
import { newRow, planOf, supersede } from './creation.ts'
import { pageId } from './page_id.ts'
import type { PaymentServices } from './payment.ts'
import { checkCheckout } from './rules/request.ts'
import type { NewCheckout } from './schema.ts'
import {
  type CheckoutRow,
  findPaidOrPaying,
  insertCheckout,
  isPaid,
  lockReference,
  lockUnfinishedCheckout,
} from './store.ts'

export { answerOnPage, type Challenge, isLate, startChallenge } from './challenge.ts'
export { checkKeptPayment, payKept } from './kept_payments.ts'
export { answerOutside, payAsked } from './outside.ts'
export {
  endDue,
  endPayment,
  isOpen,
  type PaymentServices,
  pay,
  paymentTakenBack,
  takesPayments,
} from './payment.ts'
export type { Authenticator, TestCards } from './provider.ts'
export type { CheckoutRow } from './store.ts'
export { checkoutsDue, findPage } from './store.ts'
export { type Known, untilKnown, WAIT_MS } from './waiting.ts'

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
    const plan = planOf(checkCheckout(request, terms), isUsed)
    if (before) supersede(tx, before)
    const row = newRow(tx, merchant_id, request, plan)
    void tx.withCommit(insertCheckout(tx, row))
    const id = pageId({ tenant_id: tx.tenant_id, page_key: row.page_key })
    return { ...row.request, checkout_url: `${api.publicUrl()}/checkout?id=${id}` }
  })
}

/** The checkout of the same reference that was paid or is being paid, if there is one. */
export function findSuccessor(ctx: Context, { id, merchant_id, reference }: CheckoutRow) {
  return findPaidOrPaying(ctx, merchant_id, reference, id)
}
