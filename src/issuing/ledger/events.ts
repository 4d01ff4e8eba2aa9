/** The event of a new account (D-60). */

import { Type } from 'typebox'
import { defineEvent } from '#kit/event.ts'
import { Currency, Field, Uuid } from '#kit/http/schema.ts'

const creation = defineEvent({
  event: 'SUCCESSFULLY_CREATED',
  emitted: 'An account is opened, for a card or in bulk.',
  object: 'account',
  payload: {
    object: Type.Literal('account', { description: 'Kind of the created object.' }),
    account_id: Field('Id of the account.', Uuid),
    user_id: Type.Optional(
      Field('Id of the user; absent until the account is linked to one.', Uuid),
    ),
    card_product_id: Field('Id of the card product.', Uuid),
    currency: Field('ISO 4217 code of the currency.', Currency),
    status: Type.Literal('ACTIVE', { description: 'Status of the account.' }),
  },
})

type Opened = { id: string; currency: string; user_id: string | null; card_product_id: string }

/** An account opens ACTIVE and empty. */
export function accountCreated({ id, currency, user_id, card_product_id }: Opened) {
  return creation.about(id, {
    object: 'account',
    account_id: id,
    ...(user_id !== null && { user_id }),
    card_product_id,
    currency,
    status: 'ACTIVE',
  })
}

export const ledgerEvents = [creation] as const

declare module '#kit/event.ts' {
  interface EmittedKinds {
    ledger: typeof ledgerEvents
  }
}
