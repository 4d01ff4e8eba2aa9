/** The controls that a client proposes, checked as far as that needs no database (D-482). */

import { newLimit } from '#issuing/limits/limits.ts'
import type { LimitTerms } from '#issuing/limits/rules.ts'
import { checkCountries, checkMccs, checkMerchants, type StoredList } from '#issuing/lists/rules.ts'
import type { ListKind } from '#issuing/lists/schema.ts'
import { mergeAuthSettings } from '#issuing/products/products.ts'
import type { Fault, Result } from '#lib/result.ts'
import { addDays } from '#lib/time.ts'
import type { Owner } from './rules.ts'
import { DAYS_MAX, type NewBacktest } from './schema.ts'

const owners = [
  ['card_product_id', 'cardproducts'],
  ['card_id', 'cards'],
  ['account_id', 'accounts'],
  ['user_id', 'users'],
] as const

type Named = { owner: Owner; member: (typeof owners)[number][0]; id: string }

/** The owner that the backtest is about; the first if several are named, which is a fault. */
export const ownerOf = (body: NewBacktest): Named | undefined => ownersOf(body)[0]

const ownersOf = (body: NewBacktest): Named[] =>
  owners.flatMap(([member, owner]) => {
    const id = body[member]
    return id === undefined ? [] : [{ owner, member, id: id.toLowerCase() }]
  })

type Period = { from: Date; to: Date }

/** There are no decisions after the present: a period that ends later ends with it. */
export function periodOf(body: Pick<NewBacktest, 'from' | 'to'>, now: Date): Period {
  const to = new Date(body.to)
  return { from: new Date(body.from), to: to < now ? to : now }
}

/** The faults of period, owner and members that exclude each other. */
export function faultsOfRequest(body: NewBacktest, { from, to }: Period): Fault[] {
  const [first, second] = ownersOf(body)
  const isOfHolder = first?.owner === 'accounts' || first?.owner === 'users'
  const faults: (Fault | false)[] = [
    from >= to && { path: 'to', message: 'must be after from' },
    from < to && addDays(from, DAYS_MAX) < to && { path: 'to', message: TOO_LONG },
    second !== undefined && { path: second.member, message: `excludes ${first?.member}` },
    !isProposed(body) && { path: '', message: 'must propose settings, lists or limits' },
    body.auth_settings !== undefined &&
      first?.owner !== 'cardproducts' &&
      first?.owner !== 'cards' && { path: 'auth_settings', message: OF_NOTHING },
    ...lists.flatMap(([member, id]): (Fault | false)[] => {
      const isNamed = body[member] !== undefined || body[id] !== undefined
      const path = body[member] === undefined ? id : member
      return [
        body[member] !== undefined &&
          body[id] !== undefined && { path: id, message: `excludes ${member}` },
        isNamed && isOfHolder && { path, message: OF_NO_HOLDER },
      ]
    }),
  ]
  return faults.flatMap((fault) => fault || [])
}

const TOO_LONG = `must be at most ${DAYS_MAX} days after from`
const OF_NOTHING = 'requires card_product_id or card_id'
const OF_NO_HOLDER = 'is not of an account or a user'

const lists = [
  ['allowed_countries', 'allowed_countries_id'],
  ['allowed_mccs', 'allowed_mccs_id'],
  ['allowed_merchants', 'allowed_merchants_id'],
] as const

const isProposed = ({ id: _id, from, to, ...body }: NewBacktest): boolean =>
  Object.keys(body).some((name) => !owners.some(([member]) => member === name))

type Checked<Value> = { value: Value; faults: Fault[] }

/** The lists that are sent, with their entries. */
export function proposedLists(body: NewBacktest): Checked<Omit<StoredList, 'version'>[]> {
  const faults: Fault[] = []
  const value: Omit<StoredList, 'version'>[] = []
  const add = (
    member: string,
    kind: ListKind,
    allow: boolean,
    checked: Result<StoredList['entries'], 'validation_failed'>,
  ) => {
    const own = {
      kind,
      id: NO_ID,
      name: 'proposed',
      allow,
      active: true,
      mode: 'ENFORCED' as const,
    }
    if (checked.ok) value.push({ ...own, entries: checked.value })
    else faults.push(...under(`${member}.`, checked.errors))
  }
  const { allowed_countries, allowed_mccs, allowed_merchants } = body
  if (allowed_countries) {
    const { allow = true, country_codes } = allowed_countries
    add('allowed_countries', 'countries', allow, checkCountries(country_codes))
  }
  if (allowed_mccs) {
    const { allow = true, mccs } = allowed_mccs
    add('allowed_mccs', 'mccs', allow, checkMccs(mccs))
  }
  if (allowed_merchants) {
    const { merchants } = allowed_merchants
    add('allowed_merchants', 'merchants', true, checkMerchants(merchants))
  }
  return { value, faults }
}

const NO_ID = '00000000-0000-0000-0000-000000000000'

/** The limits of one kind; each has its member and place as id. */
export function proposedLimits(body: NewBacktest, kind: LimitTerms['kind']): Checked<LimitTerms[]> {
  const member = kind === 'BALANCE' ? 'balance_limits' : 'velocity_limits'
  const faults: Fault[] = []
  const value = (body[member] ?? []).flatMap((input, at) => {
    const id = `${member}.${at}`
    const checked = newLimit(kind, input)
    if (!checked.ok) faults.push(...under(`${id}.`, checked.errors))
    if (!checked.ok) return []
    const { description: _none, ...terms } = checked.value
    return [{ ...terms, id, short_id: BigInt(at), version: 0n }]
  })
  return { value, faults }
}

/** The faults of bounds, in minor units of the product's currency. */
export function faultsOfSettings(
  { auth_settings }: NewBacktest,
  product: { currency: string } | undefined,
): Fault[] {
  if (!auth_settings || !product) return []
  const { currency } = product
  const at = { from: currency, to: currency, prefix: 'auth_settings.' }
  return mergeAuthSettings({}, auth_settings, at).faults
}

const under = (prefix: string, faults: readonly Fault[] | undefined): Fault[] =>
  (faults ?? []).map(({ path, message }) => ({ path: `${prefix}${path}`, message }))
