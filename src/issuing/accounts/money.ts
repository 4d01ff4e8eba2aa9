/** Amounts of requests as minor units. */

import { invalid } from '#kit/http/answers/problems.ts'
import { isCurrency } from '#lib/currency.ts'
import { parseAmount } from '#lib/money.ts'

export type Money = { currency: string; amount: bigint }

/** Reads an amount above zero; fails with a fault of `currency` or of `amount` (D-6). */
export function readMoney(input: { currency: string; amount: number | string }): Money {
  const { currency, amount } = input
  if (!isCurrency(currency)) throw invalid('currency', 'is not a currency of ISO 4217')
  const parsed = parseAmount(amount, currency)
  if (!parsed.ok) throw invalid('amount', parsed.message)
  if (parsed.minor === 0n) throw invalid('amount', 'must be above zero')
  return { currency, amount: parsed.minor }
}
