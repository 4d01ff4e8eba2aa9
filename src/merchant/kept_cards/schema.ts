/** The contract of kept cards (D-770 to D-774). */

import { type Static, Type } from 'typebox'
import { Field, ListOf, ListQuery, OneOf, Strict, Uuid } from '#kit/http/schema.ts'
import { CUSTOMER_MAX } from './rules.ts'

export const KEPT_STATUSES = ['ACTIVE', 'EXPIRED'] as const

const text = (description: string) => Type.String({ description })
const SIX_DECIMALS = 'UTC with six decimals'
const KeptCardId = Field('Id of the kept card.', Uuid)

export const KeptCard = Type.Object(
  {
    id: KeptCardId,
    customer: text('Name of the customer in the shop, `order.customer.reference`.'),
    status: Field(
      '`EXPIRED` after the month of `expiry_date`, else `ACTIVE`. Whether a card can be used is ' +
        'for its issuer to say.',
      OneOf(KEPT_STATUSES),
    ),
    brand: Type.Optional(text('Brand by the first digits; absent if they are of none known.')),
    last_four: text('The last four digits of the number.'),
    expiry_date: text('The last month in which the card can be used, YYYY-MM.'),
    consent: Type.Object(
      {
        text: text('Language and version of the sentence that the customer agreed to.'),
        given_at: text(`Time of the payment with which it was agreed to, ${SIX_DECIMALS}.`),
      },
      { description: 'The consent of the customer.' },
    ),
    used_at: Type.Optional(text(`Time at which a payment was last begun, ${SIX_DECIMALS}.`)),
    created_at: text(`Time at which the card was kept, ${SIX_DECIMALS}.`),
    updated_at: text(`Time of the last change, ${SIX_DECIMALS}.`),
  },
  { title: 'KeptCard' },
)
export type KeptCard = Static<typeof KeptCard>
export const KeptCards = ListOf(KeptCard)

export const KeptCardsQuery = ListQuery({
  customer: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: CUSTOMER_MAX,
      pattern: '^[^\\u0000]*$',
      description: 'Lists only the cards of this customer.',
    }),
  ),
})
export type KeptCardsQuery = Static<typeof KeptCardsQuery>

export const KeptCardPath = Strict({ id: KeptCardId })

export const DeletedKeptCard = Type.Object({
  id: KeptCardId,
  deleted: Type.Boolean({ description: 'Always true.' }),
})
export type DeletedKeptCard = Static<typeof DeletedKeptCard>
