/**
 * Amounts on the payment page. The code comes before the number in each language, and the amount is
 * isolated from the direction of the text around it (D-704).
 */

import { exponentOf, isCurrency } from '#lib/currency.ts'
import { type Html, html } from '#lib/html.ts'
import { formatDecimal, formatTenThousandths } from '#lib/money.ts'

const MINUS = '\u2212'

/** Minor units: `AED 100.50`. */
export function amountView(minor: bigint, currency: string): Html {
  return isolated(amountText(formatDecimal(minor, currency), currency))
}

/** Ten-thousandths, with the decimals that they have. */
export function decimalView(units: bigint, currency: string, { isLess = false } = {}): Html {
  const sign = isLess && units !== 0n ? MINUS : ''
  return isolated(sign + amountText(formatTenThousandths(units), currency))
}

const isolated = (text: string) => html`<bdi dir="ltr" class="amount">${text}</bdi>`

/** A line of the order may name a currency that nobody knows. */
function amountText(decimal: string, currency: string): string {
  const decimals = isCurrency(currency) ? exponentOf(currency) : 2
  const format = new Intl.NumberFormat('en', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: 4,
  })
  // Text keeps all digits, while a number would round the largest amounts.
  return `${currency}\u00a0${format.format(decimal as `${number}`)}`
}
