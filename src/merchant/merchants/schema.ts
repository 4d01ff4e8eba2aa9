/** The contract of merchants and their keys (D-84, D-100): operator routes, and the token. */

import { type Static, Type } from 'typebox'
import { Instant, ListOf, ListQuery, Name, OneOf, Strict, Uuid } from '#kit/schema.ts'

export const MERCHANT_STATUSES = ['ACTIVE', 'INACTIVE'] as const
export const DEADLINE_POLICIES = ['void', 'capture'] as const

const HOSTS_MAX = 20

const Mcc = Type.String({ pattern: '^[0-9]{4}$' })
/** ISO 3166-1 alpha-2 or alpha-3; answered alpha-3 (D-17). */
const Country = Type.String({ pattern: '^[A-Za-z]{2,3}$' })
/** A host name of a callback URL, without port. */
const Host = Type.String({ pattern: '^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$' })

const settings = {
  display_name: Name,
  status: OneOf(MERCHANT_STATUSES),
  mcc: Mcc,
  country: Country,
  city: Name,
  token_minutes: Type.Integer({ minimum: 5, maximum: 60 }),
  capture_window_days: Type.Integer({ minimum: 1, maximum: 30 }),
  deadline_policy: OneOf(DEADLINE_POLICIES),
  callback_hosts: Type.Array(Host, { maxItems: HOSTS_MAX }),
}

export const Merchant = Type.Object(
  {
    id: Uuid,
    tenant_id: Uuid,
    name: Type.String(),
    ...settings,
    country: Type.String(),
    card_acceptor_id: Type.String(),
    terminal_id: Type.String(),
    created: Instant,
    modified: Instant,
  },
  { title: 'Merchant' },
)
export type Merchant = Static<typeof Merchant>

export const NewMerchant = Strict({
  /** The operator's own, or one is made (D-4, D-124). */
  id: Type.Optional(Uuid),
  tenant_id: Uuid,
  name: Name,
  ...Type.Partial(Type.Object(settings)).properties,
})
export type NewMerchant = Static<typeof NewMerchant>

export const MerchantChange = Strict({
  name: Type.Optional(Name),
  ...Type.Partial(Type.Object(settings)).properties,
})
export type MerchantChange = Static<typeof MerchantChange>

export const MerchantQuery = ListQuery({ tenant_id: Type.Optional(Uuid) })
export type MerchantQuery = Static<typeof MerchantQuery>
export const MerchantList = ListOf(Merchant)

export const MerchantPath = Strict({ id: Uuid })
export const MerchantKeyPath = Strict({ id: Uuid, key_id: Uuid })

export const MerchantKey = Type.Object(
  { id: Uuid, public_key: Type.String(), created: Instant, revoked: Type.Optional(Instant) },
  { title: 'MerchantKey' },
)
/** The private key stands in the answer that makes it, and nowhere else (D-101). */
export const NewMerchantKey = Type.Object(
  { id: Uuid, public_key: Type.String(), private_key: Type.String(), created: Instant },
  { title: 'NewMerchantKey' },
)
export const MerchantKeyList = ListOf(MerchantKey)
export const Deleted = Type.Object({ id: Uuid, deleted: Type.Boolean() })

const KEY_LENGTH = 200
/** Members that are not named are ignored in this house (D-82). */
export const Credentials = Type.Object({
  public_key: Type.String({ minLength: 1, maxLength: KEY_LENGTH }),
  private_key: Type.String({ minLength: 1, maxLength: KEY_LENGTH }),
})
export type Credentials = Static<typeof Credentials>

export const Token = Type.Object({ token: Type.String() }, { title: 'Token' })
