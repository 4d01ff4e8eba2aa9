/** Amounts in words. */

import { exponentOf, isCurrency } from '#lib/currency.ts'

/** `1,234.50 AED`; the amount is in major units. */
export function moneyOf(amount: number | undefined, currency: string | undefined): string {
  if (amount === undefined) return ''
  const digits = currency !== undefined && isCurrency(currency) ? exponentOf(currency) : 2
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return `${amount.toLocaleString('en', format)}${currency ? ` ${currency}` : ''}`
}
