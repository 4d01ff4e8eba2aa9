import { type Route, route } from '#kit/http/route.ts'
import { KeptCardPath } from '#merchant/kept_cards/schema.ts'
import { checkKeptPayment, createCheckout, type PaymentServices, payKept } from './checkouts.ts'
import { Checkout, KeptPayment, NewCheckout, NewKeptPayment } from './schema.ts'
import { nameOfReference } from './store.ts'

export const checkoutRoutes = (api: PaymentServices): readonly Route[] => [
  route({
    id: 'createCheckout',
    tag: 'Checkouts',
    description:
      'Creates a checkout and returns the request with `checkout_url`, the payment page to ' +
      'which the merchant sends the customer. A reference is unique per merchant: an unpaid ' +
      'checkout of the same reference is superseded, and a reference that has an order is a ' +
      'validation error. Fails with `payment_in_progress` while a payment of the reference is ' +
      'under way or its outcome is unknown. A checkout expires 24 hours after its creation; ' +
      'its payment creates the order and sends `ORDER_AUTHORIZED`. An optional member may be ' +
      'absent, null, empty, `[]` or `false`.',
    method: 'POST',
    path: '/checkouts',
    permission: 'merchant',
    summary: 'Create a checkout',
    body: NewCheckout,
    exactNumerals: ['reference', 'display_reference'],
    answer: Checkout,
    status: 201,
    errors: ['payment_in_progress'],
    shares: (ctx, { body }) =>
      nameOfReference({ merchant_id: ctx.actor.id, reference: String(body.reference) }),
    run: (ctx, { body }) => createCheckout(ctx, api, body),
  }),
  route({
    id: 'payWithKeptCard',
    tag: 'Kept cards',
    description:
      'Pays with a kept card, without the customer: a subscription, or a sum that was agreed on. ' +
      'The issuer gets it as recurring, without a security code. A success makes the order, ' +
      'which is captured and refunded as any other, and sends `ORDER_AUTHORIZED`; a decline has ' +
      'the status `FAILURE` and makes none. A reference is unique per merchant together with ' +
      'checkouts: an unpaid checkout of it is superseded. Fails with `kept_cards_off` if the ' +
      'merchant may not keep cards, with `payment_in_progress` while another payment of the ' +
      'reference is under way, and with `outcome_unknown` when the outcome is not known within ' +
      '30 seconds: repeat the request with the same `Idempotency-Key`.',
    method: 'POST',
    path: '/kept-cards/{id}/payments',
    permission: 'merchant',
    summary: 'Pay with a kept card',
    params: KeptCardPath,
    body: NewKeptPayment,
    exactNumerals: ['reference', 'display_reference'],
    answer: KeptPayment,
    errors: ['kept_cards_off', 'payment_in_progress', 'outcome_unknown'],
    keepsOwnAnswer: true,
    joins: true,
    rules: (ctx, { body }) => checkKeptPayment(ctx, body),
    run: (ctx, { params, body, keep }) => payKept(ctx, api, params.id, body, keep),
  }),
]
