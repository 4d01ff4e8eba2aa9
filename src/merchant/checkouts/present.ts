/** A checkout as its page shows it. */

import type { Context } from '#kit/context.ts'
import { formatTenThousandths } from '#lib/money.ts'
import { monthOf } from '#lib/time.ts'
import { DECLINES_MAX, failureOf } from './rules/declined.ts'
import { summaryOf } from './rules/summary.ts'
import type { KeptPayment, NewCheckout } from './schema.ts'
import type { CheckoutRow } from './store.ts'
import type { CheckoutDetails } from './views/form.ts'

declare module '#kit/profile.ts' {
  interface Profile {
    /** Payments are tests: the payment page states that, and offers test cards (D-706, D-707). */
    readonly test_payments: boolean
  }
}

/** The request was validated when the checkout was created, so it can be read again. */
export function detailsOf({ profile, now }: Context, checkout: CheckoutRow): CheckoutDetails {
  const request = checkout.request as NewCheckout
  return {
    ...checkout,
    display_reference: String(request.display_reference),
    description: request.description ?? '',
    summary: summaryOf(request, checkout),
    tries_left: DECLINES_MAX - checkout.declines,
    back_url: hrefOf(checkout.reject_callback_url),
    confirm_url: hrefOf(checkout.confirm_callback_url),
    month: monthOf(now).slice(2).replace('-', ''),
    is_test: profile.test_payments,
  }
}

/** Addresses of checkouts made before D-128 may contain characters that a header cannot. */
export const hrefOf = (url: string): string => new URL(url).href

/** The shop's site, which makes nothing of the visit. */
export const homeOf = ({ reject_callback_url }: CheckoutRow): string =>
  new URL('/', reject_callback_url).href

/** A payment with a kept card whose outcome is known; `order_id` if it was made. */
export function presentKeptPayment(
  { reference, total, currency, last_decline }: CheckoutRow,
  order_id: string | undefined,
): KeptPayment {
  return {
    status: order_id === undefined ? 'FAILURE' : 'SUCCESS',
    type: 'PAYMENT',
    reference,
    ...(order_id !== undefined && { order_id }),
    amount: formatTenThousandths(total),
    currency,
    ...(order_id === undefined && { reason: failureOf(last_decline ?? '') }),
  }
}
