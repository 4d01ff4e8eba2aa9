/** The contract of card products (D-29, D-33, D-104, D-110, D-113, D-117). */

import { type Static, type TSchema, Type } from 'typebox'
import {
  Amount,
  AmountInput,
  Currency,
  Instant,
  Name,
  Note,
  Nullable,
  OneOf,
  Strict,
  Uuid,
} from '#kit/schema.ts'

/**
 * What an authorization may do, at the product and again at the card (D-33). All default to yes.
 */
export const switches = [
  'atm',
  'pos',
  'chip',
  'magstripe',
  'chip_fallback',
  'pin_absent',
  'ecommerce_3ds',
  'ecommerce_non_3ds',
  'ecommerce_without_cvv2',
  'quasi_cash',
  'account_funding',
  'credit',
  'account_verification_without_cvv2',
  'cash_in',
  'cash_out',
  'atm_deposit',
  'incoming_transfers',
  'outgoing_transfers',
  'recurring',
] as const
export type Switch = (typeof switches)[number]

/** As stored: only what was set, bounds in minor units of the product's currency as text. */
export type StoredAuthSettings = { [Name in Switch]?: boolean } & {
  min_amount?: string
  max_amount?: string
}

function eachSwitch<Schema extends TSchema>(schema: Schema): { [Name in Switch]: Schema } {
  // Object.fromEntries knows no more of its keys than that they are strings.
  return Object.fromEntries(switches.map((name) => [name, schema])) as { [Name in Switch]: Schema }
}

export const authSettingsInput = {
  ...eachSwitch(Type.Optional(Nullable(Type.Boolean()))),
  min_amount: Type.Optional(Nullable(AmountInput)),
  max_amount: Type.Optional(Nullable(AmountInput)),
}
const AuthSettingsInput = Strict(authSettingsInput)
export type AuthSettingsInput = Static<typeof AuthSettingsInput>

export const authSettingsAnswer = {
  ...eachSwitch(Type.Optional(Type.Boolean())),
  min_amount: Type.Optional(Amount),
  max_amount: Type.Optional(Amount),
}
export const AuthSettings = Type.Object(authSettingsAnswer, { title: 'AuthSettings' })
export type AuthSettings = Static<typeof AuthSettings>

/** The lists of allowed countries, MCCs and merchants: of a product, and of a card. */
export const listIdsInput = {
  allowed_countries_id: Type.Optional(Nullable(Uuid)),
  allowed_mccs_id: Type.Optional(Nullable(Uuid)),
  allowed_merchants_id: Type.Optional(Nullable(Uuid)),
}
export const listIdsAnswer = {
  allowed_countries_id: Type.Optional(Uuid),
  allowed_mccs_id: Type.Optional(Uuid),
  allowed_merchants_id: Type.Optional(Uuid),
}
const ListIdsInput = Strict(listIdsInput)
export type ListIdsInput = Static<typeof ListIdsInput>

/** The digits between BIN and check digit (D-110): a whole number, or the digits as text. */
const RangeBound = Type.Unsafe<number | string>({
  anyOf: [
    { type: 'integer', minimum: 0, maximum: 999_999_999 },
    { type: 'string', pattern: '^[0-9]{1,9}$' },
  ],
})
const PanRangeInput = Strict({
  start_range: Type.Optional(RangeBound),
  end_range: Type.Optional(RangeBound),
})
export type PanRangeInput = Static<typeof PanRangeInput>

const pinMembers = {
  length: Type.Integer({ minimum: 4, maximum: 12 }),
  max_tries: Type.Integer({ minimum: 1, maximum: 10 }),
  refuse_weak: Type.Boolean(),
}
export const PinSettings = Type.Object(pinMembers)
export type PinSettings = Static<typeof PinSettings>
const PinInput = Strict({
  length: Type.Optional(pinMembers.length),
  max_tries: Type.Optional(pinMembers.max_tries),
  refuse_weak: Type.Optional(pinMembers.refuse_weak),
})

export const InitialStatus = OneOf(['INACTIVE', 'ACTIVE'])
const Days = Type.Integer({ minimum: 1, maximum: 365 })
const ValidityMonths = Type.Integer({ minimum: 1, maximum: 120 })
const CardsPerUser = Type.Integer({ minimum: 1, maximum: 10_000 })
const Percent = Type.Integer({ minimum: 0, maximum: 100 })
/**
 * Chip cryptograms are not verified yet: WAIVED lets chip and contactless entries pass without,
 * REQUIRED refuses them with 1810. The default is WAIVED in sandbox and REQUIRED in live (D-325).
 */
const Emv = OneOf(['WAIVED', 'REQUIRED'])
export type Emv = Static<typeof Emv>

/**
 * What POST and PUT both take; nothing of it is required, and `null` clears what has no default.
 */
const members = {
  description: Type.Optional(Nullable(Note)),
  pan_range: Type.Optional(PanRangeInput),
  link_account_to_card: Type.Optional(Type.Boolean()),
  virtual_to_physical_expiry_duration: Type.Optional(Days),
  initial_status_of_physical_card: Type.Optional(InitialStatus),
  initial_status_of_virtual_card: Type.Optional(InitialStatus),
  card_validity_months: Type.Optional(ValidityMonths),
  pin: Type.Optional(PinInput),
  auth_settings: Type.Optional(AuthSettingsInput),
  ...listIdsInput,
  num_of_cards_per_user: Type.Optional(Nullable(CardsPerUser)),
  partial_approval: Type.Optional(Type.Boolean()),
  identify_above: Type.Optional(Nullable(AmountInput)),
  /** Not built yet: true is refused (D-130). */
  otp_3ds: Type.Optional(Type.Boolean()),
  clearing_tolerance_percent: Type.Optional(Percent),
  unlinked_credit_max_amount: Type.Optional(Nullable(AmountInput)),
  unlinked_credit_max_daily_amount: Type.Optional(Nullable(AmountInput)),
  emv: Type.Optional(Nullable(Emv)),
}
const Bin = Type.String({ pattern: '^[0-9]{6,8}$' })

export const NewProduct = Strict({
  id: Type.Optional(Uuid),
  name: Name,
  currency: Currency,
  bin: Bin,
  ...members,
})
export type NewProduct = Static<typeof NewProduct>

export const ProductChanges = Strict({
  name: Type.Optional(Name),
  currency: Type.Optional(Currency),
  bin: Type.Optional(Bin),
  ...members,
})
export type ProductChanges = Static<typeof ProductChanges>

/** The product as clients see it; every switch is shown, set or not. */
export const CardProduct = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    description: Type.Optional(Type.String()),
    status: OneOf(['INACTIVE', 'ACTIVE']),
    currency: Type.String(),
    bin: Type.String(),
    pan_range: Type.Object({ start_range: Type.Integer(), end_range: Type.Integer() }),
    pan_length: Type.Integer(),
    link_account_to_card: Type.Boolean(),
    virtual_to_physical_expiry_duration: Type.Integer(),
    initial_status_of_physical_card: InitialStatus,
    initial_status_of_virtual_card: InitialStatus,
    card_validity_months: Type.Integer(),
    pin: PinSettings,
    auth_settings: AuthSettings,
    ...listIdsAnswer,
    num_of_cards_per_user: Type.Optional(Type.Integer()),
    partial_approval: Type.Boolean(),
    identify_above: Type.Optional(Amount),
    otp_3ds: Type.Boolean(),
    clearing_tolerance_percent: Type.Integer(),
    unlinked_credit_max_amount: Type.Optional(Amount),
    unlinked_credit_max_daily_amount: Type.Optional(Amount),
    emv: Emv,
    created: Instant,
    modified: Instant,
  },
  { title: 'CardProduct' },
)
export type CardProduct = Static<typeof CardProduct>
