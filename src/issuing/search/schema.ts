/** The API schemas of the search for any object (D-611). */

import { type Static, Type } from 'typebox'
import { Field, OneOf, Strict } from '#kit/http/schema.ts'

export const FOUND_MAX = 20
const SOUGHT_LENGTH = 100

export const kinds = [
  'USER',
  'CARD',
  'ACCOUNT',
  'CARD_PRODUCT',
  'TRANSACTION',
  'BULK_ISSUANCE',
  'BALANCE_LIMIT',
  'VELOCITY_LIMIT',
  'COUNTRY_LIST',
  'MCC_LIST',
  'MERCHANT_LIST',
  'BACKTEST',
  'WEBHOOK',
  'DELIVERY',
] as const

export const SearchQuery = Strict({
  q: Type.String({
    minLength: 1,
    maxLength: SOUGHT_LENGTH,
    description:
      'The text to find: an id, the name, e-mail or mobile of a user, the last four digits of a ' +
      'card, a retrieval reference (DE37), or part of the name of a card product, limit or list.',
  }),
})
export type SearchQuery = Static<typeof SearchQuery>

export const FoundObject = Type.Object(
  {
    kind: Field('Kind of the object.', OneOf(kinds)),
    id: Type.String({ format: 'uuid', description: 'Id of the object.' }),
    title: Type.String({ description: 'Its name, or what it is known by instead.' }),
    subtitle: Type.Optional(
      Type.String({ description: 'Text that distinguishes it from others like it.' }),
    ),
    status: Type.Optional(Type.String({ description: 'Its status, or the mode of a control.' })),
  },
  { title: 'FoundObject' },
)
export type FoundObject = Static<typeof FoundObject>

export const FoundObjects = Type.Object({
  data: Type.Array(FoundObject, { description: `The objects found, at most ${FOUND_MAX}.` }),
})
