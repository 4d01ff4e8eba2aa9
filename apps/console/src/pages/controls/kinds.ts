/** The kinds of controls: how each is read, typed, made and changed. One table for every page. */

import { answered, issuing, once } from '../../api/client.ts'
import type {
  BalanceLimit,
  CountryList,
  ListPage,
  MccList,
  MerchantList,
  Proposal,
  ShadowReport,
  VelocityLimit,
} from '../../api/types.ts'
import { balanceBody, countriesBody, mccsBody, merchantsBody, velocityBody } from './bodies.ts'
import { NEW, type Typed, typedOfLimit, typedOfList, typedOfMerchants } from './typed.ts'

export const KIND_NAMES = ['velocity', 'balance', 'countries', 'mccs', 'merchants'] as const
export type KindName = (typeof KIND_NAMES)[number]

export type Mode = 'ENFORCED' | 'SHADOW'

/** A control of any kind as the pages show it. */
export type Control = {
  id: string
  name: string
  mode: Mode
  /** Of a list; limits have no switch. */
  active?: boolean
  typed: Typed
  created: string
  modified: string
}

type Days = { from?: string; to?: string }

export type Kind = {
  /** Operations of the API, by which a role is asked. */
  operations: { create: string; update: string; link: string; shadow: string }
  list: (after: string | undefined) => Promise<ListPage<Control>>
  read: (id: string) => Promise<Control>
  create: (typed: Typed, key: string) => Promise<{ id: string }>
  update: (id: string, typed: Typed) => Promise<unknown>
  setMode: (id: string, mode: Mode) => Promise<unknown>
  shadow: (id: string, days: Days) => Promise<ShadowReport>
  /** Links it to a card product, in place of the list that the product had. */
  link: (id: string, card_product_id: string, key: string) => Promise<unknown>
  /** The same control as part of a backtest. */
  proposal: (typed: Typed) => Proposal
}

const named = (description: string | undefined, id: string) => description ?? id.slice(-12)

const ofLimit = (limit: VelocityLimit | BalanceLimit): Control => ({
  ...{ id: limit.id, mode: limit.mode, created: limit.created, modified: limit.modified },
  name: named(limit.description, limit.id),
  typed: typedOfLimit(limit),
})

const ofList = (list: CountryList | MccList | MerchantList): Control => ({
  ...{ id: list.id, name: list.name, mode: list.mode, active: list.active },
  ...{ created: list.created, modified: list.modified },
  typed: 'merchants' in list ? typedOfMerchants(list) : typedOfList(list),
})

async function paged<Item>(
  asked: Promise<ListPage<Item>>,
  of: (item: Item) => Control,
): Promise<ListPage<Control>> {
  const { data, ...rest } = await asked
  return { ...rest, data: data.map(of) }
}

const page = (after: string | undefined) => ({
  params: { query: after === undefined ? {} : { after } },
})
const at = (id: string) => ({ params: { path: { id } } })
const making = (key: string) => ({ params: { header: once(key) } })
const reporting = (id: string, query: Days) => ({ params: { path: { id }, query } })
const linking = (id: string, card_product_id: string, key: string) => ({
  body: { ids: [id] },
  params: { path: { id: card_product_id }, header: once(key) },
})

const velocity: Kind = {
  operations: {
    create: 'createVelocityLimit',
    update: 'updateVelocityLimit',
    link: 'linkCardProductVelocityLimits',
    shadow: 'getVelocityLimitShadow',
  },
  list: (after) => paged(answered(issuing.GET('/velocitylimits', page(after))), ofLimit),
  read: async (id) => ofLimit(await answered(issuing.GET('/velocitylimits/{id}', at(id)))),
  create: (typed, key) =>
    answered(issuing.POST('/velocitylimits', { body: velocityBody(typed), ...making(key) })),
  update: (id, typed) =>
    answered(issuing.PUT('/velocitylimits/{id}', { body: velocityBody(typed), ...at(id) })),
  setMode: (id, mode) =>
    answered(issuing.PUT('/velocitylimits/{id}', { body: { mode }, ...at(id) })),
  shadow: (id, days) => answered(issuing.GET('/velocitylimits/{id}:shadow', reporting(id, days))),
  link: (id, product, key) =>
    answered(issuing.POST('/cardproducts/{id}/velocitylimits:link', linking(id, product, key))),
  proposal: (typed) => {
    const { mode: _mode, description: _text, ...limit } = velocityBody(typed)
    return { velocity_limits: [limit] }
  },
}

const balance: Kind = {
  operations: {
    create: 'createBalanceLimit',
    update: 'updateBalanceLimit',
    link: 'linkCardProductBalanceLimits',
    shadow: 'getBalanceLimitShadow',
  },
  list: (after) => paged(answered(issuing.GET('/balancelimits', page(after))), ofLimit),
  read: async (id) => ofLimit(await answered(issuing.GET('/balancelimits/{id}', at(id)))),
  create: (typed, key) =>
    answered(issuing.POST('/balancelimits', { body: balanceBody(typed), ...making(key) })),
  update: (id, typed) =>
    answered(issuing.PUT('/balancelimits/{id}', { body: balanceBody(typed), ...at(id) })),
  setMode: (id, mode) =>
    answered(issuing.PUT('/balancelimits/{id}', { body: { mode }, ...at(id) })),
  shadow: (id, days) => answered(issuing.GET('/balancelimits/{id}:shadow', reporting(id, days))),
  link: (id, product, key) =>
    answered(issuing.POST('/cardproducts/{id}/balancelimits:link', linking(id, product, key))),
  proposal: ({ currency, min_amount }) => ({
    balance_limits: [{ type: 'PER_ACCOUNT', currency, min_amount }],
  }),
}

const ofProduct = (card_product_id: string) => ({ params: { path: { id: card_product_id } } })

const countries: Kind = {
  operations: {
    create: 'createAllowedCountryList',
    update: 'updateAllowedCountryList',
    link: 'updateCardProduct',
    shadow: 'getAllowedCountryListShadow',
  },
  list: (after) => paged(answered(issuing.GET('/allowedcountries', page(after))), ofList),
  read: async (id) => ofList(await answered(issuing.GET('/allowedcountries/{id}', at(id)))),
  create: (typed, key) =>
    answered(issuing.POST('/allowedcountries', { body: countriesBody(typed), ...making(key) })),
  update: (id, typed) =>
    answered(issuing.PUT('/allowedcountries/{id}', { body: countriesBody(typed), ...at(id) })),
  setMode: (id, mode) =>
    answered(issuing.PUT('/allowedcountries/{id}', { body: { mode }, ...at(id) })),
  shadow: (id, days) => answered(issuing.GET('/allowedcountries/{id}:shadow', reporting(id, days))),
  link: (allowed_countries_id, product) => {
    const body = { allowed_countries_id }
    return answered(issuing.PUT('/cardproducts/{id}', { body, ...ofProduct(product) }))
  },
  proposal: (typed) => {
    const { allow, country_codes } = countriesBody(typed)
    return { allowed_countries: { allow, country_codes } }
  },
}

const mccs: Kind = {
  operations: {
    create: 'createAllowedMccList',
    update: 'updateAllowedMccList',
    link: 'updateCardProduct',
    shadow: 'getAllowedMccListShadow',
  },
  list: (after) => paged(answered(issuing.GET('/allowedmccs', page(after))), ofList),
  read: async (id) => ofList(await answered(issuing.GET('/allowedmccs/{id}', at(id)))),
  create: (typed, key) =>
    answered(issuing.POST('/allowedmccs', { body: mccsBody(typed), ...making(key) })),
  update: (id, typed) =>
    answered(issuing.PUT('/allowedmccs/{id}', { body: mccsBody(typed), ...at(id) })),
  setMode: (id, mode) => answered(issuing.PUT('/allowedmccs/{id}', { body: { mode }, ...at(id) })),
  shadow: (id, days) => answered(issuing.GET('/allowedmccs/{id}:shadow', reporting(id, days))),
  link: (allowed_mccs_id, product) => {
    const body = { allowed_mccs_id }
    return answered(issuing.PUT('/cardproducts/{id}', { body, ...ofProduct(product) }))
  },
  proposal: (typed) => {
    const { allow, mccs: codes } = mccsBody(typed)
    return { allowed_mccs: { allow, mccs: codes } }
  },
}

const merchants: Kind = {
  operations: {
    create: 'createAllowedMerchantList',
    update: 'updateAllowedMerchantList',
    link: 'updateCardProduct',
    shadow: 'getAllowedMerchantListShadow',
  },
  list: (after) => paged(answered(issuing.GET('/allowedmerchants', page(after))), ofList),
  read: async (id) => ofList(await answered(issuing.GET('/allowedmerchants/{id}', at(id)))),
  create: (typed, key) =>
    answered(issuing.POST('/allowedmerchants', { body: merchantsBody(typed), ...making(key) })),
  update: (id, typed) =>
    answered(issuing.PUT('/allowedmerchants/{id}', { body: merchantsBody(typed), ...at(id) })),
  setMode: (id, mode) =>
    answered(issuing.PUT('/allowedmerchants/{id}', { body: { mode }, ...at(id) })),
  shadow: (id, days) => answered(issuing.GET('/allowedmerchants/{id}:shadow', reporting(id, days))),
  link: (allowed_merchants_id, product) => {
    const body = { allowed_merchants_id }
    return answered(issuing.PUT('/cardproducts/{id}', { body, ...ofProduct(product) }))
  },
  proposal: (typed) => ({ allowed_merchants: { merchants: merchantsBody(typed).merchants } }),
}

export const KINDS: Readonly<Record<KindName, Kind>> = {
  velocity,
  balance,
  countries,
  mccs,
  merchants,
}

export const kindOf = (text: string | undefined): KindName =>
  KIND_NAMES.find((name) => name === text) ?? 'velocity'

export const typedOfKind = (kind: KindName, currency: string): Typed => ({
  ...NEW,
  currency,
  type: kind === 'balance' ? 'PER_ACCOUNT' : 'CUMULATIVE',
})
