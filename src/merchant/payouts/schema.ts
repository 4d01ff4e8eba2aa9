/** The contract of payouts and of the statement (D-735 to D-739). */

import { type Static, type TSchema, Type } from 'typebox'
import {
  Amount,
  Field,
  Instant,
  LINE_LENGTH,
  ListOf,
  ListQuery,
  OneOf,
  Strict,
  Uuid,
} from '#kit/http/schema.ts'

export const PAYOUT_STATUSES = ['PENDING', 'PAID', 'FAILED', 'CARRIED'] as const
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number]

const FOUR_DECIMALS = 'in major units, with four decimals'
const SIX_DECIMALS = 'UTC with six decimals'
const text = (description: string) => Type.String({ description })
const count = (description: string) => Type.Integer({ description })
const CurrencyCode = text('ISO 4217 alphabetic code.')
const Status = Field(
  '`PENDING` until the operator has paid it (`PAID`) or could not (`FAILED`; it is still owed). ' +
    '`CARRIED` states that there is nothing to pay, and that the next payout takes what is below ' +
    'zero over.',
  OneOf(PAYOUT_STATUSES),
)

const sumsOf = <Amount extends TSchema>(amount: (description: string) => Amount) => ({
  captures: count('Number of the captures.'),
  captured: amount('Sum of the captures'),
  refunds: count('Number of the refunds.'),
  refunded: amount('Sum of the refunds'),
  chargebacks: Type.Optional(count('Number of the disputes that were opened; absent for none.')),
  charged_back: Type.Optional(
    amount('Sum of what disputes took, less what they gave back; absent if nothing moved'),
  ),
  fees: amount('Sum of the fees of all'),
})

const membersOf = <Amount extends TSchema>(amount: (description: string) => Amount) => ({
  status: Status,
  currency: CurrencyCode,
  day: text('Day of its captures and refunds in UTC, YYYY-MM-DD.'),
  number: count('Number of the payout, counted for the merchant and the currency.'),
  ...sumsOf(amount),
  carried: amount('Amount carried on from the payout before it, zero or below'),
  amount: amount(
    'Amount paid: `captured` less `refunded`, `charged_back` and `fees`, and `carried`',
  ),
  reference: Type.Optional(
    text('Name of the transfer, or why it failed; absent while no operator has said so.'),
  ),
})

const inText = (description: string) => text(`${description}, ${FOUR_DECIMALS}.`)
const inNumbers = (description: string) => Field(`${description}, in major units.`, Amount)

const sums = sumsOf(inText)
const members = { payout_id: Field('Id of the payout.', Uuid), ...membersOf(inText) }

export const Payout = Type.Object(
  {
    ...members,
    created_at: text(`Time of its making, ${SIX_DECIMALS}.`),
    updated_at: text(`Time of the last change, ${SIX_DECIMALS}.`),
  },
  { title: 'Payout' },
)
export type Payout = Static<typeof Payout>
export const Payouts = ListOf(Payout)

const bound = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', description }))
const currency = Type.Optional(
  Type.String({ pattern: '^[A-Z]{3}$', description: 'Lists only payouts in this currency.' }),
)
const status = Type.Optional(Field('Lists only payouts of this status.', OneOf(PAYOUT_STATUSES)))

export const PayoutsQuery = ListQuery({
  status,
  currency,
  from: bound('Lists only payouts that were made at this time or later.'),
  to: bound('Lists only payouts that were made before this time.'),
})
export type PayoutsQuery = Static<typeof PayoutsQuery>
export const PayoutPath = Strict({ id: Field('Id of the payout.', Uuid) })

const Day = (description: string) =>
  Type.Optional(Type.String({ format: 'date', maxLength: 10, description }))

export const StatementQuery = Strict({
  from: Day('First day in UTC; 29 days before `to` by default.'),
  to: Day('Last day in UTC, at most 366 days after `from`; today by default.'),
})
export type StatementQuery = Static<typeof StatementQuery>

const net = inText('`captured` less `refunded`, `charged_back` and `fees`')

export const Statement = Type.Object(
  {
    from: text('First day, YYYY-MM-DD.'),
    to: text('Last day, YYYY-MM-DD.'),
    data: Type.Array(
      Type.Object({
        currency: CurrencyCode,
        ...sums,
        net,
        payout_due: text(
          `Sum owed to the merchant at present, of all days, ${FOUR_DECIMALS}: payouts that are ` +
            'not PAID, and operations and disputes that are in no payout yet.',
        ),
        days: Type.Array(Type.Object({ day: text('Day, YYYY-MM-DD.'), ...sums, net }), {
          description:
            'Days on which something was captured, refunded or disputed, in their order.',
        }),
      }),
      { description: 'One object for each currency, by its code.' },
    ),
  },
  { title: 'Statement' },
)
export type Statement = Static<typeof Statement>

const place = {
  tenant_id: Field('Id of the tenant.', Uuid),
  merchant_id: Field('Id of the merchant.', Uuid),
}

/** A payout as the operator's API shows it, with instants in the form of that API (D-7). */
export const OperatorPayout = Type.Object(
  {
    id: Field('Id of the payout.', Uuid),
    ...place,
    ...membersOf(inNumbers),
    created: Field('Time of its making.', Instant),
    modified: Field('Time of the last change.', Instant),
  },
  { title: 'OperatorPayout' },
)
export type OperatorPayout = Static<typeof OperatorPayout>
export const OperatorPayouts = ListOf(OperatorPayout)

export const OperatorPayoutsQuery = ListQuery({
  tenant_id: Type.Optional(Field('Lists only payouts of this tenant.', Uuid)),
  merchant_id: Type.Optional(Field('Lists only payouts of this merchant.', Uuid)),
  currency,
  status,
})
export type OperatorPayoutsQuery = Static<typeof OperatorPayoutsQuery>

export const PayoutMark = Strict({
  reference: Type.String({
    minLength: 1,
    maxLength: LINE_LENGTH,
    pattern: '^[^\\u0000]*$',
    description:
      'Name of the transfer, or why it failed, for the merchant; at most 200 characters.',
  }),
})
export type PayoutMark = Static<typeof PayoutMark>

/** The members of its events. */
export const payoutMembers = { ...members, merchant_id: place.merchant_id }
