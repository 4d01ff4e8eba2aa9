/** What a customer types into the payment page. */

import { isLuhn } from '#lib/luhn.ts'
import { fail, ok, type Result } from '#lib/result.ts'
import { monthOf } from '#lib/time.ts'

export type CardField = 'card_number' | 'expiry' | 'cvv2'
export type CardForm = Record<CardField, string>
/** `expiry` is YYMM, as the wire has it. */
export type TypedCard = { pan: string; expiry: string; cvv2: string }

/** Arabic-Indic and Persian digits count as digits; spaces and dashes between them do not. */
export function digitsOf(text: string): string {
  return text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replace(/[\s\p{Pd}\p{Cf}]/gu, '')
}

/** The card, or the fields at fault. Only the issuer knows whether the card is valid. */
export function readCard(form: CardForm, now: Date): Result<TypedCard, 'card_invalid'> {
  const pan = digitsOf(form.card_number)
  const expiry = readExpiry(form.expiry, now)
  const cvv2 = digitsOf(form.cvv2)
  const faults: [CardField, boolean][] = [
    ['card_number', !isLuhn(pan)],
    ['expiry', expiry === undefined],
    ['cvv2', !/^\d{3,4}$/.test(cvv2)],
  ]
  const errors = faults.flatMap(([path, wrong]) =>
    wrong ? [{ path, message: 'is not valid' }] : [],
  )
  if (expiry === undefined || errors.length > 0) return fail('card_invalid', { errors })
  return ok({ pan, expiry, cvv2 })
}

/** MM/YY, MMYY or MM/YYYY, with any spaces, that is not past, in the current century. */
function readExpiry(text: string, now: Date): string | undefined {
  const [, month, year] = /^(0?[1-9]|1[0-2])\/{0,2}(?:20)?(\d\d)$/.exec(digitsOf(text)) ?? []
  if (month === undefined || year === undefined) return undefined
  const padded = month.padStart(2, '0')
  const century = now.toISOString().slice(0, 2)
  return `${century}${year}-${padded}` < monthOf(now) ? undefined : `${year}${padded}`
}
