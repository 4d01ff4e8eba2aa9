/** The contract of payments that come to no outcome by themselves (D-960). */

import { type Static, Type } from 'typebox'
import {
  AmountOfCurrency,
  Field,
  Instant,
  Line,
  ListOf,
  ListQuery,
  OneOf,
  Strict,
  Uuid,
} from '#kit/http/schema.ts'

const OUTCOMES = ['APPROVED', 'DECLINED'] as const

const text = (description: string) => Type.String({ description })

const members = {
  id: Field('Id of its message to the issuer.', Uuid),
  tenant_id: Field('Id of the tenant.', Uuid),
  merchant_id: Field('Id of the merchant.', Uuid),
  type: Field('Kind of operation that has no outcome.', OneOf(['PAYMENT', 'CAPTURE', 'REFUND'])),
  checkout_id: Type.Optional(Field('Id of the checkout of a payment.', Uuid)),
  order_id: Type.Optional(Field('Id of the order of a capture or refund.', Uuid)),
  operation_id: Type.Optional(Field('Id of the capture or refund.', Uuid)),
  reference: text('Reference of the payment at the merchant.'),
  amount: AmountOfCurrency,
  currency: text('ISO 4217 alphabetic code.'),
  rrn: text('Retrieval reference number (DE37), by which the issuer knows it.'),
  issuer: Type.Optional(text('Name of the issuer; absent for the default one.')),
  reason: Field(
    '`CARD_MISSING` where its card is not stored and no message can be sent, `UNANSWERED` where ' +
      'the issuer has not answered for 24 hours.',
    OneOf(['CARD_MISSING', 'UNANSWERED']),
  ),
  created: Field('Time at which it began.', Instant),
}

export const StuckPayment = Type.Object(members, { title: 'StuckPayment' })
export type StuckPayment = Static<typeof StuckPayment>
export const StuckPayments = ListOf(StuckPayment)

export const StuckQuery = ListQuery({
  tenant_id: Type.Optional(Field('Lists only payments of this tenant.', Uuid)),
  merchant_id: Type.Optional(Field('Lists only payments of this merchant.', Uuid)),
})
export type StuckQuery = Static<typeof StuckQuery>

export const StuckPath = Strict({
  id: Field('Id of the message to the issuer, of the checkout, or of the capture or refund.', Uuid),
})

const outcome = Field(
  'Outcome at the issuer: `APPROVED` if the payment, capture or refund took effect, `DECLINED` ' +
    'if nothing of it is in effect.',
  OneOf(OUTCOMES),
)
const note = Field(
  'The person at the issuer who stated it, and the place; without card data.',
  Line,
)

export const EndInput = Strict({ outcome, note })
export type EndInput = Static<typeof EndInput>

export const EndedPayment = Type.Object(
  { ...members, outcome, note, ended: Field('Time at which it was ended.', Instant) },
  { title: 'EndedPayment' },
)
export type EndedPayment = Static<typeof EndedPayment>
