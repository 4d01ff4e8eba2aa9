/** The name of a merchant in messages of card networks. */

import { hasLatin, toLatin } from '#lib/letters/latin.ts'

/** Characters of the name in DE43. */
export const DE43_NAME = 25

/**
 * The name of a merchant in DE43 (D-985); empty where its name has no Latin letter and no digit: a
 * cardholder would not know the shop by what its letters are written out to.
 */
export function networkName(of: { descriptor: string | null; display_name: string }): string {
  const { descriptor, display_name } = of
  if (descriptor === null && !hasLatin(display_name)) return ''
  const name = (descriptor ?? toLatin(display_name)).slice(0, DE43_NAME).trim()
  return /[A-Za-z0-9]/.test(name) ? name : ''
}
