/** ISO 3166-1 in both directions. Answers contain alpha-3 codes (D-17). */

import codes from 'i18n-iso-countries/codes.json' with { type: 'json' }

export type Country = { alpha2: string; alpha3: string; numeric: string }

/**
 * Kosovo has user-assigned codes only. The package writes XKK; the card networks, the European
 * Union and the World Bank write XKX, and so does this program.
 */
const KOSOVO: Country = { alpha2: 'XK', alpha3: 'XKX', numeric: '983' }

const countries: Country[] = codes
  .map(([alpha2 = '', alpha3 = '', numeric = '']) => ({ alpha2, alpha3, numeric }))
  .filter(({ alpha2 }) => alpha2 !== KOSOVO.alpha2)

const byText = new Map<string, Country>()
for (const country of [...countries, KOSOVO]) {
  byText.set(country.alpha2, country)
  byText.set(country.alpha3, country)
  byText.set(country.numeric, country)
}

/** Alpha-2, alpha-3 (any case) or the three-digit number → alpha-3; undefined when unknown. */
export function toAlpha3(text: string): string | undefined {
  return countryOf(text)?.alpha3
}

/** Alpha-2, alpha-3 (any case) or the three-digit number → alpha-2; undefined when unknown. */
export function toAlpha2(text: string): string | undefined {
  return countryOf(text)?.alpha2
}

/**
 * Alpha-2, alpha-3 (any case) or the number → three digits with leading zeros; undefined when
 * unknown.
 */
export function toNumeric(text: string): string | undefined {
  return countryOf(text)?.numeric
}

function countryOf(text: string): Country | undefined {
  // Only plain letters are folded: upper-casing a dotless i would make a letter of it.
  return /^(?:[A-Za-z]{2,3}|[0-9]{3})$/.test(text) ? byText.get(text.toUpperCase()) : undefined
}
