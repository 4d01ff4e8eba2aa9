/** The contract of checkouts (D-81, D-82). Members that are not named here are ignored. */

import { type Static, type TProperties, Type } from 'typebox'

export const REFERENCE_MAX = 100
const TEXT_MAX = 200
const LONG_TEXT_MAX = 2_000
const URL_MAX = 2_000
export const LINES_MAX = 500

/** Absent, null or empty all mean that there is none (D-82). */
const Text = (maxLength = TEXT_MAX) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength }))
const TextOrNumber = () =>
  Type.Optional(
    Type.Unsafe<string | number | null>({
      type: ['string', 'number', 'null'],
      maxLength: TEXT_MAX,
    }),
  )
const Maybe = <Properties extends TProperties>(properties: Properties) =>
  Type.Optional(
    Type.Unsafe<Static<ReturnType<typeof Type.Object<Properties>>> | null>({
      type: ['object', 'null'],
      properties,
    }),
  )

/** A number or numeric text of up to four decimals (D-81). */
const Amount = Type.Unsafe<number | string>({ type: ['number', 'string'], maxLength: 40 })

const address = {
  title: Text(),
  first_name: Text(),
  last_name: Text(),
  line1: Text(),
  line2: Text(),
  line3: Text(),
  line4: Text(),
  state: Text(),
  postcode: TextOrNumber(),
  country: Text(),
  phone: TextOrNumber(),
}
const customer = { first_name: Text(), last_name: Text(), email: Text(320), phone: TextOrNumber() }
const line = {
  sku: TextOrNumber(),
  reference: TextOrNumber(),
  title: Text(LONG_TEXT_MAX),
  upc: TextOrNumber(),
  quantity: TextOrNumber(),
  price: TextOrNumber(),
  currency: Text(),
  image_url: Text(LONG_TEXT_MAX),
}
const lines = Type.Optional(
  Type.Unsafe<Record<keyof typeof line, unknown>[] | null>({
    type: ['array', 'null'],
    maxItems: LINES_MAX,
    items: { type: 'object', properties: line },
  }),
)
const order = {
  tax_amount: TextOrNumber(),
  shipping_amount: TextOrNumber(),
  discount: TextOrNumber(),
  customer: Maybe(customer),
  billing_address: Maybe(address),
  shipping_address: Maybe(address),
  lines,
}

const request = {
  reference: Type.Unsafe<string | number>({ type: ['string', 'number'], maxLength: REFERENCE_MAX }),
  display_reference: TextOrNumber(),
  description: Text(LONG_TEXT_MAX),
  total: Amount,
  currency: Type.String({ maxLength: 3 }),
  confirm_callback_url: Type.String({ maxLength: URL_MAX }),
  reject_callback_url: Type.String({ maxLength: URL_MAX }),
  order: Maybe(order),
  plan: Text(),
  completes: Type.Optional(Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] })),
}

export const NewCheckout = Type.Object(request)
export type NewCheckout = Static<typeof NewCheckout>
export type Customer = Partial<Record<keyof typeof customer, unknown>>
export type Address = Partial<Record<keyof typeof address, unknown>>
export type Line = Partial<Record<keyof typeof line, unknown>>

/** The request again, and where the customer pays. */
export const Checkout = Type.Object(
  { ...request, checkout_url: Type.String() },
  { title: 'Checkout' },
)

/** What a payment leaves to the order that stands on it. */
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
  /** Minor units that the card has promised. */
  amount: bigint
  customer: Customer
  billing_address: Address | null
  shipping_address: Address | null
  lines: readonly Line[]
}
