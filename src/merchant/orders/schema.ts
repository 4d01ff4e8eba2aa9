/** The contract of orders: the exact formats of the specification and D-84 to D-86. */

import { type Static, Type } from 'typebox'
import { Field, Uuid } from '#kit/http/schema.ts'
import type { RequestedAmount, RequestedCapture } from './rules/operations.ts'

const AMOUNT_MAX = 40
export const REFERENCE_MAX = 300

const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] })
const NullableObject = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  additionalProperties: true,
})
/** Shops send numbers in some of these members, and get them back unchanged. */
const Loose = Type.Unsafe<unknown>({})

export const OrderId = Field('Id of the order.', Uuid)
export const CurrencyCode = Type.String({ description: 'ISO 4217 alphabetic code of the order.' })
export const FOUR_DECIMALS = 'in major units, with four decimals'

const customer = Type.Object({
  first_name: Field('First name; null when the checkout had none.', NullableText),
  last_name: Field('Last name; null when the checkout had none.', NullableText),
  email: Type.String({ description: 'E-mail address; empty when the checkout had none.' }),
  phone: Field('Phone number as sent with the checkout, as text or number.', Loose),
})

export const Order = Type.Object(
  {
    order_id: OrderId,
    reference: Type.String({ description: 'Reference of the merchant, from the checkout.' }),
    display_reference: Type.String({
      description: 'Reference that the customer sees; `reference` by default.',
    }),
    description: Type.String({ description: 'Description of the checkout; empty when none.' }),
    total: Type.String({ description: `Total of the order, ${FOUR_DECIMALS}.` }),
    currency: CurrencyCode,
    tax_amount: Field(`Tax ${FOUR_DECIMALS}; null when the checkout had none.`, NullableText),
    shipping_amount: Field(
      `Shipping costs ${FOUR_DECIMALS}; null when the checkout had none.`,
      NullableText,
    ),
    discount: Field(
      `Discount ${FOUR_DECIMALS}, never negative; null when the checkout had none.`,
      NullableText,
    ),
    customer: Field('Customer of the checkout.', customer),
    billing_address: Field('Billing address as sent with the checkout.', NullableObject),
    shipping_address: Field('Shipping address as sent with the checkout.', NullableObject),
    lines: Type.Array(Type.Object({}, { additionalProperties: true }), {
      description: 'Order lines as sent with the checkout.',
    }),
    created_at: Type.String({ description: 'Time of the authorization, UTC with six decimals.' }),
    updated_at: Type.String({ description: 'Time of the last change, UTC with six decimals.' }),
    order_number: Type.String({
      description: 'Number of the order: twelve upper-case letters and digits.',
    }),
    status: Type.Unsafe<'OPENED' | 'COMPLETED'>({
      type: 'string',
      enum: ['OPENED', 'COMPLETED'],
      description:
        '`OPENED` from the authorization, `COMPLETED` from the capture, the last one where there ' +
        'are several.',
    }),
    total_captured: Type.Optional(
      Type.String({
        description:
          `Sum of the captures ${FOUR_DECIMALS}; \`0\` when there are none. Present only where ` +
          'the order may be captured in parts.',
      }),
    ),
    total_refund: Type.String({
      description: `Sum of the refunds ${FOUR_DECIMALS}; \`0\` when there are none.`,
    }),
    capture_expiration: Type.String({
      description: 'Deadline of the capture, UTC with six decimals and the offset `+00:00`.',
    }),
    employee_name: Type.String({ description: 'Display name of the merchant.' }),
  },
  { title: 'Order' },
)
export type Order = Static<typeof Order>

const status = Type.Unsafe<'SUCCESS' | 'FAILURE'>({
  type: 'string',
  enum: ['SUCCESS', 'FAILURE'],
  description: '`FAILURE` states that no money has moved.',
})

/** A failure has no amount, currency and type. */
export const CaptureResult = Type.Object(
  {
    status,
    order_id: OrderId,
    amount: Type.Optional(
      Type.String({ description: `Captured amount ${FOUR_DECIMALS}; on success only.` }),
    ),
    currency: Type.Optional(
      Type.String({ description: 'ISO 4217 alphabetic code of the order; on success only.' }),
    ),
    type: Type.Optional(Type.String({ description: 'Always `CAPTURE`; on success only.' })),
    final: Type.Optional(
      Type.Boolean({
        description:
          'Whether the order is completed; present on success, where the order may be captured ' +
          'in parts.',
      }),
    ),
  },
  { title: 'CaptureResult' },
)

export const RefundResult = Type.Object(
  {
    status,
    order_id: OrderId,
    amount: Type.String({ description: `Amount of this refund ${FOUR_DECIMALS}.` }),
    currency: CurrencyCode,
    type: Type.String({ description: 'Always `REFUND`.' }),
    transaction_id: Field('Id of this refund.', Uuid),
  },
  { title: 'RefundResult' },
)
export type CaptureResult = Static<typeof CaptureResult>
export type RefundResult = Static<typeof RefundResult>

export const OrderPath = Type.Object({
  // PostgreSQL text cannot contain U+0000, so no order has such a reference.
  reference: Type.String({
    minLength: 1,
    maxLength: REFERENCE_MAX,
    pattern: '^[^\\u0000]*$',
    description: 'Reference of the merchant, from the checkout.',
  }),
})

const TOTAL =
  'Amount in major units, with up to four decimals. A capture without it captures all that is ' +
  'not captured yet; a refund requires it.'
const FINAL =
  'Whether this is the last capture of the order, for a merchant with `partial_captures`, ' +
  'which releases the rest. A capture of all that is left always is. Without the setting each ' +
  'capture is the last, and `false` with less than the total is rejected.'
const CURRENCY = 'ISO 4217 alphabetic code, the one of the order. A refund requires it.'

const requestedAmount = {
  total: Type.Optional(
    Type.Unsafe<number | string | null>({
      type: ['number', 'string', 'null'],
      maxLength: AMOUNT_MAX,
      description: TOTAL,
    }),
  ),
  currency: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: AMOUNT_MAX,
      description: CURRENCY,
    }),
  ),
}
/** Absent, `null`, `[]` and `{}` all are a body without members (D-85). */
const bodyOf = <Members extends object>(properties: object) =>
  Type.Unsafe<Members | [] | null | undefined>({
    type: ['object', 'array', 'null'],
    maxItems: 0,
    properties,
    'x-optional': true,
  })
export const RefundBody = bodyOf<RequestedAmount>(requestedAmount)
export type RefundBody = Static<typeof RefundBody>

const final = Type.Optional(
  Type.Unsafe<boolean | null>({ type: ['boolean', 'null'], description: FINAL }),
)
export const CaptureBody = bodyOf<RequestedCapture>({ ...requestedAmount, final })
export type CaptureBody = Static<typeof CaptureBody>

/** A member that the body lacks is read from the query (D-86). */
export const OperationQuery = Type.Object({
  total: Type.Optional(
    Type.String({
      maxLength: AMOUNT_MAX,
      description: 'Refund amount in major units; used when the body has no `total`.',
    }),
  ),
  currency: Type.Optional(
    Type.String({
      maxLength: AMOUNT_MAX,
      description: 'ISO 4217 alphabetic code; used when the body has no `currency`.',
    }),
  ),
})
export type OperationQuery = Static<typeof OperationQuery>

/** A capture rejects them in its query, in any form (D-127). */
export const CaptureQuery = Type.Object({
  total: Type.Optional(Field('Rejected: send it in the body.', Loose)),
  currency: Type.Optional(Field('Rejected: send it in the body.', Loose)),
  final: Type.Optional(Field('Rejected: send it in the body.', Loose)),
})
export type CaptureQuery = Static<typeof CaptureQuery>
