/** The fields that a customer fills in on the payment page. */

import { isLuhn } from '#lib/luhn.ts'
import { monthOf } from '#lib/time.ts'

export const cardFields = ['card_number', 'expiry', 'cvv2'] as const
export type CardField = (typeof cardFields)[number]
export type CardForm = Record<CardField, string>
/**
 * The fault of a field; only an expiry date can be `past`. Each has a sentence of its own (D-702).
 */
export type CardFault = 'empty' | 'wrong' | 'past'
export type CardFaults = Partial<Record<CardField, CardFault>>
/** `expiry` is YYMM, as the wire has it. */
export type TypedCard = { pan: string; expiry: string; cvv2: string }
export type CardReading = { ok: true; card: TypedCard } | { ok: false; faults: CardFaults }

/** Arabic-Indic and Persian digits count as digits; spaces and dashes between them do not. */
export function digitsOf(text: string): string {
  return text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replace(/[\s\p{Pd}\p{Cf}]/gu, '')
}

/** The card, or the fields at fault. Only the issuer knows whether the card is valid. */
export function readCard(form: CardForm, now: Date): CardReading {
  const pan = digitsOf(form.card_number)
  const expiry = readExpiry(form.expiry, now)
  const cvv2 = digitsOf(form.cvv2)
  const wrong: Record<CardField, CardFault | undefined> = {
    card_number: isLuhn(pan) ? undefined : 'wrong',
    expiry: expiry.fault,
    cvv2: isCode(cvv2) ? undefined : 'wrong',
  }
  const faults: CardFaults = {}
  for (const name of cardFields) {
    const fault = digitsOf(form[name]) === '' ? 'empty' : wrong[name]
    if (fault) faults[name] = fault
  }
  if (Object.keys(faults).length > 0) return { ok: false, faults }
  return { ok: true, card: { pan, expiry: expiry.text, cvv2 } }
}

/** The code of a kept card, or what it lacks. */
export function readCode(
  text: string,
): { ok: true; cvv2: string } | { ok: false; faults: CardFaults } {
  const cvv2 = digitsOf(text)
  if (cvv2 === '') return { ok: false, faults: { cvv2: 'empty' } }
  return isCode(cvv2) ? { ok: true, cvv2 } : { ok: false, faults: { cvv2: 'wrong' } }
}

const isCode = (digits: string): boolean => /^\d{3,4}$/.test(digits)

/** MM/YY, MMYY or MM/YYYY, with any spaces, that is not past, in the current century. */
function readExpiry(text: string, now: Date): { text: string; fault?: CardFault } {
  const [, month, year] = /^(0?[1-9]|1[0-2])\/{0,2}(?:20)?(\d\d)$/.exec(digitsOf(text)) ?? []
  if (month === undefined || year === undefined) return { text: '', fault: 'wrong' }
  const padded = month.padStart(2, '0')
  const century = now.toISOString().slice(0, 2)
  const isPast = `${century}${year}-${padded}` < monthOf(now)
  return { text: `${year}${padded}`, ...(isPast && { fault: 'past' as const }) }
}
