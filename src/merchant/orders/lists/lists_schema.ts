/** The contract of the merchant's lists of orders, captures and refunds (D-642, D-730 to D-732). */

import { type Static, Type } from 'typebox'
import { Field, ListOf, ListQuery, OneOf, Strict, Uuid } from '#kit/http/schema.ts'
import { CurrencyCode, FOUR_DECIMALS, Order, OrderId, REFERENCE_MAX } from '../schema.ts'

const EMAIL_MAX = 320

export const Orders = ListOf(Order)

const bound = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', description }))
const reference = (description: string) =>
  Type.Optional(
    Type.String({ minLength: 1, maxLength: REFERENCE_MAX, pattern: '^[^\\u0000]*$', description }),
  )
const currency = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[A-Z]{3}$', description }))
/** At most 15 digits, as every amount. */
const amount = (description: string) =>
  Type.Optional(
    Type.String({ pattern: '^(0|[1-9][0-9]{0,10})([.][0-9]{1,4})?$', maxLength: 16, description }),
  )

const orderFilters = {
  status: Type.Optional(
    Field('Lists only orders of this status.', OneOf(['OPENED', 'COMPLETED'] as const)),
  ),
  reference: reference('Lists only the order with this reference.'),
  currency: currency('Lists only orders in this currency, an ISO 4217 alphabetic code.'),
  min_total: amount('Lists only orders with this total or more, in major units.'),
  max_total: amount('Lists only orders with this total or less, in major units.'),
  refund: Type.Optional(
    Field(
      'Lists only orders of which nothing (`none`), a part (`partial`) or all that was captured ' +
        '(`full`) is refunded.',
      OneOf(['none', 'partial', 'full'] as const),
    ),
  ),
  email: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: EMAIL_MAX,
      pattern: '^[^\\u0000]*$',
      format: 'not-blank',
      description:
        'Lists only orders whose customer has this e-mail address, in any case; blanks and ' +
        'marks of direction around it do not count.',
    }),
  ),
  from: bound('Lists only orders that were created at this time or later.'),
  to: bound('Lists only orders that were created before this time.'),
}
export const OrdersQuery = ListQuery(orderFilters)
export type OrdersQuery = Static<typeof OrdersQuery>

export const OrderTotalsQuery = Strict(orderFilters)
export type OrderTotalsQuery = Static<typeof OrderTotalsQuery>

export const OrderTotals = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        currency: CurrencyCode,
        count: Type.Integer({ description: 'Number of the orders.' }),
        authorized: Type.String({ description: `Sum of their totals, ${FOUR_DECIMALS}.` }),
        captured: Type.String({ description: `Sum of what is captured, ${FOUR_DECIMALS}.` }),
        refunded: Type.String({ description: `Sum of what is refunded, ${FOUR_DECIMALS}.` }),
      }),
      { description: 'One object for each currency, by its code.' },
    ),
  },
  { title: 'OrderTotals' },
)
export type OrderTotals = Static<typeof OrderTotals>

const OPERATION_STATUSES = ['PENDING', 'SUCCESS', 'FAILURE'] as const

export const Operation = Type.Object(
  {
    transaction_id: Field('Id of the capture or refund, as in its event.', Uuid),
    type: Field('Whether it is a capture or a refund.', OneOf(['CAPTURE', 'REFUND'] as const)),
    status: Field(
      '`PENDING` until the outcome is known; `FAILURE` states that no money has moved.',
      OneOf(OPERATION_STATUSES),
    ),
    order_id: OrderId,
    reference: Type.String({ description: 'Reference of the order.' }),
    order_number: Type.String({ description: 'Number of the order.' }),
    amount: Type.String({ description: `Amount ${FOUR_DECIMALS}.` }),
    currency: CurrencyCode,
    final: Type.Optional(
      Type.Boolean({
        description:
          'Whether it is the last capture of its order; present for captures of an order that ' +
          'may be captured in parts.',
      }),
    ),
    fee: Type.String({
      description: `Fee that the merchant pays for it if it succeeds, ${FOUR_DECIMALS}.`,
    }),
    payout_id: Type.Optional(Field('Payout that it is in; absent until there is one.', Uuid)),
    created_at: Type.String({ description: 'Time of the request, UTC with six decimals.' }),
    updated_at: Type.String({ description: 'Time of the last change, UTC with six decimals.' }),
  },
  { title: 'OrderOperation' },
)
export type Operation = Static<typeof Operation>
export const Operations = ListOf(Operation)

export const OperationsQuery = ListQuery({
  status: Type.Optional(Field('Lists only those of this status.', OneOf(OPERATION_STATUSES))),
  reference: reference('Lists only those of the order with this reference.'),
  payout_id: Type.Optional(Field('Lists only those of this payout.', Uuid)),
  currency: currency('Lists only those in this currency, an ISO 4217 alphabetic code.'),
  from: bound('Lists only those that were requested at this time or later.'),
  to: bound('Lists only those that were requested before this time.'),
})
export type OperationsQuery = Static<typeof OperationsQuery>
