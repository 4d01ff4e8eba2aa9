/**
 * The parts of a programme: the sections of the file, in the order in which they are written,
 * planned and applied. A section stands after those that its entries refer to.
 */

import type { Members, Value } from '../kit/values.ts'

export const LISTS = ['allowed_countries', 'allowed_mccs', 'allowed_merchants'] as const
export const LIMITS = ['velocity_limits', 'balance_limits'] as const
export const SECTIONS = [...LISTS, ...LIMITS, 'card_products', 'webhooks'] as const
export type List = (typeof LISTS)[number]
export type Limit = (typeof LIMITS)[number]
export type Section = (typeof SECTIONS)[number]

/** An object as the API answers it. */
export type Answered = Members & { readonly id: string }

/** A programme: its settings, and the entries of each section by their names. */
export type Programme = {
  settings: Members | undefined
  sections: ReadonlyMap<Section, ReadonlyMap<string, Members>>
}

export type Kind = {
  /** The noun for one object in sentences. */
  noun: string
  /** Below /v1. */
  path: string
  /** Member of the API that is the name of an entry (D-831). */
  name_member: 'name' | 'description' | 'endpoint'
  can_delete: boolean
}

export const KINDS: Readonly<Record<Section, Kind>> = {
  allowed_countries: kind('list of countries', 'allowedcountries'),
  allowed_mccs: kind('list of MCCs', 'allowedmccs'),
  allowed_merchants: kind('list of merchants', 'allowedmerchants'),
  velocity_limits: kind('velocity limit', 'velocitylimits', 'description'),
  balance_limits: kind('balance limit', 'balancelimits', 'description'),
  card_products: kind('card product', 'cardproducts'),
  webhooks: { ...kind('webhook', 'webhooks', 'endpoint'), can_delete: true },
}

function kind(noun: string, path: string, name_member: Kind['name_member'] = 'name'): Kind {
  return { noun, path, name_member, can_delete: false }
}

/**
 * The name of an object: its name, the endpoint of a webhook, the description of a limit. A limit
 * without one is called by what it limits (D-831).
 */
export function nameOf(section: Section, object: Members): string {
  const name = object[KINDS[section].name_member]
  return typeof name === 'string' && name !== '' ? name : madeName(object)
}

/** Such as `CUMULATIVE AED MONTHLY ALL`. */
function madeName({ type, currency, period, transaction_scope }: Members): string {
  const scope = Array.isArray(transaction_scope) ? [...transaction_scope].sort() : []
  return [type, currency, period, ...scope].filter((part) => part !== undefined).join(' ')
}

/** The member of a card product that names its list of a section at the API. */
export const listIdMember = (section: List): string => `${section}_id`

/** The member of a card product that has the ids of its limits at the API. */
export const LIMIT_IDS: Readonly<Record<Limit, string>> = {
  velocity_limits: 'velocity_limit_ids',
  balance_limits: 'balance_limit_ids',
}

/** Members that the API answers and no client sends. */
const MADE_BY_PLATFORM = ['id', 'created', 'modified', 'status', 'disabled_reason', 'pan_length']

/** Members of an object as answered, less those that the platform makes and less its name. */
export function ownMembers(section: Section, object: Members): Record<string, Value> {
  const { name_member } = KINDS[section]
  const ids = section === 'card_products' ? [...LISTS.map(listIdMember), ...limitIds] : []
  const without = new Set([...MADE_BY_PLATFORM, 'failing_since', name_member, ...ids])
  if (section === 'card_products') without.delete('description')
  return Object.fromEntries(Object.entries(object).filter(([name]) => !without.has(name)))
}

const limitIds = Object.values(LIMIT_IDS)
