/** The contract of orders: the exact formats of the specification and D-84 to D-86. */

import { type Static, Type } from 'typebox'
import { Uuid } from '#kit/schema.ts'

const AMOUNT_MAX = 40
const REFERENCE_MAX = 300

const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] })
const NullableObject = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  additionalProperties: true,
})
/** Shops send numbers in some of these members, and get them back as they were. */
const Loose = Type.Unsafe<unknown>({})

export const Order = Type.Object(
  {
    order_id: Uuid,
    reference: Type.String(),
    display_reference: Type.String(),
    description: Type.String(),
    total: Type.String(),
    currency: Type.String(),
    tax_amount: NullableText,
    shipping_amount: NullableText,
    discount: NullableText,
    customer: Type.Object({
      first_name: NullableText,
      last_name: NullableText,
      email: Type.String(),
      phone: Loose,
    }),
    billing_address: NullableObject,
    shipping_address: NullableObject,
    lines: Type.Array(Type.Object({}, { additionalProperties: true })),
    created_at: Type.String(),
    updated_at: Type.String(),
    order_number: Type.String(),
    status: Type.Unsafe<'OPENED' | 'COMPLETED'>({ type: 'string', enum: ['OPENED', 'COMPLETED'] }),
    total_refund: Type.String(),
    capture_expiration: Type.String(),
    employee_name: Type.String(),
  },
  { title: 'Order' },
)
export type Order = Static<typeof Order>

const status = Type.Unsafe<'SUCCESS' | 'FAILURE'>({ type: 'string', enum: ['SUCCESS', 'FAILURE'] })

/** Amount, currency and type stand in the result of a success only. */
export const CaptureResult = Type.Object(
  {
    status,
    order_id: Uuid,
    amount: Type.Optional(Type.String()),
    currency: Type.Optional(Type.String()),
    type: Type.Optional(Type.String()),
  },
  { title: 'CaptureResult' },
)

export const RefundResult = Type.Object(
  {
    status,
    order_id: Uuid,
    amount: Type.String(),
    currency: Type.String(),
    type: Type.String(),
    transaction_id: Uuid,
  },
  { title: 'RefundResult' },
)
export type CaptureResult = Static<typeof CaptureResult>
export type RefundResult = Static<typeof RefundResult>

export const OrderPath = Type.Object({
  // What PostgreSQL cannot hold is no order's reference.
  reference: Type.String({ minLength: 1, maxLength: REFERENCE_MAX, pattern: '^[^\\u0000]*$' }),
})

const wanted = {
  total: Type.Optional(
    Type.Unsafe<number | string | null>({
      type: ['number', 'string', 'null'],
      maxLength: AMOUNT_MAX,
    }),
  ),
  currency: Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: AMOUNT_MAX }),
  ),
}
/** Absent, `null`, `[]` and `{}` all are a body without members (D-85). */
export const OperationBody = Type.Unsafe<
  { total?: number | string | null; currency?: string | null } | [] | null | undefined
>({ type: ['object', 'array', 'null'], maxItems: 0, properties: wanted, 'x-optional': true })
export type OperationBody = Static<typeof OperationBody>

/** Where the body lacks a member it may stand in the query (D-86). */
export const OperationQuery = Type.Object({
  total: Type.Optional(Type.String({ maxLength: AMOUNT_MAX })),
  currency: Type.Optional(Type.String({ maxLength: AMOUNT_MAX })),
})
export type OperationQuery = Static<typeof OperationQuery>

/** Neither may stand in the query of a capture, in whatever form (D-127). */
export const CaptureQuery = Type.Object({
  total: Type.Optional(Loose),
  currency: Type.Optional(Loose),
})
export type CaptureQuery = Static<typeof CaptureQuery>
