/** The rules of a rate of exchange (D-51). */

import { isCurrency } from '#lib/currency.ts'
import { isRate } from '#lib/money.ts'
import { type Fault, fail, ok, type Result } from '#lib/result.ts'
import type { RateChange } from './schema.ts'

/** A rate as it is stored: decimal text. */
export type NewRate = { from: string; to: string; rate: string }

/** The rates of a request, or every fault of them. A pair of currencies may occur once. */
export function readRates(changes: readonly RateChange[]): Result<NewRate[], 'validation_failed'> {
  const errors: Fault[] = []
  const seen = new Set<string>()
  for (const [at, { from, to, rate }] of changes.entries()) {
    const no = (name: string, message: string) =>
      errors.push({ path: `rates.${at}.${name}`, message })
    if (!isCurrency(from)) no('from', 'is not an ISO 4217 currency')
    if (!isCurrency(to)) no('to', 'is not an ISO 4217 currency')
    if (from === to) no('to', 'must differ from `from`')
    if (seen.has(`${from}|${to}`)) no('from', 'is sent twice with the same `to`')
    if (!isDecimal(String(rate))) no('rate', DECIMAL)
    seen.add(`${from}|${to}`)
  }
  if (errors.length > 0) return fail('validation_failed', { errors })
  return ok(changes.map(({ from, to, rate }) => ({ from, to, rate: String(rate) })))
}

const DECIMAL = 'must be a positive decimal of up to 12 digits before and 12 after the point'

/** `isRate` also accepts a fraction of two decimals. */
const isDecimal = (rate: string): boolean => !rate.includes('/') && isRate(rate)
