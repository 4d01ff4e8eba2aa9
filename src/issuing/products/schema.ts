/** The API schemas of card products (D-29, D-33, D-104, D-110, D-113, D-117). */

import { type Static, Type } from 'typebox'
import {
  Amount,
  AmountInput,
  Currency,
  Field,
  Instant,
  Name,
  Note,
  Nullable,
  OneOf,
  Strict,
  Uuid,
} from '#kit/http/schema.ts'
import { chargesAnswer, chargesInput } from './charges_schema.ts'
import { AuthSettings, AuthSettingsInput, listIdsAnswer, listIdsInput } from './settings_schema.ts'

export {
  type ProductChargeType,
  productChargeTypes,
  type StoredCharge,
} from './charges_schema.ts'
export {
  AuthSettings,
  AuthSettingsInput,
  authSettingsAnswer,
  authSettingsInput,
  type ListIdsInput,
  listIdsAnswer,
  listIdsInput,
  type StoredAuthSettings,
  switches,
} from './settings_schema.ts'

/** The digits between BIN and check digit (D-110): a whole number, or the digits as text. */
const RangeBound = Type.Unsafe<number | string>({
  anyOf: [
    { type: 'integer', minimum: 0, maximum: 999_999_999 },
    { type: 'string', pattern: '^[0-9]{1,9}$' },
  ],
})
const PanRangeInput = Strict({
  start_range: Type.Optional(
    Field('First digits between BIN and check digit; default all 0.', RangeBound),
  ),
  end_range: Type.Optional(
    Field('Last digits between BIN and check digit; default all 9.', RangeBound),
  ),
})
export type PanRangeInput = Static<typeof PanRangeInput>

const pinMembers = {
  length: Type.Integer({
    minimum: 4,
    maximum: 12,
    description: 'Number of digits of a PIN; default 4.',
  }),
  max_tries: Type.Integer({
    minimum: 1,
    maximum: 10,
    description: 'Wrong PINs in a row after which the PIN is blocked; default 3.',
  }),
  refuse_weak: Type.Boolean({
    description: 'Rejects PINs that are easy to guess; default true.',
  }),
  verification: Field(
    'How new PINs are verified: by a PVV, which a security module has for four digits alone, or ' +
      'by an IBM 3624 offset of 4 to 12 digits. A card keeps its PIN as it was set; default PVV.',
    OneOf(['PVV', 'OFFSET']),
  ),
}
export const PinSettings = Type.Object(pinMembers)
export type PinSettings = Static<typeof PinSettings>
export type StoredPinSettings = Omit<PinSettings, 'verification'> &
  Partial<Pick<PinSettings, 'verification'>>
const PinInput = Strict({
  length: Type.Optional(pinMembers.length),
  max_tries: Type.Optional(pinMembers.max_tries),
  refuse_weak: Type.Optional(pinMembers.refuse_weak),
  verification: Type.Optional(pinMembers.verification),
})

/** The descriptions that requests and answers share. */
const texts = {
  pan_range: 'Range of the card numbers: the digits between BIN and check digit.',
  link_account_to_card: 'Opens an account with each card, or accepts one; default true.',
  migration_days:
    'Days that a virtual card stays usable during its migration to a physical one (then 1806); ' +
    'default 30.',
  initial_physical: 'Status of a new physical card; default INACTIVE.',
  initial_virtual: 'Status of a new virtual card; default INACTIVE.',
  card_validity_months: 'Months that a new card is valid; default 36.',
  pin: 'Rules for the PINs of the cards.',
  auth_settings: 'Authorization switches and amount bounds of the product.',
  cards_per_user: 'Largest number of cards of a user that are not TERMINATED; absent: no limit.',
  partial_approval: 'Approves the available part of an amount on request; default false.',
  identify_above: 'Amount in major units from which an approval asks for identification (0001).',
  otp_3ds:
    'Payment pages of a sandbox ask for a one-time code, and 3-D Secure payments of a cardholder ' +
    'without a mobile number are declined (1893); default false.',
  responder:
    'Whether the responder of the tenant is asked about debits of the cards (ASK) or not (SKIP); ' +
    'default ASK.',
  clearing_tolerance_percent:
    'Percent by which a clearing may exceed its hold without 1855; default 15.',
  unlinked_credit:
    'Largest credit without a purchase, in major units; absent: no limit in sandbox, none ' +
    'allowed in live.',
  unlinked_credit_daily:
    'Largest sum of credits without a purchase per card and day, in major units; absent: no ' +
    'limit in sandbox, none allowed in live.',
  production:
    'How the bureau makes the physical cards. What is sent replaces the whole; null and members ' +
    'left out have their defaults.',
  emv:
    'If the product has no chip keys, WAIVED accepts chip entries and REQUIRED declines them; ' +
    'with keys the cryptogram has to be right. Default WAIVED in sandbox, REQUIRED in live.',
} as const

export const InitialStatus = OneOf(['INACTIVE', 'ACTIVE'])
const Days = Type.Integer({ minimum: 1, maximum: 365 })
const ValidityMonths = Type.Integer({ minimum: 1, maximum: 120 })
const CardsPerUser = Type.Integer({ minimum: 1, maximum: 10_000 })
const Percent = Type.Integer({ minimum: 0, maximum: 100 })
/**
 * For a product without chip keys: WAIVED lets chip and contactless entries pass unverified,
 * REQUIRED declines them with 1810. With keys the cryptogram has to be right (D-325, D-445).
 */
const Emv = OneOf(['WAIVED', 'REQUIRED'])
export type Emv = Static<typeof Emv>
/** D-514. */
const ResponderPolicy = OneOf(['ASK', 'SKIP'])
export type ResponderPolicy = Static<typeof ResponderPolicy>

const productionMembers = {
  service_code: Type.String({
    pattern: '^[1-79][0-9]{2}$',
    description: 'Service code of the tracks; default 201 with chip keys, otherwise 101.',
  }),
  chip_profile: Field("The bureau's name of the chip profile.", Name),
  carrier: Field("The bureau's name of the card carrier.", Name),
  second_line: Type.String({
    pattern: "^[A-Za-z0-9 ./'-]{1,26}$",
    description: "Text embossed below the name: letters of A to Z, digits, blanks, . / - and '.",
  }),
  pin_mailer: Type.Boolean({
    description: 'Prints a mailer with a random PIN for each card without a PIN; default false.',
  }),
  tracking: Type.Boolean({ description: 'Asks for tracked delivery; default false.' }),
}
/** D-1021. */
const Production = Strict({
  service_code: Type.Optional(productionMembers.service_code),
  chip_profile: Type.Optional(productionMembers.chip_profile),
  carrier: Type.Optional(productionMembers.carrier),
  second_line: Type.Optional(productionMembers.second_line),
  pin_mailer: Type.Optional(productionMembers.pin_mailer),
  tracking: Type.Optional(productionMembers.tracking),
})
export type Production = Static<typeof Production>

/**
 * The members that POST and PUT both accept; none of them is required, and `null` clears a member.
 */
const members = {
  description: Type.Optional(Field('Description, at most 1000 characters.', Nullable(Note))),
  pan_range: Type.Optional(Field(texts.pan_range, PanRangeInput)),
  link_account_to_card: Type.Optional(Field(texts.link_account_to_card, Type.Boolean())),
  virtual_to_physical_expiry_duration: Type.Optional(Field(texts.migration_days, Days)),
  initial_status_of_physical_card: Type.Optional(Field(texts.initial_physical, InitialStatus)),
  initial_status_of_virtual_card: Type.Optional(Field(texts.initial_virtual, InitialStatus)),
  card_validity_months: Type.Optional(Field(texts.card_validity_months, ValidityMonths)),
  pin: Type.Optional(Field(texts.pin, PinInput)),
  auth_settings: Type.Optional(Field(texts.auth_settings, AuthSettingsInput)),
  ...listIdsInput,
  num_of_cards_per_user: Type.Optional(Field(texts.cards_per_user, Nullable(CardsPerUser))),
  partial_approval: Type.Optional(Field(texts.partial_approval, Type.Boolean())),
  identify_above: Type.Optional(Field(texts.identify_above, Nullable(AmountInput))),
  otp_3ds: Type.Optional(Field(texts.otp_3ds, Type.Boolean())),
  responder: Type.Optional(Field(texts.responder, ResponderPolicy)),
  clearing_tolerance_percent: Type.Optional(Field(texts.clearing_tolerance_percent, Percent)),
  unlinked_credit_max_amount: Type.Optional(Field(texts.unlinked_credit, Nullable(AmountInput))),
  unlinked_credit_max_daily_amount: Type.Optional(
    Field(texts.unlinked_credit_daily, Nullable(AmountInput)),
  ),
  emv: Type.Optional(Field(texts.emv, Nullable(Emv))),
  production: Type.Optional(Field(texts.production, Nullable(Production))),
  ...chargesInput,
}
const Bin = Type.String({
  pattern: '^[0-9]{6,8}$',
  examples: ['400000', '5200000', '40000001'],
  description: 'Bank identification number: the first 6 to 8 digits of each card number.',
})
const ProductName = Field('Name of the card product.', Name)
const ProductCurrency = Field('ISO 4217 code of the currency of the cards.', Currency)

export const NewProduct = Strict({
  id: Type.Optional(Field('Id of the card product; generated when left out.', Uuid)),
  name: ProductName,
  currency: ProductCurrency,
  bin: Bin,
  ...members,
})
export type NewProduct = Static<typeof NewProduct>

export const ProductChanges = Strict({
  name: Type.Optional(ProductName),
  currency: Type.Optional(ProductCurrency),
  bin: Type.Optional(Bin),
  ...members,
})
export type ProductChanges = Static<typeof ProductChanges>

const PanRange = Type.Object(
  {
    start_range: Type.Integer({ description: 'First digits between BIN and check digit.' }),
    end_range: Type.Integer({ description: 'Last digits between BIN and check digit.' }),
  },
  { description: texts.pan_range },
)

/** The product as the API returns it; every switch is included, set or not. */
export const CardProduct = Type.Object(
  {
    id: Field('Id of the card product.', Uuid),
    name: Type.String({ description: 'Name of the card product.' }),
    description: Type.Optional(Type.String({ description: 'Description of the card product.' })),
    status: Field('ACTIVE once a card was issued, before that INACTIVE.', InitialStatus),
    currency: Type.String({ description: 'ISO 4217 code of the currency of the cards.' }),
    bin: Bin,
    pan_range: PanRange,
    pan_length: Type.Integer({ description: 'Number of digits of a card number: 16.' }),
    link_account_to_card: Field(texts.link_account_to_card, Type.Boolean()),
    virtual_to_physical_expiry_duration: Field(texts.migration_days, Type.Integer()),
    initial_status_of_physical_card: Field(texts.initial_physical, InitialStatus),
    initial_status_of_virtual_card: Field(texts.initial_virtual, InitialStatus),
    card_validity_months: Field(texts.card_validity_months, Type.Integer()),
    pin: Field(texts.pin, PinSettings),
    auth_settings: Field(texts.auth_settings, AuthSettings),
    ...listIdsAnswer,
    num_of_cards_per_user: Type.Optional(Field(texts.cards_per_user, Type.Integer())),
    partial_approval: Field(texts.partial_approval, Type.Boolean()),
    identify_above: Type.Optional(Field(texts.identify_above, Amount)),
    otp_3ds: Field(texts.otp_3ds, Type.Boolean()),
    responder: Field(texts.responder, ResponderPolicy),
    clearing_tolerance_percent: Field(texts.clearing_tolerance_percent, Type.Integer()),
    unlinked_credit_max_amount: Type.Optional(Field(texts.unlinked_credit, Amount)),
    unlinked_credit_max_daily_amount: Type.Optional(Field(texts.unlinked_credit_daily, Amount)),
    emv: Field(texts.emv, Emv),
    production: Type.Optional(Field(texts.production, Production)),
    ...chargesAnswer,
    balance_limit_ids: Type.Array(Uuid, { description: 'Ids of the linked balance limits.' }),
    velocity_limit_ids: Type.Array(Uuid, { description: 'Ids of the linked velocity limits.' }),
    created: Field('Time at which the card product was created.', Instant),
    modified: Field('Time of the last change.', Instant),
  },
  { title: 'CardProduct' },
)
export type CardProduct = Static<typeof CardProduct>
