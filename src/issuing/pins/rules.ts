/** Which PINs a product takes, and how an encrypted one is read (D-37). */

import type { PinSettings } from '#issuing/products/schema.ts'
import type { KeySet } from '#issuing/vault/schema.ts'
import { fail, ok, type Result } from '#lib/result.ts'
import { Secret } from '#lib/secret.ts'
import { decodeFormat0 } from '#pin/format0.ts'
import { decodeFormat4 } from '#pin/format4.ts'
import { pvvOf } from '#pin/pvv.ts'
import { isPin } from '#pin/shapes.ts'
import { isWeakPin } from '#pin/weak.ts'
import type { PinErrorCode } from './errors.ts'

export type PinKeys = Pick<KeySet, 'pvk' | 'pvki' | 'zpk' | 'zpk_aes'>
type PvvKeys = Pick<KeySet, 'pvk' | 'pvki'>

/** The digits that a PVV is made of, and of which it has as many. */
const PVV_DIGITS = 4

/** Whether the product takes this PIN: as many digits as it asks for, and not an easy guess. */
export function ruleOnPin(
  pin: Secret,
  { length, refuse_weak }: PinSettings,
): Result<true, PinErrorCode> {
  if (!hasLength(pin, length)) {
    return fail('pin_refused', { detail: `A PIN of this card has ${length} digits.` })
  }
  if (refuse_weak && isWeakPin(pin)) {
    return fail('pin_refused', { detail: 'The PIN is too easy to guess.' })
  }
  return ok(true)
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
export function ruleOnBlock(given: NewBlock): Result<Secret, PinErrorCode> {
  const { block, pan, keys, settings, kept } = given
  const pin = pinOfBlock(block, pan, keys)
  const isKept = kept?.equals(verificationOf(pin ?? NO_PIN, pan, keys)) ?? false
  if (pin && !isKept && hasLength(pin, settings.length)) return ok(pin)
  const detail = 'The PIN block sets no new PIN of this card.'
  const message = 'is not the block of a new PIN of this card'
  return fail('pin_block_refused', { detail, errors: [{ path: 'enc_pin', message }] })
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
  return kept.equals(verificationOf(pin ?? NO_PIN, pan, keys)) && pin !== undefined
}

/**
 * What is kept in place of a PIN, over the card's own number: its verification value (PVV). A PVV
 * sees four digits only; of a longer PIN there is one of every four digits and one of the last
 * four, behind the number of its digits, so that no digit of it is left out.
 */
export function verificationOf(pin: Secret, pan: Secret, { pvk, pvki }: PvvKeys): Secret {
  const digits = pin.reveal()
  const partAt = (start: number) => {
    const part = new Secret(digits.slice(start, start + PVV_DIGITS))
    return pvvOf({ pvk, pvki, pan, pin: part }).reveal()
  }
  if (digits.length === PVV_DIGITS) return new Secret(partAt(0))
  const last = digits.length - PVV_DIGITS
  const starts = [0, PVV_DIGITS, 2 * PVV_DIGITS].filter((start) => start < last)
  return new Secret([digits.length, ...[...starts, last].map(partAt)].join(':'))
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
