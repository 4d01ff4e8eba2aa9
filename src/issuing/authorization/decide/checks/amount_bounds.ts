/** The least and the most that product and card allow for one payment (D-33, D-44). */

import type { Case } from '../case.ts'
import { declined, type Finding, passed } from './findings.ts'

/** The bounds in the order in which they are checked. */
const bounds = [
  { level: 'product', name: 'min_amount', code: '1881' },
  { level: 'product', name: 'max_amount', code: '1829' },
  { level: 'card', name: 'min_amount', code: '1882' },
  { level: 'card', name: 'max_amount', code: '1883' },
] as const

export const boundCodes: readonly string[] = bounds.map(({ code }) => code)

/** The codes of an amount that is too low. */
export const lowCodes: readonly string[] = bounds.flatMap(({ name, code }) =>
  name === 'min_amount' ? [code] : [],
)

/**
 * Compares in minor units of the product's currency, into which the request's amount was converted.
 * An increment is measured with the amount requested before: many small amounts are one large one.
 */
export function amountBounds({ kind, card, billing = 0n, raises = 0n }: Case): Finding {
  if (!card || kind.direction !== 'debit') return passed('not asked')
  const amount = raises + billing
  for (const { level, name, code } of bounds) {
    const set = card.settings[level].auth_settings[name]
    if (set === undefined) continue
    const bound = BigInt(set)
    const isBeyond = name === 'min_amount' ? amount < bound : amount > bound
    if (isBeyond) return declined(code, `${amount}, ${level} ${name} ${bound}`)
  }
  return passed(String(amount))
}
