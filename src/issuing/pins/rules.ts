/** Which PINs a product accepts, and how an encrypted block is read (D-37). */

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

/** The number of PIN digits that a PVV covers, and of digits that it has. */
const PVV_DIGITS = 4

/** Whether the product accepts this PIN: its number of digits, and not a weak PIN. */
export function checkPin(
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
  stored: Secret | undefined
}

/**
 * The PIN that a block would set. One error for every fault, after the same work, so that no answer
 * discloses the fault. A replayed block would set the present PIN again and is recognized by it, so
 * no block needs to be stored.
 */
export function checkBlock(input: NewBlock): Result<Secret, PinErrorCode> {
  const { block, pan, keys, settings, stored } = input
  const pin = pinOfBlock(block, pan, keys)
  const isPresent = stored?.equals(verificationOf(pin ?? NO_PIN, pan, keys)) ?? false
  if (pin && !isPresent && hasLength(pin, settings.length)) return ok(pin)
  const detail = 'The PIN block sets no new PIN of this card.'
  const message = 'is not the block of a new PIN of this card'
  return fail('pin_block_refused', { detail, errors: [{ path: 'enc_pin', message }] })
}

type TriedBlock = {
  block: Secret
  /** The number that the block was encoded with: the card's, or that of a token of it. */
  over: Secret
  /** The card's own number, which its verification value is computed over. */
  pan: Secret
  keys: PinKeys
  kept: Secret
}

/** Whether the block contains the stored PIN; with the same work for any block. */
export function holdsKeptPin({ block, over, pan, keys, kept }: TriedBlock): boolean {
  const pin = pinOfBlock(block, over, keys)
  return kept.equals(verificationOf(pin ?? NO_PIN, pan, keys)) && pin !== undefined
}

/**
 * The PIN verification value (PVV), computed over the card's own number and stored in place of the
 * PIN. A PVV covers four digits only; a longer PIN has one for every four digits and one for the
 * last four, after the number of its digits, so that every digit is covered.
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

/** Replaces the PIN of a block that has none, so that the check takes as long. */
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
