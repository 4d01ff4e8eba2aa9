/** Telephone numbers of the whole world, checked against each country's own plan (D-17). */

import { createRequire } from 'node:module'
import type * as Library from 'libphonenumber-js/max'
import { withoutSurround } from './surround.ts'

/**
 * The plans of all countries take tens of megabytes, so they are loaded with the first number.
 */
let loaded: typeof Library | undefined
function library(): typeof Library {
  loaded ??= createRequire(import.meta.url)('libphonenumber-js/max') as typeof Library
  return loaded
}

/** They have no meaning in a number, wherever in it a page or a phone has put them. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
/** Two zeros, also those of Arabic and Persian, are the plus of many countries. */
const PLUS = /^[0٠۰]{2}/

/**
 * Reads an international number, `+971 50 123 4567` or `00971…`, into E.164 (`+971501234567`).
 * Blanks around it and marks are cut. Undefined for a number that no country's plan contains, a
 * number without its country, or an extension.
 */
export function toE164(text: string): string | undefined {
  const seen = withoutSurround(text.normalize('NFKC').replace(UNSEEN, ''))
  const international = seen.replace(PLUS, '+')
  const parsed = library().parsePhoneNumberFromString(international, { extract: false })
  return parsed?.isValid() && parsed.ext === undefined ? parsed.number : undefined
}
