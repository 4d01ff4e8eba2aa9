/** Rules of the cards that a shop keeps for its customers (D-770, D-771). */

import { isCleanText } from '#lib/text.ts'

/** Kept cards of one customer; the payment page offers to keep no further one. */
export const KEPT_MAX = 10

export const CUSTOMER_MAX = 100

/** The version of the sentence by which a customer lets a shop keep a card: `texts.kept.consent`. */
const CONSENT_VERSION = 1

/** Names the sentence that a customer agreed to: `en-1`. */
export const consentOf = (language: string): string => `${language}-${CONSENT_VERSION}`

/**
 * The shop's own name of a customer, or undefined if a checkout has none that can be used. A number
 * counts only if it has kept every digit: else two customers could have one name.
 */
export function customerOf(reference: unknown): string | undefined {
  if (typeof reference === 'number') {
    return Number.isSafeInteger(reference) ? String(reference) : undefined
  }
  if (typeof reference !== 'string') return undefined
  const name = reference.trim()
  return name !== '' && name.length <= CUSTOMER_MAX && isCleanText(name) ? name : undefined
}

/**
 * The brands by the first digits of a number (ISO/IEC 7812); the script of the payment page gets
 * the list.
 */
export const brands: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Visa', /^4/],
  ['Mastercard', /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/],
  ['Amex', /^3[47]/],
  ['UnionPay', /^62/],
  ['JCB', /^35(2[89]|[3-8])/],
  ['Diners', /^3(0[0-5]|095|[689])/],
  ['Discover', /^(6011|64[4-9]|65)/],
  ['Maestro', /^(5018|5020|5038|5893|6304|6759|676[1-3])/],
]

/** Null for a number of no known brand. */
export const brandOf = (pan: string): string | null =>
  brands.find(([, pattern]) => pattern.test(pan))?.[0] ?? null

/** A card can be used until the end of the month of its expiry date, YYMM. */
export const isExpired = (expiry: string, now: Date): boolean => expiry < yearAndMonth(now)

/** YYMM in UTC. */
const yearAndMonth = (now: Date): string => now.toISOString().slice(2, 7).replace('-', '')
