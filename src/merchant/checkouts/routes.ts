import { type Route, route } from '#kit/route.ts'
import { createCheckout, type PaymentServices } from './checkouts.ts'
import { moreFaults } from './rules/request.ts'
import { Checkout, NewCheckout } from './schema.ts'

export const checkoutRoutes = (api: PaymentServices): readonly Route[] => [
  route({
    id: 'postCheckouts',
    tag: 'Checkouts',
    description: '',
    method: 'POST',
    path: '/checkouts',
    permission: 'merchant',
    summary: 'Open a checkout; its customer pays at checkout_url',
    body: NewCheckout,
    moreFaults,
    exactNumerals: ['reference', 'display_reference'],
    answer: Checkout,
    status: 201,
    errors: ['payment_in_progress'],
    run: (ctx, { body }) => createCheckout(ctx, api, body),
  }),
]
