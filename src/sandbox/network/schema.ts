/** Requests that simulate messages of the card network (D-71, D-110). */

import { type Static, Type } from 'typebox'
import { versionNames } from '#emv/versions.ts'
import {
  entryModes,
  TraceEntry,
  Transaction,
  transactionStatuses,
  transactionTypes,
} from '#issuing/transactions/schema.ts'
import { Amount, AmountInput, Currency, Field, OneOf, Strict, Uuid } from '#kit/http/schema.ts'

const MerchantInput = Strict({
  id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 15, description: 'Card acceptor id of the merchant.' }),
  ),
  name: Type.Optional(Type.String({ maxLength: 25, description: 'Name of the merchant.' })),
  mcc: Type.Optional(
    Type.String({ pattern: '^[0-9]{4}$', description: 'Merchant category code, four digits.' }),
  ),
  city: Type.Optional(Type.String({ maxLength: 13, description: 'City of the merchant.' })),
  country: Type.Optional(
    Type.String({
      pattern: '^([A-Za-z]{2,3}|[0-9]{3})$',
      description: 'ISO 3166-1 country of the merchant: alpha-2, alpha-3 or number.',
    }),
  ),
})
const merchant = Type.Optional(Field('Merchant that accepts the card.', MerchantInput))
const amount = Field('Amount in major units of `currency`.', AmountInput)
const currency = Field('ISO 4217 currency of the amount.', Currency)

const cardReference = {
  card_id: Type.Optional(Field('Id of the card; has no effect with `card_number`.', Uuid)),
  card_number: Type.Optional(
    Type.String({ pattern: '^[0-9]{12,19}$', description: 'Card number, 12 to 19 digits.' }),
  ),
}

const SimulatedChip = Strict({
  version: Type.Optional(
    Field(
      'Cryptogram version; VISA_CVN10 by default, MASTERCARD_CVN16 for numbers from 2 or 5.',
      OneOf(versionNames),
    ),
  ),
  atc: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65_535,
      description:
        'Application transaction counter; one above the highest so far by default. If two ' +
        'sales of one chip come at one time at two processes, the second may be declined (1810).',
    }),
  ),
  cryptogram: Type.Optional(
    Field(
      'RIGHT by default; WRONG is another one, ABSENT sends no chip data.',
      OneOf(['RIGHT', 'WRONG', 'ABSENT']),
    ),
  ),
})
export type SimulatedChip = Static<typeof SimulatedChip>

export const SimulatedAuthorization = Strict({
  ...cardReference,
  amount,
  currency,
  merchant,
  entry_mode: Type.Optional(
    Field(
      'How the card was read; ECOMMERCE by default.',
      OneOf(entryModes.filter((mode) => mode !== 'UNKNOWN')),
    ),
  ),
  chip: Type.Optional(
    Field('Data that the chip sends; only with `entry_mode` CHIP or CONTACTLESS.', SimulatedChip),
  ),
  cvv2: Type.Optional(Type.String({ pattern: '^[0-9]{3,4}$', description: 'CVV2 to verify.' })),
  pin: Type.Optional(
    Type.String({ pattern: '^[0-9]{4,12}$', description: 'PIN to verify, 4 to 12 digits.' }),
  ),
  expiry: Type.Optional(
    Type.String({
      pattern: '^([0-9]{4}-(0[1-9]|1[0-2])|[0-9]{2}(0[1-9]|1[0-2]))$',
      description: 'Expiry date to verify, as YYYY-MM or YYMM.',
    }),
  ),
  three_ds: Type.Optional(
    Field('Result of 3-D Secure; NONE by default.', OneOf(['AUTHENTICATED', 'ATTEMPTED', 'NONE'])),
  ),
  authentication_value: Type.Optional(
    Type.String({
      maxLength: 99,
      description: 'AAV of the challenge that was passed; only with `three_ds` AUTHENTICATED.',
    }),
  ),
  transaction_type: Type.Optional(
    Field(
      'Type of the transaction; PURCHASE by default.',
      OneOf(transactionTypes.filter((type) => type !== 'UNKNOWN')),
    ),
  ),
  partial_approval: Type.Optional(
    Type.Boolean({ description: 'Whether part of the amount may be approved; default false.' }),
  ),
})
export type SimulatedAuthorization = Static<typeof SimulatedAuthorization>

export const WhatIfQuery = Strict({
  what_if: Type.Optional(
    Type.Boolean({
      description:
        'Decides the request without writing anything, and answers the decision; default false.',
    }),
  ),
})

/**
 * Members of a transaction that is not made, with the members that explain the decision (D-468).
 */
export const SimulatedDecision = Type.Object(
  {
    card_id: Type.Optional(Field('Id of the card, if the number is of a known card.', Uuid)),
    account_id: Type.Optional(Field('Id of the account of the card.', Uuid)),
    user_id: Type.Optional(Field('Id of the user that holds the card.', Uuid)),
    transaction_type: Field('Type by processing code (DE3).', OneOf(transactionTypes)),
    status: Field('Status that the transaction would have.', OneOf(transactionStatuses)),
    status_code: Type.String({ description: 'Four-digit status code of the decision.' }),
    status_description: Type.String({ description: 'Text of the status code.' }),
    amount: Field('Amount that would be approved, or was declined; in `currency`.', Amount),
    currency: Type.String({ description: 'Currency of the request, ISO 4217.' }),
    max_approved_amount: Field(
      'Largest amount that would be approved whole, in `currency`; 0 where none would be.',
      Amount,
    ),
    checks: Type.Array(TraceEntry, {
      description: 'Checks in their order, also those after the first that declined.',
    }),
  },
  { title: 'SimulatedDecision' },
)
export type SimulatedDecision = Static<typeof SimulatedDecision>

/** The decision with `what_if`; otherwise the transaction that was made. */
export const SimulatedAnswer = Type.Union([Transaction, SimulatedDecision])

export const SimulatedIncrement = Strict({
  amount: Field('Amount to add to the hold, in major units of the transaction.', AmountInput),
})
export const SimulatedPart = Strict({
  amount: Type.Optional(
    Field('Amount in major units of the transaction; all of it when absent.', AmountInput),
  ),
})

export const SimulatedRefund = Strict({
  transaction_id: Type.Optional(
    Field('Id of the transaction that is refunded; its card is used.', Uuid),
  ),
  ...cardReference,
  amount,
  currency,
  merchant,
})
export type SimulatedRefund = Static<typeof SimulatedRefund>
