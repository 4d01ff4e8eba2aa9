/** Which PINs a product accepts (D-37). */

import type { PinSettings } from '#issuing/products/schema.ts'
import { fail, ok, type Result } from '#lib/result.ts'
import type { Secret } from '#lib/secret.ts'
import { isPin } from '#pin/shapes.ts'
import { isWeakPin } from '#pin/weak.ts'
import type { PinErrorCode } from './errors.ts'

export const TOO_EASY = 'The PIN is too easy to guess.'

/** Whether the product accepts this PIN: its number of digits, and not a weak PIN. */
export function checkPin(
  pin: Secret,
  { length, refuse_weak }: Pick<PinSettings, 'length' | 'refuse_weak'>,
): Result<true, PinErrorCode> {
  if (!isPin(pin) || pin.reveal().length !== length) {
    return fail('pin_refused', { detail: `A PIN of this card has ${length} digits.` })
  }
  return refuse_weak && isWeakPin(pin) ? fail('pin_refused', { detail: TOO_EASY }) : ok(true)
}
