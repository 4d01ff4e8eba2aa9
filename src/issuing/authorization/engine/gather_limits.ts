/** The limits of a batch, what has counted against them, and the accounts that they sum. */

import type { Account } from '#issuing/ledger/schema.ts'
import { listCounters, lockCounters } from '#issuing/limits/limits.ts'
import {
  type CardLimits,
  type HolderCounters,
  type LimitTerms,
  ofCurrency,
  restOnUser,
  velocityRules,
} from '#issuing/limits/rules.ts'
import type { OpenTransaction } from '../decide/evidence.ts'
import type { Reading } from './reading.ts'
import { countersOfCards, type GatheredCard, listAccountsOfUsers } from './store/cards.ts'
import type { Products, ProductTerms } from './store/products.ts'

export type GatheredLimits = {
  /** Those that the batch rests on. */
  limit_terms: readonly LimitTerms[]
  limits: ReadonlyMap<string, CardLimits>
  counters: readonly HolderCounters[]
  /** The other accounts of users whose sum is limited. */
  siblings: readonly Account[]
}

const NOTHING: GatheredLimits = {
  ...{ limit_terms: [], counters: [], siblings: [] },
  limits: new Map(),
}

/**
 * No statement where nothing is linked and no transaction was counted, or all counters were read
 * with the cards.
 */
export async function gatherLimits(
  reading: Reading,
  products: Products,
  cards: readonly GatheredCard[],
  terms: ReadonlyMap<string, ProductTerms>,
  originals: readonly OpenTransaction[],
): Promise<GatheredLimits> {
  const { ctx } = reading
  const linked = cards.flatMap((card) => linkedTo(card, terms) ?? [])
  const counted = originals.flatMap(({ row }) =>
    (row.counted ?? []).map(([holder_id]) => holder_id),
  )
  products.noteLimits(ctx, linked.length > 0)
  if (linked.length === 0 && counted.length === 0) return NOTHING
  const ids = new Set(linked.flatMap(({ links }) => Object.values(links).flat()))
  const known = await products.findLimits(ctx, [...ids])
  const limits = new Map(linked.map((one) => [one.card.card_id, limitsOf(one, known)]))
  const users = summedUsers(linked, limits)
  const rules = [...limits.values()].flatMap(({ velocity }) => velocity)
  const holders = new Set([...counted, ...users, ...rules.map(({ holder_id }) => holder_id)])
  // The counters first: what is locked of them is read before the accounts that they guard.
  const [counters, siblings] = await Promise.all([
    gatherCounters(reading, cards, [...holders]),
    listAccountsOfUsers(ctx, users),
  ])
  return { limit_terms: [...known.values()], limits, counters, siblings }
}

async function gatherCounters(
  reading: Reading,
  cards: readonly GatheredCard[],
  holder_ids: readonly string[],
): Promise<HolderCounters[]> {
  if (reading.locking) return lockCounters(reading.ctx, holder_ids)
  const known = countersOfCards(cards)
  const others = holder_ids.filter((id) => !known.has(id))
  return [
    ...holder_ids.flatMap((id) => known.get(id) ?? []),
    ...(await listCounters(reading.ctx, others)),
  ]
}

type Linked = {
  card: GatheredCard['columns']
  currency: string
  links: Record<'product' | 'card' | 'account' | 'user', readonly string[]>
}

function linkedTo(
  { columns: card }: GatheredCard,
  terms: ReadonlyMap<string, ProductTerms>,
): Linked | undefined {
  const { account_id, account_currency: currency } = card
  if (account_id === null || currency === null) return undefined
  const links = {
    product: terms.get(card.card_product_id)?.limit_ids ?? [],
    card: card.card_limit_ids,
    account: card.account_limit_ids ?? [],
    user: card.user_limit_ids ?? [],
  }
  return Object.values(links).some(({ length }) => length > 0)
    ? { card, currency, links }
    : undefined
}

function limitsOf(
  { card, currency, links }: Linked,
  known: ReadonlyMap<string, LimitTerms>,
): CardLimits {
  const of = (ids: readonly string[], kind: LimitTerms['kind']) =>
    ids.flatMap((id) => known.get(id) ?? []).filter((limit) => limit.kind === kind)
  const { product, account, user } = links
  const velocity = {
    chain: of([...product, ...links.card], 'VELOCITY'),
    account: of(account, 'VELOCITY'),
    user: of(user, 'VELOCITY'),
  }
  const { user_id, chain_id, account_id } = card
  const holder = { account_id: account_id ?? '', user_id, chain_id, currency }
  const all = new Set([...product, ...account, ...user])
  return {
    velocity: velocityRules(velocity, holder),
    balance: ofCurrency(of([...all], 'BALANCE'), currency),
  }
}

/** The users with the sum of whose accounts a limit is compared. */
function summedUsers(linked: readonly Linked[], limits: ReadonlyMap<string, CardLimits>): string[] {
  const users = linked.flatMap(({ card: { card_id, user_id } }) =>
    user_id !== null && restOnUser(limits.get(card_id)?.balance ?? []) ? [user_id] : [],
  )
  return [...new Set(users)]
}
