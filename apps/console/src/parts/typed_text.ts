/** Entered texts, as the API reads them. */

const ZEROS = [0x660, 0x6f0]
const DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g

/** Digits of an Arabic or Persian keyboard as those of ASCII. */
export const plainDigits = (text: string): string =>
  text.replace(DIGITS, (digit) => {
    const point = digit.charCodeAt(0)
    return String(point - (ZEROS.findLast((zero) => zero <= point) ?? point))
  })

/** A code without the blanks in which an app shows it: `123 456`. */
export const codeOf = (text: string): string => plainDigits(text).replace(/[\s\u200e\u200f]/g, '')

/** `1,000`, `12,345,678.5`: commas that part thousands, and no others. */
const GROUPED = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?$/
/** `AED 1,000.50`, with the currency before or behind it. */
const withoutCurrency = (text: string, currency: string): string => {
  const [start, end] = [text.slice(0, currency.length), text.slice(-currency.length)]
  if (start.toUpperCase() === currency) return text.slice(currency.length).trim()
  return end.toUpperCase() === currency ? text.slice(0, -currency.length).trim() : text
}

/**
 * An amount as the console itself writes it, or as an Arabic keyboard does: `AED 1,000.50` and
 * `١٬٠٠٠٫٥٠` are `1000.50`. Another currency stays, and a text that can be read in two ways: the
 * API refuses both.
 */
export function amountOf(text: string, currency = ''): string {
  const plain = plainDigits(text)
    .replace(/[\u200e\u200f\u2066-\u2069\u061c]/g, '')
    .replaceAll('\u2212', '-')
    .replaceAll('\u066b', '.')
    .replaceAll('\u066c', ',')
    .trim()
  const number = currency === '' ? plain : withoutCurrency(plain, currency.trim().toUpperCase())
  return GROUPED.test(number) ? number.replaceAll(',', '') : number
}
