/** Telephone numbers of the whole world, checked against each country's own plan (D-17). */

import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

/**
 * Reads an international number, `+971 50 123 4567` or `00971…`, into E.164 (`+971501234567`).
 * Undefined for what no country's plan gives out, a number without its country, or an extension.
 */
export function toE164(text: string): string | undefined {
  const international = text.trim().replace(/^00/, '+')
  const parsed = parsePhoneNumberFromString(international, { extract: false })
  return parsed?.isValid() && parsed.ext === undefined ? parsed.number : undefined
}
