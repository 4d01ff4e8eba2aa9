/** Which PINs a product takes, and how an encrypted one is read (D-37). */

import type { PinSettings } from '#issuing/products/schema.ts'
import type { KeySet } from '#issuing/vault/schema.ts'
import { allow, type Ruling, refuse } from '#lib/ruling.ts'
import type { Secret } from '#lib/secret.ts'
import { decodeFormat0 } from '#pin/format0.ts'
import { decodeFormat4 } from '#pin/format4.ts'
import { isPin } from '#pin/shapes.ts'
import { isWeakPin } from '#pin/weak.ts'
import type { PinRefusal } from './refusals.ts'

const HEX_OF_FORMAT_0 = 16

/** Whether the product takes this PIN: as many digits as it asks for, and not an easy guess. */
export function ruleOnPin(
  pin: Secret,
  { length, refuse_weak }: Pick<PinSettings, 'length' | 'refuse_weak'>,
): Ruling<true, PinRefusal> {
  if (!hasLength(pin, length)) {
    return refuse('pin_refused', { detail: `A PIN of this card has ${length} digits.` })
  }
  if (refuse_weak && isWeakPin(pin)) {
    return refuse('pin_refused', { detail: 'The PIN is too easy to guess.' })
  }
  return allow(true)
}

/** True for so many digits and nothing else. */
export const hasLength = (pin: Secret, length: number): boolean =>
  isPin(pin) && pin.reveal().length === length

/**
 * The PIN of an encrypted block in hex: 32 digits are format 4 under the AES zone key, 16 format 0
 * under the TDES zone key. Undefined, whatever is wrong with it.
 */
export function pinOfBlock(block: Secret, pan: Secret, keys: KeySet): Secret | undefined {
  const hex = block.reveal()
  const bytes = Buffer.from(hex, 'hex')
  return hex.length === HEX_OF_FORMAT_0
    ? decodeFormat0(bytes, pan, keys.zpk)
    : decodeFormat4(bytes, pan, keys.zpk_aes)
}
