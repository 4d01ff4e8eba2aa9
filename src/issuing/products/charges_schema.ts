/** The API schemas of the charges of a product (D-475). */

import { type Static, Type } from 'typebox'
import { Amount, AmountInput, Field, Line, OneOf, Strict } from '#kit/http/schema.ts'

/** The events that a product charges for. */
export const productChargeTypes = [
  'ISSUING',
  'REPLACEMENT',
  'CASH_WITHDRAWAL',
  'FOREIGN_CURRENCY',
  'MONTHLY',
] as const
export type ProductChargeType = (typeof productChargeTypes)[number]

const descriptions = {
  type: 'Reason of the charge.',
  amount: 'Fixed charge in major units of the currency of the product, above 0.',
  percent:
    'Charge in per cent of what is posted for the transaction, above 0 and at most 100, with up ' +
    'to four decimals. CASH_WITHDRAWAL and FOREIGN_CURRENCY only.',
  description: 'Text for the statement, at most 200 characters.',
  charges:
    'Charges of the product, at most one of a type; a list that is sent replaces the stored one. ' +
    'Each has either `amount` or `percent`, FOREIGN_CURRENCY a `percent`.',
  allow_negative:
    'Whether charges of the product take an account below zero. Otherwise a charge that is not ' +
    'covered stays PENDING and is collected later; default false.',
} as const

const ProductChargeInput = Strict({
  type: Field(descriptions.type, OneOf(productChargeTypes)),
  amount: Type.Optional(Field(descriptions.amount, AmountInput)),
  percent: Type.Optional(Field(descriptions.percent, AmountInput)),
  description: Type.Optional(Field(descriptions.description, Line)),
})
export type ProductChargeInput = Static<typeof ProductChargeInput>

const ProductCharge = Type.Object(
  {
    type: Field(descriptions.type, OneOf(productChargeTypes)),
    amount: Type.Optional(Field(descriptions.amount, Amount)),
    percent: Type.Optional(Field(descriptions.percent, Amount)),
    description: Type.Optional(Field(descriptions.description, Type.String())),
  },
  { title: 'ProductCharge' },
)

export const chargesInput = {
  charges: Type.Optional(
    Type.Array(ProductChargeInput, {
      maxItems: productChargeTypes.length,
      description: descriptions.charges,
    }),
  ),
  allow_negative_charges: Type.Optional(Field(descriptions.allow_negative, Type.Boolean())),
}

export const chargesAnswer = {
  charges: Type.Array(ProductCharge, { description: descriptions.charges }),
  allow_negative_charges: Field(descriptions.allow_negative, Type.Boolean()),
}

/**
 * As stored: the amount in minor units of the product's currency as text, the percentage in
 * ten-thousandths of a per cent. One of the two is there.
 */
export type StoredCharge = {
  type: ProductChargeType
  amount?: string
  percent?: number
  description?: string
}
