/** The API schemas of charges (D-475, D-476). */

import { type Static, Type } from 'typebox'
import { productChargeTypes } from '#issuing/products/schema.ts'
import {
  Amount,
  AmountInput,
  Currency,
  Field,
  Instant,
  Line,
  ListOf,
  ListQuery,
  OneOf,
  Strict,
  Uuid,
} from '#kit/http/schema.ts'

/** A client charges by these; DISPUTE is what an account owes after a dispute (D-1062). */
const requestedTypes = [...productChargeTypes, 'OTHER'] as const
const chargeTypes = [...requestedTypes, 'DISPUTE'] as const
export type ChargeType = (typeof chargeTypes)[number]

export const chargeStatuses = ['APPLIED', 'PENDING', 'REVERSED', 'CANCELED'] as const
export type ChargeStatus = (typeof chargeStatuses)[number]

const STATUS =
  'APPLIED once the money was taken. PENDING while the account has too little: it is tried again ' +
  'every hour. REVERSED once it was given back. CANCELED if it is not taken any more.'
const AMOUNT = 'Amount in major units of `currency`.'
const CURRENCY = 'ISO 4217 code of the currency of the account.'
const DESCRIPTION = 'Text for the statement, at most 200 characters.'

export const NewChargeInput = Strict({
  id: Type.Optional(Field('Id of the charge; generated when left out.', Uuid)),
  amount: Field(`${AMOUNT} Above 0.`, AmountInput),
  currency: Field(CURRENCY, Currency),
  description: Field(DESCRIPTION, Line),
  type: Type.Optional(Field('Reason of the charge; default OTHER.', OneOf(requestedTypes))),
})
export type NewChargeInput = Static<typeof NewChargeInput>

export const Charge = Type.Object(
  {
    id: Field('Id of the charge.', Uuid),
    account_id: Field('Id of the account that is charged.', Uuid),
    card_id: Type.Optional(Field('Id of the card, of a charge for a card.', Uuid)),
    transaction_id: Type.Optional(Field('Id of the card transaction, of a charge for one.', Uuid)),
    type: Field('Reason of the charge.', OneOf(chargeTypes)),
    status: Field(STATUS, OneOf(chargeStatuses)),
    amount: Field(AMOUNT, Amount),
    currency: Field(CURRENCY, Currency),
    description: Type.Optional(Field('Text for the statement.', Type.String())),
    transfer_id: Type.Optional(
      Field('Id of the entry in the statement of the account, once it was taken.', Uuid),
    ),
    applied: Type.Optional(Field('Time at which the money was taken.', Instant)),
    created: Field('Time at which the charge arose.', Instant),
    modified: Field('Time of the last change.', Instant),
  },
  { title: 'Charge' },
)
export const ChargeList = ListOf(Charge)
export const ChargesQuery = ListQuery({
  status: Type.Optional(Field('Status of the charges to list.', OneOf(chargeStatuses))),
})
export type ChargesQuery = Static<typeof ChargesQuery>

export const ChargePath = Strict({
  id: Field('Id of the account.', Uuid),
  charge_id: Field('Id of the charge.', Uuid),
})

/** A charge as it is stored; minor units of `currency`. */
export type ChargeRow = {
  id: string
  account_id: string
  card_id: string | null
  transaction_id: string | null
  type: ChargeType
  status: ChargeStatus
  amount: bigint
  currency: string
  description: string | null
  month: number | null
  due: Date | null
  transfer_id: string | null
  applied: Date | null
  created: Date
  modified: Date
}

/** A charge that arises; minor units of the account's currency. */
export type Wanted = Pick<ChargeRow, 'account_id' | 'type' | 'amount' | 'currency'> & {
  card_id?: string
  transaction_id?: string
  description?: string | undefined
  month?: number
  /** The product lets it take the account below zero. */
  forced: boolean
}
/** `reversed`: the transaction of the charge has been reversed since. */
export type Arisen = Wanted & { taken: boolean; reversed?: true }
