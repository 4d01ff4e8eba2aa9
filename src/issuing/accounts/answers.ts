/** Money at the edge of this slice: what was asked becomes minor units, rows become answers. */

import { invalid } from '#kit/problems.ts'
import { isCurrency } from '#lib/currency.ts'
import { formatAmount, parseAmount } from '#lib/money.ts'
import type { AccountRow } from './store.ts'

export type Money = { currency: string; amount: bigint }

/** Reads an amount above zero; refuses with a fault of `currency` or of `amount` (D-6). */
export function readMoney(given: { currency: string; amount: number | string }): Money {
  const { currency, amount } = given
  if (!isCurrency(currency)) throw invalid('currency', 'is not a currency of ISO 4217')
  const parsed = parseAmount(amount, currency)
  if (!parsed.ok) throw invalid('amount', parsed.message)
  if (parsed.minor === 0n) throw invalid('amount', 'must be above zero')
  return { currency, amount: parsed.minor }
}

/** D-35: the ledger balance is what was posted, available is posted less held. */
export function accountAnswer(row: AccountRow) {
  const { created_text: _, held, ...account } = row
  // Card accounts keep their balance: constraint accounts_kept_or_summed.
  const balance = row.balance ?? 0n
  return {
    ...account,
    balance: formatAmount(balance, row.currency),
    available_balance: formatAmount(balance - held, row.currency),
    held_amount: formatAmount(held, row.currency),
  }
}
export type AccountAnswer = ReturnType<typeof accountAnswer>
