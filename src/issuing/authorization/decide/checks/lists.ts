/** Countries, MCCs and merchants that product and card allow (D-34). */

import { type ListRule, verdictOf } from '#issuing/lists/rules.ts'
import type { ShadowFinding } from '#issuing/shadows/rules.ts'
import type { Case } from '../case.ts'
import type { ListsInForce } from '../rows.ts'
import { declined, type Finding, passed, withShadows } from './findings.ts'

/** Most cards have no lists. */
export const NO_LISTS: ListsInForce = { product: {}, card: {} }

const NONE = passed('no list')
const ALLOWED = passed('allowed')

/** A name that a client chose, and the id under which it is found. */
const listOf = (level: string, { name, id }: ListRule) => `${level} list ${name} (${id})`

/** The list of the product first, then that of the card: both must let the value pass. */
function both(
  kind: 'countries' | 'mccs',
  codes: { product: string; card: string },
  { card }: Case,
  value: string | undefined,
): Finding {
  const lists = card?.lists ?? NO_LISTS
  if (!lists.product[kind] && !lists.card[kind]) return NONE
  const shadows: ShadowFinding[] = []
  let blocked: Finding | undefined
  for (const level of ['product', 'card'] as const) {
    const list = lists[level][kind]
    if (!list || verdictOf(list, value) !== 'blocked') continue
    const code = codes[level]
    const detail = `${value ?? 'not given'}, ${listOf(level, list)}`
    if (list.mode === 'SHADOW') shadows.push({ kind, id: list.id, code, detail })
    else blocked ??= declined(code, detail)
  }
  return withShadows(blocked ?? ALLOWED, shadows)
}

export const countries = {
  name: 'countries',
  codes: ['1860', '1880'],
  credits: 'none',
  look: (input: Case): Finding =>
    both('countries', { product: '1860', card: '1880' }, input, input.request.merchant.country),
} as const

export const mccs = {
  name: 'MCCs',
  codes: ['1859', '1879'],
  credits: 'none',
  look: (input: Case): Finding =>
    both('mccs', { product: '1859', card: '1879' }, input, input.request.merchant.mcc),
} as const

/**
 * The list of the card comes first: if it names the merchant, the product's list is not used. A
 * list in SHADOW is examined as if it alone were in force beside the enforced ones.
 */
export const merchants = {
  name: 'merchants',
  codes: ['1019'],
  credits: 'none',
  look: ({ request, card }: Case): Finding => {
    const lists = card?.lists ?? NO_LISTS
    if (!lists.product.merchants && !lists.card.merchants) return NONE
    const { id } = request.merchant
    const code = '1019'
    const shadows: ShadowFinding[] = []
    for (const level of ['card', 'product'] as const) {
      const list = lists[level].merchants
      const verdict = list ? verdictOf(list, id) : 'open'
      const detail = list && `${id ?? 'not given'}, ${listOf(level, list)}`
      if (list?.mode === 'SHADOW') {
        if (detail !== undefined && verdict === 'blocked')
          shadows.push({ kind: 'merchants', id: list.id, code, detail })
        continue
      }
      if (detail !== undefined && verdict === 'blocked')
        return withShadows(declined(code, detail), shadows)
      if (verdict === 'allowed') return withShadows(ALLOWED, shadows)
    }
    return withShadows(ALLOWED, shadows)
  },
} as const
