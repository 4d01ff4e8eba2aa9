/** Which PINs a product takes, and how an encrypted one is read (D-37). */

import type { PinSettings } from '#issuing/products/schema.ts'
import type { KeySet } from '#issuing/vault/schema.ts'
import { allow, type Ruling, refuse } from '#lib/ruling.ts'
import { Secret } from '#lib/secret.ts'
import { decodeFormat0 } from '#pin/format0.ts'
import { decodeFormat4 } from '#pin/format4.ts'
import { isPvv, pvvOf } from '#pin/pvv.ts'
import { isPin } from '#pin/shapes.ts'
import { isWeakPin } from '#pin/weak.ts'
import type { PinRefusal } from './refusals.ts'

export type PinKeys = Pick<KeySet, 'pvk' | 'pvki' | 'zpk' | 'zpk_aes'>

/** Whether the product takes this PIN: as many digits as it asks for, and not an easy guess. */
export function ruleOnPin(
  pin: Secret,
  { length, refuse_weak }: PinSettings,
): Ruling<true, PinRefusal> {
  if (!hasLength(pin, length)) {
    return refuse('pin_refused', { detail: `A PIN of this card has ${length} digits.` })
  }
  if (refuse_weak && isWeakPin(pin)) {
    return refuse('pin_refused', { detail: 'The PIN is too easy to guess.' })
  }
  return allow(true)
}

type NewBlock = {
  block: Secret
  pan: Secret
  keys: PinKeys
  settings: PinSettings
  /** The verification value of the card's present PIN. */
  kept: Secret | undefined
}

/**
 * The PIN that a block would give a card. One refusal for every fault, after the same work, so that
 * no answer tells what was wrong. A block that was used before would set the same PIN again: it is
 * told by that and nothing of a block is remembered.
 */
export function ruleOnBlock(given: NewBlock): Ruling<Secret, PinRefusal> {
  const { block, pan, keys, settings, kept } = given
  const pin = pinOfBlock(block, pan, keys)
  const pvv = pvvOf({ pvk: keys.pvk, pvki: keys.pvki, pan, pin: pin ?? NO_PIN })
  const isKept = kept?.equals(pvv) ?? false
  if (pin && !isKept && hasLength(pin, settings.length)) return allow(pin)
  const detail = 'The PIN block sets no new PIN of this card.'
  const message = 'is not the block of a new PIN of this card'
  return refuse('pin_block_refused', { detail, errors: [{ path: 'enc_pin', message }] })
}

type TriedBlock = {
  block: Secret
  /** The number that the block was made for: the card's, or that of a token of it. */
  over: Secret
  /** The card's own number, which its verification value is over. */
  pan: Secret
  keys: PinKeys
  kept: Secret
}

/** Whether the block holds the PIN that is kept; the same work whatever it holds. */
export function holdsKeptPin({ block, over, pan, keys, kept }: TriedBlock): boolean {
  const pin = pinOfBlock(block, over, keys)
  const { pvk, pvki } = keys
  return isPvv({ pvk, pvki, pan, pin: pin ?? NO_PIN }, kept) && pin !== undefined
}

/** Stands for the PIN of a block that has none, so that looking at it takes as long. */
const NO_PIN = new Secret('0000')

const HEX_OF_FORMAT_0 = 16

/**
 * 32 digits are format 4 under the AES zone key, 16 format 0 under the TDES zone key (D-37, D-103).
 * Undefined, whatever is wrong with the block.
 */
function pinOfBlock(block: Secret, pan: Secret, { zpk, zpk_aes }: PinKeys): Secret | undefined {
  const hex = block.reveal()
  const bytes = Buffer.from(hex, 'hex')
  return hex.length === HEX_OF_FORMAT_0
    ? decodeFormat0(bytes, pan, zpk)
    : decodeFormat4(bytes, pan, zpk_aes)
}

const hasLength = (pin: Secret, length: number): boolean =>
  isPin(pin) && pin.reveal().length === length
