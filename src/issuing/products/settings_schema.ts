/** The API schemas of authorization settings, of a product and of a card (D-33, D-104). */

import { type Static, type TSchema, Type } from 'typebox'
import { Amount, AmountInput, Field, Nullable, Strict, Uuid } from '#kit/http/schema.ts'
import { type Switch, switchTable } from './rules/switches.ts'

/** The names of the switches, by product and by card (D-33). */
export const switches: readonly Switch[] = switchTable.map(({ name }) => name)

/**
 * As stored: only the settings that were set, bounds in minor units of the product's currency as
 * text.
 */
export type StoredAuthSettings = { [Name in Switch]?: boolean } & {
  min_amount?: string
  max_amount?: string
}

function eachSwitch<Schema extends TSchema>(
  schemaOf: (description: string) => Schema,
): { [Name in Switch]: Schema } {
  const members = switchTable.map(
    ({ name, allows }) => [name, schemaOf(`Allows ${allows}.`)] as const,
  )
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
