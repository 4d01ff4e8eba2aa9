/** The API schemas of lists of countries, MCCs and merchants (D-34, D-113). */

import { type Static, Type } from 'typebox'
import { Field, Instant, ListQuery, Name, OneOf, Strict, Uuid } from '#kit/http/schema.ts'

export const listKinds = ['countries', 'mccs', 'merchants'] as const
export type ListKind = (typeof listKinds)[number]

/** Whether a list or a limit declines, or only reports what it would decline (D-480). */
export const controlModes = ['ENFORCED', 'SHADOW'] as const
export type ControlMode = (typeof controlModes)[number]

/** More codes than ISO 3166-1 has. */
const COUNTRIES_MAX = 300
const MCCS_MAX = 1000
const MERCHANTS_MAX = 1000
/** DE42. */
const MERCHANT_ID_LENGTH = 15
/** Longer than every code, so that the rules report what is none. */
const CODE_LENGTH = 10

export const MerchantId = Type.String({
  minLength: 1,
  maxLength: MERCHANT_ID_LENGTH,
  description: 'Card acceptor id of the merchant (DE42), at most 15 characters, letters as sent.',
})
const Code = Type.String({ maxLength: CODE_LENGTH })

const texts = {
  own: 'Id of the list; generated when left out.',
  id: 'Id of the list.',
  name: 'Name of the list.',
  allow:
    'true: only entries of the list pass, and a payment that names none is declined; ' +
    'false: entries of the list are declined.',
  active: 'false switches the list off: it checks nothing.',
  mode:
    'With SHADOW the list declines nothing; its would-be declines are in the traces of ' +
    'transactions and in its shadow report.',
  codes: 'Countries by ISO 3166-1 alpha-2, alpha-3 or number, each once, at most 300.',
  mccs: 'Merchant category codes of four digits, each once, at most 1000.',
  merchants:
    'Merchants, each once, at most 1000. If one has `allow` true, only those pass; those with ' +
    '`allow` false are declined.',
  created: 'Time at which the list was created.',
  modified: 'Time of the last change.',
} as const

const flags = {
  allow: Type.Optional(Field(`${texts.allow} Default true.`, Type.Boolean())),
  active: Type.Optional(Field(`${texts.active} Default true.`, Type.Boolean())),
  mode: Type.Optional(Field(`${texts.mode} Default ENFORCED.`, OneOf(controlModes))),
}
const changedFlags = {
  allow: Type.Optional(Field(texts.allow, Type.Boolean())),
  active: Type.Optional(Field(texts.active, Type.Boolean())),
  mode: Type.Optional(Field(texts.mode, OneOf(controlModes))),
}
const named = {
  id: Type.Optional(Field(texts.own, Uuid)),
  name: Field(texts.name, Name),
}
const renamed = { name: Type.Optional(Field(texts.name, Name)) }
const identity = {
  id: Field(texts.id, Uuid),
  name: Type.String({ description: texts.name }),
}
const times = {
  created: Field(texts.created, Instant),
  modified: Field(texts.modified, Instant),
}

const Countries = Type.Array(Code, { maxItems: COUNTRIES_MAX, description: texts.codes })
export const NewCountryList = Strict({ ...named, ...flags, country_codes: Countries })
export type NewCountryList = Static<typeof NewCountryList>
export const CountryListChanges = Strict({
  ...renamed,
  ...changedFlags,
  country_codes: Type.Optional(Countries),
})
export type CountryListChanges = Static<typeof CountryListChanges>
export const CountryList = Type.Object(
  {
    ...identity,
    allow: Field(texts.allow, Type.Boolean()),
    active: Field(texts.active, Type.Boolean()),
    mode: Field(texts.mode, OneOf(controlModes)),
    country_codes: Type.Array(Type.String(), { description: 'Countries by alpha-3 code.' }),
    ...times,
  },
  { title: 'AllowedCountries' },
)

const Mccs = Type.Array(Code, { maxItems: MCCS_MAX, description: texts.mccs })
export const NewMccList = Strict({ ...named, ...flags, mccs: Mccs })
export type NewMccList = Static<typeof NewMccList>
export const MccListChanges = Strict({
  ...renamed,
  ...changedFlags,
  mccs: Type.Optional(Mccs),
})
export type MccListChanges = Static<typeof MccListChanges>
export const MccList = Type.Object(
  {
    ...identity,
    allow: Field(texts.allow, Type.Boolean()),
    active: Field(texts.active, Type.Boolean()),
    mode: Field(texts.mode, OneOf(controlModes)),
    mccs: Type.Array(Type.String(), { description: 'Merchant category codes.' }),
    ...times,
  },
  { title: 'AllowedMccs' },
)

const merchantEntry = {
  merchant_id: MerchantId,
  allow: Type.Boolean({ description: 'Whether payments of the merchant pass.' }),
}
export type MerchantEntry = { merchant_id: string; allow: boolean }
const Merchants = Type.Array(Strict(merchantEntry), {
  maxItems: MERCHANTS_MAX,
  description: texts.merchants,
})
const { active, mode } = flags
export const NewMerchantList = Strict({ ...named, active, mode, merchants: Merchants })
export type NewMerchantList = Static<typeof NewMerchantList>
export const MerchantListChanges = Strict({
  ...renamed,
  active: changedFlags.active,
  mode: changedFlags.mode,
  merchants: Type.Optional(Merchants),
})
export type MerchantListChanges = Static<typeof MerchantListChanges>
export const MerchantList = Type.Object(
  {
    ...identity,
    active: Field(texts.active, Type.Boolean()),
    mode: Field(texts.mode, OneOf(controlModes)),
    merchants: Type.Array(Type.Object(merchantEntry), { description: 'The merchants.' }),
    ...times,
  },
  { title: 'AllowedMerchants' },
)

const { allow } = flags
/** Lists that a backtest proposes: they have no id and are stored nowhere (D-482). */
export const ProposedCountries = Strict({ allow, country_codes: Countries })
export const ProposedMccs = Strict({ allow, mccs: Mccs })
export const ProposedMerchants = Strict({ merchants: Merchants })

export const AllowedListQuery = ListQuery({})
