/** What a simulated card message says (D-71, D-110). */

import { type Static, Type } from 'typebox'
import { entryModes, transactionTypes } from '#issuing/transactions/schema.ts'
import { AmountInput, Currency, OneOf, Strict, Uuid } from '#kit/schema.ts'

const MerchantInput = Strict({
  id: Type.Optional(Type.String({ minLength: 1, maxLength: 15 })),
  name: Type.Optional(Type.String({ maxLength: 25 })),
  mcc: Type.Optional(Type.String({ pattern: '^[0-9]{4}$' })),
  city: Type.Optional(Type.String({ maxLength: 13 })),
  country: Type.Optional(Type.String({ pattern: '^[A-Za-z]{2,3}$' })),
})

const cardReference = {
  card_id: Type.Optional(Uuid),
  card_number: Type.Optional(Type.String({ pattern: '^[0-9]{12,19}$' })),
}

export const SimulatedAuthorization = Strict({
  ...cardReference,
  amount: AmountInput,
  currency: Currency,
  merchant: Type.Optional(MerchantInput),
  entry_mode: Type.Optional(OneOf(entryModes.filter((mode) => mode !== 'UNKNOWN'))),
  cvv2: Type.Optional(Type.String({ pattern: '^[0-9]{3,4}$' })),
  pin: Type.Optional(Type.String({ pattern: '^[0-9]{4,12}$' })),
  expiry: Type.Optional(
    Type.String({ pattern: '^([0-9]{4}-(0[1-9]|1[0-2])|[0-9]{2}(0[1-9]|1[0-2]))$' }),
  ),
  three_ds: Type.Optional(OneOf(['AUTHENTICATED', 'ATTEMPTED', 'NONE'])),
  transaction_type: Type.Optional(OneOf(transactionTypes.filter((type) => type !== 'UNKNOWN'))),
  partial_approval: Type.Optional(Type.Boolean()),
})
export type SimulatedAuthorization = Static<typeof SimulatedAuthorization>

export const SimulatedIncrement = Strict({ amount: AmountInput })
export const SimulatedPart = Strict({ amount: Type.Optional(AmountInput) })

export const SimulatedRefund = Strict({
  transaction_id: Type.Optional(Uuid),
  ...cardReference,
  amount: AmountInput,
  currency: Currency,
  merchant: Type.Optional(MerchantInput),
})
export type SimulatedRefund = Static<typeof SimulatedRefund>
