import { type Route, route } from '#kit/http/route.ts'
import { createCheckout, type PaymentServices } from './checkouts.ts'
import { Checkout, NewCheckout } from './schema.ts'
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
      'its payment creates the order and sends `ORDER_AUTHORIZED`.',
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
]
