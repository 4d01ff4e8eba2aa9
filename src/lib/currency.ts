/** ISO 4217: alpha code, numeric code and exponent (decimals of the minor unit). */

import { data } from 'currency-codes'

export type Currency = { code: string; numeric: string; exponent: number }

/**
 * The differences from the list of the package (2024-06-25): the Caribbean guilder replaced the
 * Antillean one in March 2025, and Bulgaria took the euro in January 2026.
 */
const ADDED: Currency[] = [{ code: 'XCG', numeric: '532', exponent: 2 }]
const WITHDRAWN = ['ANG', 'BGN']

/**
 * Codes whose exponent is "N.A." in ISO 4217: metals, units of account, testing, "no currency".
 * They have no minor unit, so no account can have an amount of them.
 */
const WITHOUT_MINOR_UNIT = [
  ...['XAG', 'XAU', 'XPD', 'XPT', 'XBA', 'XBB', 'XBC', 'XBD'],
  ...['XDR', 'XSU', 'XUA', 'XTS', 'XXX'],
]

const dropped = new Set([...WITHDRAWN, ...WITHOUT_MINOR_UNIT])

const currencies: Currency[] = data
  .filter(({ code }) => !dropped.has(code))
  .map(({ code, number, digits }) => ({ code, numeric: number, exponent: digits }))
  .concat(ADDED)

const byCode = new Map(currencies.map((currency) => [currency.code, currency]))
const byNumeric = new Map(currencies.map((currency) => [currency.numeric, currency]))
const numbers = new Set([
  ...byNumeric.keys(),
  ...data.filter(({ code }) => WITHOUT_MINOR_UNIT.includes(code)).map(({ number }) => number),
])

/** Every currency in which money can be held, by alpha code, in alphabetical order. */
export const currencyCodes: readonly string[] = [...byCode.keys()].sort()

/** True for an upper-case alpha code such as AED in which money can be held. */
export function isCurrency(code: string): boolean {
  return byCode.has(code)
}

/** Decimals of the minor unit: JPY 0, AED 2, KWD 3. Throws if `isCurrency` is false. */
export function exponentOf(code: string): number {
  return currencyOf(code).exponent
}

/** AED → 784, with its leading zeros. Throws if `isCurrency` is false. */
export function numericOf(code: string): string {
  return currencyOf(code).numeric
}

/** 784 → AED; undefined when no currency has this three-digit code. */
export function currencyOfNumeric(numeric: string): string | undefined {
  return byNumeric.get(numeric)?.code
}

/**
 * True for three digits that ISO 4217 has, those of metals, units of account and "no currency"
 * among them.
 */
export function isCurrencyNumber(numeric: string): boolean {
  return numbers.has(numeric)
}

function currencyOf(code: string): Currency {
  const currency = byCode.get(code)
  if (currency === undefined) throw new TypeError(`not a currency: ${JSON.stringify(code)}`)
  return currency
}
