/** The controls that a backtest proposes, as the rules use them (D-482). Pure. */

import type { Lists } from '#issuing/authorization/rules.ts'
import { type LimitTerms, type VelocityRule, velocityRules } from '#issuing/limits/rules.ts'
import { type ListRule, ruleOf, type StoredList } from '#issuing/lists/rules.ts'
import type { ListKind } from '#issuing/lists/schema.ts'
import type { AuthSettingsInput } from '#issuing/products/schema.ts'
import type { TenantSettings } from '#issuing/tenants/schema.ts'
import { withinCalendar } from '#lib/time.ts'
import { type Period, windowOf } from '#lib/window.ts'

export type Owner = 'cardproducts' | 'cards' | 'accounts' | 'users'

export type Plan = {
  from: Date
  to: Date
  counts_from: Date
  /** The tenant's, as they were when the backtest was made. */
  settings: TenantSettings
  /** Without an owner as if linked to every card product. */
  owner: Owner | null
  auth_settings: AuthSettingsInput | null
  /** null if the proposal names no list. */
  lists: { [Kind in ListKind]?: ListRule | null }
  balance: readonly LimitTerms[]
  velocity: readonly LimitTerms[]
}

/** As stored: instants and amounts as text, lists with their entries. */
export type StoredPlan = Omit<
  Plan,
  'from' | 'to' | 'counts_from' | 'lists' | 'balance' | 'velocity'
> & {
  lists: { [Kind in ListKind]?: Omit<StoredList, 'version'> | null }
  balance: readonly StoredTerms[]
  velocity: readonly StoredTerms[]
}
type StoredTerms = Omit<LimitTerms, 'short_id' | 'min_amount' | 'max_amount' | 'version'> & {
  short_id: string
  min_amount: string | null
  max_amount: string | null
}

export const storedTerms = ({ min_amount, max_amount, ...terms }: LimitTerms): StoredTerms => {
  const { version: _read, short_id, ...rest } = terms
  const text = (amount: bigint | null) => (amount === null ? null : String(amount))
  return {
    ...rest,
    short_id: String(short_id),
    min_amount: text(min_amount),
    max_amount: text(max_amount),
  }
}

function readTerms({ short_id, min_amount, max_amount, ...terms }: StoredTerms): LimitTerms {
  const minor = (text: string | null) => (text === null ? null : BigInt(text))
  const amounts = { min_amount: minor(min_amount), max_amount: minor(max_amount) }
  return { ...terms, ...amounts, short_id: BigInt(short_id), version: 0n }
}

type Times = { starts: Date; ends: Date; counts_from: Date }

export function readPlan(stored: StoredPlan, { starts, ends, counts_from }: Times): Plan {
  const { lists, balance, velocity, ...plain } = stored
  const rules = Object.values(lists).flatMap((list) =>
    list ? [[list.kind, ruleOf({ ...list, version: 0n })] as const] : [],
  )
  const none = Object.entries(lists).flatMap(([kind, list]) => (list ? [] : [[kind, null]]))
  return {
    ...plain,
    from: starts,
    to: ends,
    counts_from,
    lists: Object.fromEntries([...none, ...rules]),
    balance: balance.map(readTerms),
    velocity: velocity.map(readTerms),
  }
}

/** A proposal for a card is at the level of the card, every other at that of the product. */
export const levelOf = ({ owner }: Pick<Plan, 'owner'>): 'product' | 'card' =>
  owner === 'cards' ? 'card' : 'product'

/** The lists of the level with those that are proposed. */
export function withProposed(present: Lists, lists: Plan['lists']): Lists {
  const after: Lists = { ...present }
  for (const kind of ['countries', 'mccs', 'merchants'] as const) {
    const proposed = lists[kind]
    if (proposed === null) delete after[kind]
    if (proposed) after[kind] = proposed
  }
  return after
}

type Holder = { account_id: string; user_id: string | null; chain_id: string; currency: string }

/** The proposed velocity limits, counted as if they were linked to the owner (D-41). */
export function proposedRules({ owner, velocity }: Plan, holder: Holder): VelocityRule[] {
  const at = owner === 'accounts' ? 'account' : owner === 'users' ? 'user' : 'chain'
  return velocityRules({ chain: [], account: [], user: [], [at]: velocity }, holder)
}

/** The checks whose findings the proposal replaces, and those that it adds to (D-482). */
export function checksOf(plan: Plan): { again: ReadonlySet<string>; also: ReadonlySet<string> } {
  const { auth_settings, lists } = plan
  const names = { countries: 'countries', mccs: 'MCCs', merchants: 'merchants' } as const
  const again = [
    ...(auth_settings ? ['switches', 'amount bounds'] : []),
    ...(['countries', 'mccs', 'merchants'] as const).flatMap((kind) =>
      lists[kind] === undefined ? [] : [names[kind]],
    ),
  ]
  const also = [
    ...(plan.velocity.length > 0 ? ['velocity'] : []),
    ...(plan.balance.length > 0 ? ['balance limits'] : []),
  ]
  return { again: new Set(again), also: new Set(also) }
}

/** The beginning of the earliest window that `from` lies in; LIFETIME counts from `from` on. */
export function countsFrom(
  periods: readonly (Period | null)[],
  from: Date,
  time_zone: string,
): Date {
  let first = from
  for (const period of periods) {
    if (period === null || period === 'LIFETIME') continue
    const { start } = windowOf(period, from, time_zone)
    if (start < first) first = start
  }
  return withinCalendar(first)
}
