/** Schemas of checkouts (D-81, D-82). Members that they do not name are ignored. */

import { type Static, type TProperties, Type } from 'typebox'
import { Field, OneOf, Uuid } from '#kit/http/schema.ts'

export const REFERENCE_MAX = 100
const TEXT_MAX = 200
const LONG_TEXT_MAX = 2_000
const URL_MAX = 2_000
export const LINES_MAX = 500

/** Absent, null and empty all mean that there is none (D-82), as do `[]` and `false` (D-1009). */
const Text = (description: string, maxLength = TEXT_MAX) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength, description }))
const TextOrNumber = (description: string) =>
  Type.Optional(
    Type.Unsafe<string | number | null>({
      type: ['string', 'number', 'null'],
      maxLength: TEXT_MAX,
      description,
    }),
  )
const Maybe = <Properties extends TProperties>(description: string, properties: Properties) =>
  Type.Optional(
    Type.Unsafe<Static<ReturnType<typeof Type.Object<Properties>>> | null>({
      type: ['object', 'null'],
      properties,
      description,
    }),
  )

const address = {
  title: Text('Title of the person.'),
  first_name: Text('First name.'),
  last_name: Text('Last name.'),
  line1: Text('First line of the address.'),
  line2: Text('Second line of the address.'),
  line3: Text('Third line of the address.'),
  line4: Text('Fourth line of the address.'),
  state: Text('State or province.'),
  postcode: TextOrNumber('Postal code.'),
  country: Text('ISO 3166-1 alpha-2 code; it may be empty.'),
  phone: TextOrNumber('Phone number.'),
}
const customer = {
  first_name: Text('First name.'),
  last_name: Text('Last name.'),
  email: Text('E-mail address.', 320),
  phone: TextOrNumber('Phone number.'),
  reference: TextOrNumber(
    'Name of the customer in the shop, 1 to 100 characters: with the setting `kept_cards` of the ' +
      'merchant, the payment page offers the cards that this customer let the shop keep.',
  ),
}
const line = {
  sku: TextOrNumber('Stock keeping unit.'),
  reference: TextOrNumber('Reference of the line.'),
  title: Text('Name of the item.', LONG_TEXT_MAX),
  upc: TextOrNumber('Universal product code.'),
  quantity: TextOrNumber('Number of items.'),
  price: TextOrNumber('Price in major units; it is rounded to four decimals.'),
  currency: Text('ISO 4217 alphabetic code of the price.'),
  image_url: Text('URL of an image of the item.', LONG_TEXT_MAX),
}
const lines = Type.Optional(
  Type.Unsafe<Partial<Record<keyof typeof line, unknown>>[] | null>({
    type: ['array', 'null'],
    maxItems: LINES_MAX,
    items: { type: 'object', properties: line },
    description:
      'Order lines; stored and returned unchanged, but for the decimals of their prices.',
  }),
)
const order = {
  tax_amount: TextOrNumber('Tax in major units; it is rounded to four decimals.'),
  shipping_amount: TextOrNumber(
    'Shipping costs in major units; they are rounded to four decimals.',
  ),
  discount: TextOrNumber(
    'Discount in major units, rounded to four decimals; its absolute value counts.',
  ),
  customer: Maybe('Customer of the order.', customer),
  billing_address: Maybe('Billing address of the order.', address),
  shipping_address: Maybe('Shipping address of the order.', address),
  lines,
}

const payment = {
  reference: Type.Unsafe<string | number>({
    type: ['string', 'number'],
    maxLength: REFERENCE_MAX,
    description:
      'Reference of the order, unique for the merchant: 1 to 100 visible characters without ' +
      'space, slash and colon, other than `.` and `..`. A number keeps all of its digits: it is ' +
      'returned as text where a JSON number would lose some.',
  }),
  display_reference: TextOrNumber(
    'Reference that the customer sees; `reference` where it is absent or blank.',
  ),
  description: Text('Description of the order.', LONG_TEXT_MAX),
  // D-81
  total: Type.Unsafe<number | string>({
    type: ['number', 'string'],
    maxLength: 40,
    description:
      'Amount to pay in major units, as a number or text with up to four decimals. The card pays ' +
      'it rounded half-even to the decimals of the currency: at least one minor unit, at most ' +
      'twelve digits of them.',
  }),
  currency: Type.String({ maxLength: 3, description: 'ISO 4217 alphabetic code.' }),
  order: Maybe('Details of the order.', order),
}

const callbackUrl = (description: string) =>
  Type.String({
    maxLength: URL_MAX,
    description:
      `${description} It is absolute, http or https (in live https), with a name or an IP ` +
      'address as its host, which is one of the `callback_hosts` of the merchant where it has ' +
      'some.',
  })

const request = {
  ...payment,
  confirm_callback_url: callbackUrl(
    'URL to which the payment page redirects the customer after the payment.',
  ),
  reject_callback_url: callbackUrl(
    'URL to which the payment page redirects the customer after the third declined payment, and ' +
      'to which its form leads back.',
  ),
  plan: Text('Payment plan; `pay-now` is the only one and the default.'),
  completes: Type.Optional(
    Type.Unsafe<boolean | null>({
      type: ['boolean', 'null'],
      description: 'Returned unchanged, without effect: capture the order explicitly.',
    }),
  ),
}

export const NewCheckout = Type.Object(request)
export type NewCheckout = Static<typeof NewCheckout>
export type Customer = Partial<Record<keyof typeof customer, unknown>>
export type Address = Partial<Record<keyof typeof address, unknown>>
export type Line = Partial<Record<keyof typeof line, unknown>>

/** The request and the address of the payment page. */
export const Checkout = Type.Object(
  {
    ...request,
    checkout_url: Type.String({
      description:
        'URL of the payment page of the customer. It has a query: `&lang=ar` behind it makes the ' +
        'page Arabic, `&lang=en` English.',
    }),
  },
  { title: 'Checkout' },
)

/** A payment with a kept card (D-775): the members of a checkout that do not belong to its page. */
export const NewKeptPayment = Type.Object(payment)
export type NewKeptPayment = Static<typeof NewKeptPayment>

/** Why a payment with a kept card failed. */
export const failures = [
  'insufficient_funds',
  'card_data_wrong',
  'security_failed',
  'limit_exceeded',
  'card_unusable',
  'authentication_required',
  'recurring_stopped',
  'issuer_unavailable',
  'declined',
] as const
export type Failure = (typeof failures)[number]

export const KeptPayment = Type.Object(
  {
    status: Field(
      '`FAILURE` states that no money has moved.',
      OneOf(['SUCCESS', 'FAILURE'] as const),
    ),
    type: Type.String({ description: 'Always `PAYMENT`.' }),
    reference: Type.String({ description: 'Reference of the request.' }),
    order_id: Type.Optional(Field('Id of the order that was made; on success only.', Uuid)),
    amount: Type.String({ description: 'Total of the request, in major units, four decimals.' }),
    currency: Type.String({ description: 'ISO 4217 alphabetic code.' }),
    reason: Type.Optional(
      Field(
        'Why no money was moved; on failure only. `recurring_stopped`: the cardholder or the ' +
          'issuer has ended recurring payments to this shop, so ask the customer and do not ' +
          'repeat the payment.',
        OneOf(failures),
      ),
    ),
  },
  { title: 'KeptPayment' },
)
export type KeptPayment = Static<typeof KeptPayment>

/** The members that an order gets from the checkout that was paid. */
export type PaidCheckout = {
  merchant_id: string
  authorization_id: string
  reference: string
  display_reference: string
  description: string
  currency: string
  /** Ten-thousandths of a major unit. */
  total: bigint
  tax_amount: bigint | null
  shipping_amount: bigint | null
  discount: bigint | null
  /** The authorized amount in minor units. */
  amount: bigint
  customer: Customer
  billing_address: Address | null
  shipping_address: Address | null
  lines: readonly Line[]
}
