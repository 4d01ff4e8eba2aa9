/** Countries, MCCs and merchants that product and card allow (D-34). */

import { type ListRule, verdictOf } from '#issuing/lists/rules.ts'
import type { Evidence, ListsInForce } from './evidence.ts'
import { declined, type Finding, passed } from './findings.ts'

/** Of most cards. */
export const NO_LISTS: ListsInForce = { product: {}, card: {} }

const NONE = passed('no list')
const ALLOWED = passed('allowed')

/** A name that a client chose, and the id under which it is found. */
const listOf = (level: string, { name, id }: ListRule) => `${level} list ${name} (${id})`

/** The list of the product first, then that of the card: both must let the value pass. */
function both(
  kind: 'countries' | 'mccs',
  codes: { product: string; card: string },
  { card }: Evidence,
  value: string | undefined,
): Finding {
  const lists = card?.lists ?? NO_LISTS
  if (!lists.product[kind] && !lists.card[kind]) return NONE
  for (const level of ['product', 'card'] as const) {
    const list = lists[level][kind]
    if (list && verdictOf(list, value) === 'blocked') {
      return declined(codes[level], `${value ?? 'not given'}, ${listOf(level, list)}`)
    }
  }
  return ALLOWED
}

export const countries = {
  name: 'countries',
  codes: ['1860', '1880'],
  credits: 'none',
  look: (evidence: Evidence): Finding =>
    both(
      'countries',
      { product: '1860', card: '1880' },
      evidence,
      evidence.request.merchant.country,
    ),
} as const

export const mccs = {
  name: 'MCCs',
  codes: ['1859', '1879'],
  credits: 'none',
  look: (evidence: Evidence): Finding =>
    both('mccs', { product: '1859', card: '1879' }, evidence, evidence.request.merchant.mcc),
} as const

/** The list of the card first: where it names the merchant, that of the product is not used. */
export const merchants = {
  name: 'merchants',
  codes: ['1019'],
  credits: 'none',
  look: ({ request, card }: Evidence): Finding => {
    const lists = card?.lists ?? NO_LISTS
    if (!lists.product.merchants && !lists.card.merchants) return NONE
    const { id } = request.merchant
    for (const level of ['card', 'product'] as const) {
      const list = lists[level].merchants
      const verdict = list ? verdictOf(list, id) : 'open'
      if (list && verdict === 'blocked') {
        return declined('1019', `${id ?? 'not given'}, ${listOf(level, list)}`)
      }
      if (verdict === 'allowed') return ALLOWED
    }
    return ALLOWED
  },
} as const
