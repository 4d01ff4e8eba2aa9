/**
 * Verification values, which are stored in place of PINs (D-37, D-1015). Their form says how the
 * PIN is verified, so that a card keeps its PIN where its product takes up another way.
 */

import type { Secret } from '#lib/secret.ts'

/** `LONG` is the way of this program for PINs of more than four digits by PVVs. */
export type KeptForm = 'PVV' | 'OFFSET' | 'LONG'

/** As commands of a module have an offset: its digits, then F. */
export const OFFSET_LENGTH = 12

export function formOfKept(kept: Secret): KeptForm {
  const text = kept.reveal()
  if (/^[0-9]{4}$/.test(text)) return 'PVV'
  return text.length === OFFSET_LENGTH && /^[0-9]{4,12}F*$/.test(text) ? 'OFFSET' : 'LONG'
}

/** An offset of 4 to 12 digits as it is stored. */
export const keptOffset = (digits: Secret): Secret =>
  digits.map((text) => text.padEnd(OFFSET_LENGTH, 'F'))

/** The digits of a stored offset. */
export const offsetDigits = (kept: Secret): Secret => kept.map((text) => text.split('F', 1).join())
