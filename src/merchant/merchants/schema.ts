/** Schemas of merchants, their key pairs (D-84, D-100) and their tokens. */

import { type Static, Type } from 'typebox'
import {
  Amount,
  AmountInput,
  Currency,
  Field,
  Instant,
  ListOf,
  ListQuery,
  Name,
  Nullable,
  OneOf,
  Strict,
  Uuid,
} from '#kit/http/schema.ts'
import { LOGO_MAX } from './rules.ts'

export const MERCHANT_STATUSES = ['ACTIVE', 'INACTIVE'] as const
export const DEADLINE_POLICIES = ['void', 'capture'] as const

const HOSTS_MAX = 20
const FEES_MAX = 50

const Mcc = Type.String({ pattern: '^[0-9]{4}$' })
/** ISO 3166-1 alpha-2 or alpha-3; answered alpha-3 (D-17). */
const Country = Type.String({ pattern: '^[A-Za-z]{2,3}$' })
/** A host name of a callback URL, without port. */
const Host = Type.String({ pattern: '^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$' })

const MerchantId = Field('Id of the merchant.', Uuid)
const TenantId = Field('Id of the tenant to which the merchant belongs.', Uuid)
const KeyId = Field('Id of the key pair.', Uuid)
const Created = Field('Time of creation.', Instant)
const NAME = 'Name of the merchant for the operator.'
const PUBLIC_KEY = 'Public key of the pair, with the prefix `pk_`.'
const PRIVATE_KEY = 'Private key of the pair, with the prefix `sk_`.'

const settings = {
  display_name: Field('Name that customers see; `name` by default.', Name),
  status: Field(
    'An `INACTIVE` merchant cannot authenticate; `ACTIVE` by default.',
    OneOf(MERCHANT_STATUSES),
  ),
  mcc: Field('Merchant category code of ISO 18245, four digits; `5999` by default.', Mcc),
  country: Field('ISO 3166-1 alpha-2 or alpha-3 code; `ARE` by default.', Country),
  city: Field('City of the merchant; `Dubai` by default.', Name),
  token_minutes: Type.Integer({
    minimum: 5,
    maximum: 60,
    description: 'Lifetime of a token in minutes; 30 by default.',
  }),
  capture_window_days: Type.Integer({
    minimum: 1,
    maximum: 30,
    description: 'Days from the authorization to the capture deadline; 5 by default.',
  }),
  deadline_policy: Field(
    'At the capture deadline `void`, the default, releases what is not captured, and `capture` ' +
      'captures it. A released order stays `OPENED`, or is `COMPLETED` where a part was captured.',
    OneOf(DEADLINE_POLICIES),
  ),
  partial_captures: Type.Boolean({
    description:
      'Whether an order may be captured in several parts; `false` by default. An order keeps the ' +
      'value of the time of its payment.',
  }),
  callback_hosts: Type.Array(Host, {
    maxItems: HOSTS_MAX,
    description: 'Host names allowed in callback URLs; an empty list, the default, allows any.',
  }),
  kept_cards: Type.Boolean({
    description:
      'Whether customers may let the merchant keep their cards, and the merchant may pay with ' +
      'them; false by default. Turning it off deletes no card.',
  }),
}

const COLOR =
  'Color of the payment page such as `#0b6e4f`, with a contrast of at least 3:1 to white.'
const LOGO =
  'Logo on the payment page: a PNG, JPEG or WebP picture as a data URL in Base64, of at most ' +
  '32,768 characters.'
const TERMS = 'Address of the terms of the merchant, https, to which the payment page leads.'
const SUPPORT =
  'Address of the support of the merchant, https, mailto or tel, to which the payment page leads.'
const Link = Type.String({ minLength: 1, maxLength: 2048 })
const BrandColor = Type.String({ pattern: '^#[0-9A-Fa-f]{6}$' })
const Logo = Type.String({ maxLength: LOGO_MAX })
/** D-700, D-701, D-1280. */
const brand = {
  brand_color: Type.Optional(Field(`${COLOR} \`null\` clears.`, Nullable(BrandColor))),
  logo: Type.Optional(Field(`${LOGO} \`null\` clears.`, Nullable(Logo))),
  terms_url: Type.Optional(Field(`${TERMS} \`null\` clears.`, Nullable(Link))),
  support_url: Type.Optional(Field(`${SUPPORT} \`null\` clears.`, Nullable(Link))),
}
const DESCRIPTOR =
  'Name of the merchant in messages of the card network (DE43) and so on statements of ' +
  'cardholders: 1 to 25 Latin letters, digits, blanks and marks. If it is absent, that name ' +
  'is `display_name` without accents, other scripts written out in Latin letters.'
const DESCRIPTOR_MORE =
  ' It is required if `display_name` has no Latin letter and no digit, as an Arabic one. ' +
  'Marks of direction and blanks around it are cut. `null` clears.'
/** Longer than the name itself: it may have marks around it. D-985. */
const Descriptor = Type.String({ maxLength: 100 })
const descriptor = Type.Optional(Field(DESCRIPTOR + DESCRIPTOR_MORE, Nullable(Descriptor)))
const ISSUER =
  'Name of the issuer to which new payments go, one of those that the operator has configured; ' +
  'absent for the default one. A payment stays with its issuer.'
const Issuer = Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' })
/** D-761. */
const issuer = Type.Optional(Field(`${ISSUER} \`null\` clears.`, Nullable(Issuer)))
const feeTexts = {
  fees:
    'Fees on captures and refunds, at most one object for a currency; none by default. ' +
    'A list that is sent replaces the stored one. A change holds for later captures and refunds.',
  currency: 'ISO 4217 alphabetic code of the orders.',
  percent: 'Fee of a capture in per cent of its amount, at most 100, with up to four decimals.',
  fixed: 'Fee of a capture beside the percentage, in major units.',
  refund_fee: 'Fee of a refund, in major units. The fee of the capture is not given back.',
  chargeback_fee: 'Fee of a dispute, in major units; absent for none. It is not given back.',
}
const FeeInput = Strict({
  currency: Field(feeTexts.currency, Currency),
  percent: Type.Optional(Field(feeTexts.percent, AmountInput)),
  fixed: Type.Optional(Field(feeTexts.fixed, AmountInput)),
  refund_fee: Type.Optional(Field(feeTexts.refund_fee, AmountInput)),
  chargeback_fee: Type.Optional(Field(feeTexts.chargeback_fee, AmountInput)),
})
const Fee = Type.Object(
  {
    currency: Field(feeTexts.currency, Type.String()),
    percent: Field(feeTexts.percent, Amount),
    fixed: Field(feeTexts.fixed, Amount),
    refund_fee: Field(feeTexts.refund_fee, Amount),
    chargeback_fee: Type.Optional(Field(feeTexts.chargeback_fee, Amount)),
  },
  { title: 'MerchantFee' },
)
const fees = Type.Optional(Type.Array(FeeInput, { maxItems: FEES_MAX, description: feeTexts.fees }))

export const Merchant = Type.Object(
  {
    id: MerchantId,
    tenant_id: TenantId,
    name: Type.String({ description: NAME }),
    ...settings,
    country: Type.String({ description: 'ISO 3166-1 alpha-3 code.' }),
    descriptor: Type.Optional(Type.String({ description: DESCRIPTOR })),
    issuer: Type.Optional(Field(ISSUER, Issuer)),
    brand_color: Type.Optional(Field(COLOR, BrandColor)),
    logo: Type.Optional(Field(LOGO, Logo)),
    terms_url: Type.Optional(Field(TERMS, Link)),
    support_url: Type.Optional(Field(SUPPORT, Link)),
    fees: Type.Array(Fee, { description: feeTexts.fees }),
    card_acceptor_id: Type.String({
      description: 'Card acceptor identification in ISO 8583 messages, 15 digits.',
    }),
    terminal_id: Type.String({
      description: 'Terminal identification in ISO 8583 messages, 8 digits.',
    }),
    created: Created,
    modified: Field('Time of the last change.', Instant),
  },
  { title: 'Merchant' },
)
export type Merchant = Static<typeof Merchant>

export const NewMerchant = Strict({
  // D-4, D-124
  id: Type.Optional(Field('Id chosen by the operator; generated when absent.', Uuid)),
  tenant_id: TenantId,
  name: Field(NAME, Name),
  ...Type.Partial(Type.Object(settings)).properties,
  descriptor,
  ...brand,
  issuer,
  fees,
})
export type NewMerchant = Static<typeof NewMerchant>

export const MerchantChange = Strict({
  name: Type.Optional(Field(NAME, Name)),
  ...Type.Partial(Type.Object(settings)).properties,
  descriptor,
  ...brand,
  issuer,
  fees,
})
export type MerchantChange = Static<typeof MerchantChange>

export const MerchantQuery = ListQuery({
  tenant_id: Type.Optional(Field('Only merchants of this tenant.', Uuid)),
})
export type MerchantQuery = Static<typeof MerchantQuery>
export const MerchantList = ListOf(Merchant)

export const MerchantPath = Strict({ id: MerchantId })
export const MerchantKeyPath = Strict({ id: MerchantId, key_id: KeyId })

export const MerchantKey = Type.Object(
  {
    id: KeyId,
    public_key: Type.String({ description: PUBLIC_KEY }),
    created: Created,
    revoked: Type.Optional(Field('Time of revocation; absent while the pair is valid.', Instant)),
  },
  { title: 'MerchantKey' },
)
/** Only the answer that creates a private key contains it (D-101). */
export const NewMerchantKey = Type.Object(
  {
    id: KeyId,
    public_key: Type.String({ description: PUBLIC_KEY }),
    private_key: Type.String({ description: `${PRIVATE_KEY} No other answer contains it.` }),
    created: Created,
  },
  { title: 'NewMerchantKey' },
)
export const MerchantKeyList = ListOf(MerchantKey)
export const Deleted = Type.Object({
  id: KeyId,
  deleted: Type.Boolean({ description: 'Always true.' }),
})

const KEY_LENGTH = 200
/** This API ignores members that a schema does not name (D-82). */
export const Credentials = Type.Object({
  public_key: Type.String({ minLength: 1, maxLength: KEY_LENGTH, description: PUBLIC_KEY }),
  private_key: Type.String({ minLength: 1, maxLength: KEY_LENGTH, description: PRIVATE_KEY }),
})
export type Credentials = Static<typeof Credentials>

export const Token = Type.Object(
  { token: Type.String({ description: 'Bearer token: a signed JWT.' }) },
  { title: 'Token' },
)
