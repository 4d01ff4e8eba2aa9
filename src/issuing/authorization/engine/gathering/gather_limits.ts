/** The limits of a batch, the counts against them, and the accounts that they sum. */

import type { Account } from '#issuing/ledger/schema.ts'
import { listAccountCounters, listUserCounters, lockUserCounters } from '#issuing/limits/limits.ts'
import {
  type CardLimits,
  type HolderCounters,
  type LimitTerms,
  type LinkedTerms,
  ofCurrency,
  restOnUser,
  velocityRules,
} from '#issuing/limits/rules.ts'
import type { OpenTransaction } from '../../decide/rows.ts'
import { chainsCounted } from '../../decide/state/counters.ts'
import { countersOfCards, type GatheredCard, listAccountsOfUsers } from '../store/cards.ts'
import type { Products, ProductTerms } from '../store/products.ts'
import type { Reading } from './reading.ts'

export type GatheredLimits = {
  /** The limits that the batch rests on. */
  limit_terms: readonly LimitTerms[]
  limits: ReadonlyMap<string, CardLimits>
  counters: readonly HolderCounters[]
  /** The other accounts of users whose sum is limited. */
  siblings: readonly Account[]
}

type Read = {
  /** The accounts of the batch; under locks not those that another session has locked. */
  accounts: readonly Account[]
  originals: readonly OpenTransaction[]
}

const NOTHING: GatheredLimits = {
  limit_terms: [],
  counters: [],
  siblings: [],
  limits: new Map(),
}

/**
 * No statement if nothing is linked and no transaction was counted, or all counters were read with
 * the cards.
 */
export async function gatherLimits(
  reading: Reading,
  products: Products,
  cards: readonly GatheredCard[],
  terms: ReadonlyMap<string, ProductTerms>,
  { accounts, originals }: Read,
): Promise<GatheredLimits> {
  const { ctx } = reading
  const linked = cards.flatMap((card) => linkedTo(card, terms) ?? [])
  const holders = new Set(
    originals.flatMap(({ row }) => (row.counted ?? []).map(([holder_id]) => holder_id)),
  )
  products.noteLimits(ctx, linked.length > 0)
  if (linked.length === 0 && holders.size === 0) return NOTHING
  // Most cards have the links of their product and no others.
  const links = new Map(linked.map((one) => [one.name, one.links]))
  const ids = new Set([...links.values()].flatMap((one) => Object.values(one).flat()))
  const known = await products.findLimits(ctx, [...ids])
  const linkedTerms = new Map([...links].map(([name, one]) => [name, termsOf(one, known)]))
  const limits = new Map<string, CardLimits>()
  for (const one of linked) {
    const of = limitsOf(one, linkedTerms.get(one.name) ?? NO_TERMS)
    limits.set(one.card.card_id, of)
    for (const { holder_id } of of.velocity) holders.add(holder_id)
  }
  const users = summedUsers(linked, limits)
  for (const user_id of users) holders.add(user_id)
  // The counters come first: their locked rows are read before the accounts that they guard.
  const [counters, siblings] = await Promise.all([
    gatherCounters(reading, cards, { accounts, originals }, [...holders]),
    listAccountsOfUsers(ctx, users),
  ])
  return { limit_terms: [...known.values()], limits, counters, siblings }
}

/**
 * The counters of an account may be read later than the account: on another version than the
 * account was read with, nothing is written. Accounts outside the batch have no counters here.
 */
async function gatherCounters(
  reading: Reading,
  cards: readonly GatheredCard[],
  { accounts, originals }: Read,
  holder_ids: readonly string[],
): Promise<HolderCounters[]> {
  const { ctx } = reading
  const known = countersOfCards(cards)
  const chains = chainsOf(cards, originals)
  const ofBatch = new Set(accounts.map(({ id }) => id))
  const ofAll = new Set([
    ...cards.map(({ columns }) => columns.account_id),
    ...originals.map(({ row }) => row.account_id),
  ])
  const account_ids = holder_ids.filter((id) => ofBatch.has(id))
  const user_ids = holder_ids.filter((id) => !ofAll.has(id))
  const [ofAccounts, ofUsers] = await Promise.all([
    withKnown(withAll(known.accounts, chains), account_ids, (others) =>
      listAccountCounters(ctx, new Map(others.map((id) => [id, chains.get(id) ?? []]))),
    ),
    reading.locking
      ? lockUserCounters(reading.ctx, user_ids)
      : withKnown(known.users, user_ids, (others) => listUserCounters(ctx, others)),
  ])
  return [...ofAccounts, ...ofUsers]
}

/** The chains of cards at which a message counts or gives back, by account. */
function chainsOf(
  cards: readonly GatheredCard[],
  originals: readonly OpenTransaction[],
): Map<string, Set<string>> {
  const chains = chainsCounted(originals)
  for (const { columns } of cards) {
    const { account_id, chain_id } = columns
    if (account_id === null) continue
    const of = chains.get(account_id) ?? new Set()
    chains.set(account_id, of.add(chain_id))
  }
  return chains
}

/** The counters with which all these chains of their cards were read. */
const withAll = (
  known: ReadonlyMap<string, HolderCounters>,
  chains: ReadonlyMap<string, ReadonlySet<string>>,
) =>
  new Map(
    [...known].filter(([id, { chains: read }]) =>
      [...(chains.get(id) ?? [])].every((chain) => read?.has(chain)),
    ),
  )

async function withKnown(
  known: ReadonlyMap<string, HolderCounters>,
  ids: readonly string[],
  list: (others: string[]) => Promise<HolderCounters[]>,
): Promise<HolderCounters[]> {
  const others = await list(ids.filter((id) => !known.has(id)))
  return [...ids.flatMap((id) => known.get(id) ?? []), ...others]
}

type Links = Record<'product' | 'card' | 'account' | 'user', readonly string[]>
type Linked = {
  card: GatheredCard['columns']
  currency: string
  links: Links
  /** The same for cards with the same links. */
  name: string
}

function linkedTo(
  { columns: card }: GatheredCard,
  terms: ReadonlyMap<string, ProductTerms>,
): Linked | undefined {
  const { account_id, account_currency: currency, card_product_id } = card
  if (account_id === null || currency === null) return undefined
  const product = terms.get(card_product_id)?.limit_ids ?? []
  const { card_limit_ids, account_limit_ids, user_limit_ids } = card
  const own = [card_limit_ids, account_limit_ids ?? [], user_limit_ids ?? []] as const
  if (product.length === 0 && own.every(({ length }) => length === 0)) return undefined
  const links = { product, card: own[0], account: own[1], user: own[2] }
  return { card, currency, links, name: `${card_product_id}|${own.join('|')}` }
}

type Terms = { velocity: LinkedTerms; balance: readonly LimitTerms[] }
const NO_TERMS: Terms = { velocity: { chain: [], account: [], user: [] }, balance: [] }

function termsOf({ product, card, account, user }: Links, known: ReadonlyMap<string, LimitTerms>) {
  const of = (ids: readonly string[], kind: LimitTerms['kind']) =>
    ids.flatMap((id) => known.get(id) ?? []).filter((limit) => limit.kind === kind)
  const velocity = {
    chain: of([...product, ...card], 'VELOCITY'),
    account: of(account, 'VELOCITY'),
    user: of(user, 'VELOCITY'),
  }
  return { velocity, balance: of([...new Set([...product, ...account, ...user])], 'BALANCE') }
}

function limitsOf({ card, currency }: Linked, { velocity, balance }: Terms): CardLimits {
  const { user_id, chain_id, account_id } = card
  const holder = { account_id: account_id ?? '', user_id, chain_id, currency }
  return { velocity: velocityRules(velocity, holder), balance: ofCurrency(balance, currency) }
}

/** The users with the sum of whose accounts a limit is compared. */
function summedUsers(linked: readonly Linked[], limits: ReadonlyMap<string, CardLimits>): string[] {
  const users = linked.flatMap(({ card: { card_id, user_id } }) =>
    user_id !== null && restOnUser(limits.get(card_id)?.balance ?? []) ? [user_id] : [],
  )
  return [...new Set(users)]
}
