/** The kinds of controls: how each is read, typed, made and changed. One table for every page. */

import { sameVersion } from '#client/core/versions.ts'
import { answered, issuing } from '../../api/client.ts'
import type {
  BalanceLimit,
  CardProduct,
  CountryList,
  ListPage,
  MccList,
  MerchantList,
  ProductChanges,
  Proposal,
  ShadowReport,
  VelocityLimit,
} from '../../api/types.ts'
import { changeSeen, type Match } from '../../api/versions.ts'
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
  /** The switch of a list; limits have none. */
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
  bodyOf: (typed: Typed) => object
  /** Changes the members that are sent, of the version that is demanded. */
  update: (id: string, changes: object, match: Match) => Promise<unknown>
  shadow: (id: string, days: Days) => Promise<ShadowReport>
  /** Links it to a card product, in place of the list that the product had. */
  link: (id: string, product: CardProduct, key: string) => Promise<unknown>
  /** The same control as part of a backtest. */
  proposal: (typed: Typed) => Proposal
}

const named = (description: string | undefined, id: string) => description ?? id.slice(-12)

const ofLimit = (limit: VelocityLimit | BalanceLimit): Control =>
  sameVersion(limit, {
    id: limit.id,
    mode: limit.mode,
    created: limit.created,
    modified: limit.modified,
    name: named(limit.description, limit.id),
    typed: typedOfLimit(limit),
  })

const ofList = (list: CountryList | MccList | MerchantList): Control =>
  sameVersion(list, {
    id: list.id,
    name: list.name,
    mode: list.mode,
    active: list.active,
    created: list.created,
    modified: list.modified,
    typed: 'merchants' in list ? typedOfMerchants(list) : typedOfList(list),
  })

async function paged<Item>(
  asked: Promise<ListPage<Item>>,
  of: (item: Item) => Control,
): Promise<ListPage<Control>> {
  const { data, ...rest } = await asked
  return { ...rest, data: data.map(of) }
}

const page = (after: string | undefined) => (after === undefined ? {} : { after })
const keyed = (key: string) => ({ idempotencyKey: key })

const velocity: Kind = {
  operations: {
    create: 'createVelocityLimit',
    update: 'updateVelocityLimit',
    link: 'linkCardProductVelocityLimits',
    shadow: 'getVelocityLimitShadow',
  },
  list: (after) => paged(answered(issuing.limits.listVelocityLimits(page(after))), ofLimit),
  read: async (id) => ofLimit(await answered(issuing.limits.getVelocityLimit(id))),
  create: (typed, key) =>
    answered(issuing.limits.createVelocityLimit(velocityBody(typed), keyed(key))),
  bodyOf: velocityBody,
  update: (id, body, match) => answered(issuing.limits.updateVelocityLimit(id, body, match)),
  shadow: (id, days) => answered(issuing.limits.getVelocityLimitShadow(id, days)),
  link: (id, product, key) =>
    answered(issuing.limits.linkCardProductVelocityLimits(product.id, { ids: [id] }, keyed(key))),
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
  list: (after) => paged(answered(issuing.limits.listBalanceLimits(page(after))), ofLimit),
  read: async (id) => ofLimit(await answered(issuing.limits.getBalanceLimit(id))),
  create: (typed, key) =>
    answered(issuing.limits.createBalanceLimit(balanceBody(typed), keyed(key))),
  bodyOf: balanceBody,
  update: (id, body, match) => answered(issuing.limits.updateBalanceLimit(id, body, match)),
  shadow: (id, days) => answered(issuing.limits.getBalanceLimitShadow(id, days)),
  link: (id, product, key) =>
    answered(issuing.limits.linkCardProductBalanceLimits(product.id, { ids: [id] }, keyed(key))),
  proposal: ({ currency, min_amount }) => ({
    balance_limits: [{ type: 'PER_ACCOUNT', currency, min_amount }],
  }),
}

const LISTS = ['allowed_countries_id', 'allowed_mccs_id', 'allowed_merchants_id'] as const

/** Nothing that another member has linked since the product was shown is replaced. */
function changeProduct(product: CardProduct, body: ProductChanges): Promise<CardProduct> {
  const { id } = product
  return changeSeen({
    item: product,
    read: () => answered(issuing.cardProducts.get(id)),
    isOther: (fresh) => LISTS.some((name) => name in body && fresh[name] !== product[name]),
    save: (match) => answered(issuing.cardProducts.update(id, body, match)),
  })
}

const countries: Kind = {
  operations: {
    create: 'createAllowedCountryList',
    update: 'updateAllowedCountryList',
    link: 'updateCardProduct',
    shadow: 'getAllowedCountryListShadow',
  },
  list: (after) => paged(answered(issuing.lists.listAllowedCountryLists(page(after))), ofList),
  read: async (id) => ofList(await answered(issuing.lists.getAllowedCountryList(id))),
  create: (typed, key) =>
    answered(issuing.lists.createAllowedCountryList(countriesBody(typed), keyed(key))),
  bodyOf: countriesBody,
  update: (id, body, match) => answered(issuing.lists.updateAllowedCountryList(id, body, match)),
  shadow: (id, days) => answered(issuing.lists.getAllowedCountryListShadow(id, days)),
  link: (allowed_countries_id, product) => changeProduct(product, { allowed_countries_id }),
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
  list: (after) => paged(answered(issuing.lists.listAllowedMccLists(page(after))), ofList),
  read: async (id) => ofList(await answered(issuing.lists.getAllowedMccList(id))),
  create: (typed, key) => answered(issuing.lists.createAllowedMccList(mccsBody(typed), keyed(key))),
  bodyOf: mccsBody,
  update: (id, body, match) => answered(issuing.lists.updateAllowedMccList(id, body, match)),
  shadow: (id, days) => answered(issuing.lists.getAllowedMccListShadow(id, days)),
  link: (allowed_mccs_id, product) => changeProduct(product, { allowed_mccs_id }),
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
  list: (after) => paged(answered(issuing.lists.listAllowedMerchantLists(page(after))), ofList),
  read: async (id) => ofList(await answered(issuing.lists.getAllowedMerchantList(id))),
  create: (typed, key) =>
    answered(issuing.lists.createAllowedMerchantList(merchantsBody(typed), keyed(key))),
  bodyOf: merchantsBody,
  update: (id, body, match) => answered(issuing.lists.updateAllowedMerchantList(id, body, match)),
  shadow: (id, days) => answered(issuing.lists.getAllowedMerchantListShadow(id, days)),
  link: (allowed_merchants_id, product) => changeProduct(product, { allowed_merchants_id }),
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
