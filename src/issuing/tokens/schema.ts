/** The API schemas of wallet tokens (D-39, D-110, D-111). */

import { type Static, Type } from 'typebox'
import { Field, Instant, ListQuery, Name, OneOf, Strict, Uuid } from '#kit/http/schema.ts'

export const Wallet = OneOf(['APPLE', 'GOOGLE', 'SAMSUNG', 'OTHER'])
export type Wallet = Static<typeof Wallet>

export const TokenStatus = OneOf(['ACTIVE', 'SUSPENDED', 'DELETED'])
export type TokenStatus = Static<typeof TokenStatus>

const Month = Type.String({ pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$' })

/** The card data entered in the wallet. An unknown number is answered like a wrong CVV2. */
export const Provisioning = Strict({
  card_number: Type.String({
    pattern: '^[0-9]{12,19}$',
    description: 'Full card number, digits only.',
  }),
  expiry_date: Field('Expiry month of the card, YYYY-MM.', Month),
  cvv2: Type.String({ pattern: '^[0-9]{3,4}$', description: 'CVV2 of the card, digits only.' }),
  wallet: Field('Wallet that requests the token.', Wallet),
  device_name: Type.Optional(Field('Name of the device, 1 to 100 characters.', Name)),
})
export type Provisioning = Static<typeof Provisioning>

/** A token as the API returns it: its number is masked. */
export const Token = Type.Object(
  {
    id: Field('Id of the token.', Uuid),
    card_id: Field('Id of the card that the token pays with.', Uuid),
    wallet: Field('Wallet that holds the token.', Wallet),
    device_name: Type.Optional(
      Type.String({ description: 'Name of the device; absent when none was sent.' }),
    ),
    status: Field('Status of the token; DELETED is final.', TokenStatus),
    masked_token_number: Type.String({
      description: 'First six and last four digits of the token number, with asterisks between.',
    }),
    last_four: Type.String({ description: 'Last four digits of the token number.' }),
    expiry_date: Field('Expiry month of the token, YYYY-MM; that of the card.', Month),
    created: Field('Time at which the token was created.', Instant),
    modified: Field('Time of the last change.', Instant),
  },
  { title: 'Token' },
)

export const TokenQuery = ListQuery({})
export type TokenQuery = Static<typeof TokenQuery>

export const TokenChange = Strict({
  status: Field(
    'New status: SUSPENDED from ACTIVE, ACTIVE from SUSPENDED, DELETED from either.',
    TokenStatus,
  ),
})
export type TokenChange = Static<typeof TokenChange>

/** The only answer that contains the full number of a token. */
export const RevealedToken = Type.Object(
  {
    id: Field('Id of the token.', Uuid),
    token_number: Type.String({ description: 'Full token number, digits only.' }),
    expiry_date: Field('Expiry month of the token, YYYY-MM.', Month),
  },
  { title: 'RevealedToken' },
)
