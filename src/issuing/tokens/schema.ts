/** The contract of wallet tokens (D-39, D-110, D-111). */

import { type Static, Type } from 'typebox'
import { Instant, ListQuery, Name, OneOf, Strict, Uuid } from '#kit/schema.ts'

export const Wallet = OneOf(['APPLE', 'GOOGLE', 'SAMSUNG', 'OTHER'])
export type Wallet = Static<typeof Wallet>

export const TokenStatus = OneOf(['ACTIVE', 'SUSPENDED', 'DELETED'])
export type TokenStatus = Static<typeof TokenStatus>

const Month = Type.String({ pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$' })

/** What the holder gave the wallet. A number that nobody has is answered like a wrong CVV2. */
export const Provisioning = Strict({
  card_number: Type.String({ pattern: '^[0-9]{12,19}$' }),
  expiry_date: Month,
  cvv2: Type.String({ pattern: '^[0-9]{3,4}$' }),
  wallet: Wallet,
  device_name: Type.Optional(Name),
})
export type Provisioning = Static<typeof Provisioning>

/** A token as clients see it: of its number only what may be shown. */
export const Token = Type.Object(
  {
    id: Uuid,
    card_id: Uuid,
    wallet: Wallet,
    device_name: Type.Optional(Type.String()),
    status: TokenStatus,
    masked_token_number: Type.String(),
    last_four: Type.String(),
    expiry_date: Month,
    created: Instant,
    modified: Instant,
  },
  { title: 'Token' },
)

export const TokenQuery = ListQuery({})
export type TokenQuery = Static<typeof TokenQuery>

export const TokenChange = Strict({ status: TokenStatus })
export type TokenChange = Static<typeof TokenChange>

/** The one answer that carries the number of a token. */
export const RevealedToken = Type.Object(
  { id: Uuid, token_number: Type.String(), expiry_date: Month },
  { title: 'RevealedToken' },
)
