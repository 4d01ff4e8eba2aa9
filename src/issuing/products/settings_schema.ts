/** The API schemas of authorization settings, of a product and of a card (D-33, D-104). */

import { type Static, type TSchema, Type } from 'typebox'
import { Amount, AmountInput, Field, Nullable, Strict, Uuid } from '#kit/http/schema.ts'

/** The switches of authorizations, by product and by card (D-33). All default to true. */
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

/**
 * As stored: only the settings that were set, bounds in minor units of the product's currency as
 * text.
 */
export type StoredAuthSettings = { [Name in Switch]?: boolean } & {
  min_amount?: string
  max_amount?: string
}

const allows: Readonly<Record<Switch, string>> = {
  atm: 'transactions at an ATM, other than credits',
  pos: 'transactions at a point of sale, other than credits',
  chip: 'transactions with a chip, by contact or contactless, other than credits',
  magstripe: 'transactions with a magnetic stripe, other than credits',
  chip_fallback: 'magnetic stripe fallback of a chip card, other than credits',
  pin_absent: 'payments with the card present and without a PIN',
  ecommerce_3ds: 'remote payments with 3-D Secure',
  ecommerce_non_3ds: 'e-commerce payments without 3-D Secure, other than recurring ones',
  ecommerce_without_cvv2: 'e-commerce payments without a CVV2, other than recurring ones',
  quasi_cash: 'quasi-cash, by processing code 11 or 18 or by MCC 4829, 6051, 6540 or 7995',
  account_funding: 'account funding, processing code 10',
  credit: 'credits, processing codes 26 and 28',
  account_verification_without_cvv2: 'account verification without a CVV2 or a read card',
  cash_in: 'cash deposits, processing codes 21 and 22',
  cash_out: 'cash withdrawals, processing codes 01, 12, 17 and 23',
  atm_deposit: 'deposits at an ATM, processing code 21',
  incoming_transfers: 'transfers to the card, processing code 26',
  outgoing_transfers: 'transfers from the card, processing code 40',
  recurring: 'recurring payments, by DE22 10, DE25 73 or DE61',
}

function eachSwitch<Schema extends TSchema>(
  schemaOf: (description: string) => Schema,
): { [Name in Switch]: Schema } {
  const members = switches.map((name) => [name, schemaOf(`Allows ${allows[name]}.`)] as const)
  // Object.fromEntries types its keys as strings.
  return Object.fromEntries(members) as { [Name in Switch]: Schema }
}

const BOUND =
  'amount of one payment, with its increments, in major units of the product’s currency.'
const MIN_AMOUNT = `Least ${BOUND}`
const MAX_AMOUNT = `Largest ${BOUND}`

export const authSettingsInput = {
  ...eachSwitch((description) =>
    Type.Optional(Field(`${description} null means true.`, Nullable(Type.Boolean()))),
  ),
  min_amount: Type.Optional(Field(`${MIN_AMOUNT} null clears it.`, Nullable(AmountInput))),
  max_amount: Type.Optional(Field(`${MAX_AMOUNT} null clears it.`, Nullable(AmountInput))),
}
export const AuthSettingsInput = Strict(authSettingsInput)
export type AuthSettingsInput = Static<typeof AuthSettingsInput>

export const authSettingsAnswer = {
  ...eachSwitch((description) =>
    Type.Optional(Type.Boolean({ description: `${description} Absent means true.` })),
  ),
  min_amount: Type.Optional(Field(MIN_AMOUNT, Amount)),
  max_amount: Type.Optional(Field(MAX_AMOUNT, Amount)),
}
export const AuthSettings = Type.Object(authSettingsAnswer, { title: 'AuthSettings' })
export type AuthSettings = Static<typeof AuthSettings>

const COUNTRIES = 'Id of the list of allowed countries.'
const MCCS = 'Id of the list of allowed MCCs.'
const MERCHANTS = 'Id of the list of allowed merchants.'
const CLEARS = 'null names no list.'

/** The lists of allowed countries, MCCs and merchants, for products and for cards. */
export const listIdsInput = {
  allowed_countries_id: Type.Optional(Field(`${COUNTRIES} ${CLEARS}`, Nullable(Uuid))),
  allowed_mccs_id: Type.Optional(Field(`${MCCS} ${CLEARS}`, Nullable(Uuid))),
  allowed_merchants_id: Type.Optional(Field(`${MERCHANTS} ${CLEARS}`, Nullable(Uuid))),
}
export const listIdsAnswer = {
  allowed_countries_id: Type.Optional(Field(COUNTRIES, Uuid)),
  allowed_mccs_id: Type.Optional(Field(MCCS, Uuid)),
  allowed_merchants_id: Type.Optional(Field(MERCHANTS, Uuid)),
}
const ListIdsInput = Strict(listIdsInput)
export type ListIdsInput = Static<typeof ListIdsInput>
