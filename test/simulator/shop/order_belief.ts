/** The shop's belief about one order, by own arithmetic in minor units. */

import type { Known } from './clerk.ts'

type Tried = { amount: bigint; known: Known }

/**
 * Fees of a merchant: per cent of a capture, the amount added to it, and the amount of a refund;
 * minor units.
 */
export const FEES = { percent: 2n, fixed: 100n, refund: 50n }

/** The amounts of what has taken effect, of several that were tried. */
export class Operations {
  readonly #tried: Tried[] = []

  add(amount: bigint, known: Known): void {
    if (known !== 'failed') this.#tried.push({ amount, known })
  }

  /** The amounts that make up the sum of the order; undefined if none do. */
  thatMake(sum: bigint): bigint[] | undefined {
    const sure = this.#tried.filter(({ known }) => known === 'succeeded')
    const unsure = this.#tried.filter(({ known }) => known === 'unknown')
    for (let chosen = 0; chosen < 2 ** unsure.length; chosen += 1) {
      const all = [...sure, ...unsure.filter((_, at) => (chosen >> at) % 2 === 1)]
      const amounts = all.map(({ amount }) => amount)
      if (total(amounts) === sum) return amounts
    }
    return undefined
  }
}

export const total = (amounts: readonly bigint[]): bigint =>
  amounts.reduce((sum, amount) => sum + amount, 0n)

/** Half-even. */
export function feeOfCapture(amount: bigint): bigint {
  const [whole, rest] = [(amount * FEES.percent) / 100n, (amount * FEES.percent) % 100n]
  const isUp = rest > 50n || (rest === 50n && whole % 2n === 1n)
  return whole + (isUp ? 1n : 0n) + FEES.fixed
}
