/** PINs under keys in software: how blocks are read and what is stored of a PIN (D-37). Pure. */

import { AesKey, TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { decodeFormat0 } from '#pin/format0.ts'
import { decodeFormat4 } from '#pin/format4.ts'
import { formOfKept, keptOffset } from '#pin/kept.ts'
import { naturalOf, offsetOf } from '#pin/offset.ts'
import { pvvOf } from '#pin/pvv.ts'
import { isWeakPin } from '#pin/weak.ts'
import type {
  CardKey,
  NewPinBlock,
  NewPinResult,
  PinKeys,
  PinProof,
  PinVerification,
  PvvKeys,
} from '../provider.ts'

/** The number of PIN digits that a PVV covers, and of digits that it has. */
const PVV_DIGITS = 4

/** A TDES key of this custody. */
export function tdesOf(key: CardKey): TdesKey {
  if (key instanceof TdesKey) return key
  throw new Error('the key is no TDES key in software')
}

/**
 * The PIN that a block would set. One fault for all that is wrong with a block, after the same
 * work, so that no answer discloses it. A replayed block would set the present PIN again and is
 * recognized by it, so no block needs to be stored.
 */
export function newPinOf(input: NewPinBlock): NewPinResult {
  const { block, pan, keys, kept, length, refuse_weak, verification } = input
  const pin = pinOfBlock(block, pan, keys)
  const value = verificationOf(pin ?? NO_PIN, pan, keys, verification)
  const isPresent = kept?.equals(alikeOf(kept, pin ?? NO_PIN, pan, keys))
  if (!pin || isPresent || pin.reveal().length !== length) return { ok: false, fault: 'BLOCK' }
  return refuse_weak && isWeakPin(pin) ? { ok: false, fault: 'WEAK' } : { ok: true, value }
}

/** Whether the block contains the stored PIN; with the same work for any block. */
export function holdsKeptPin({ block, over, pan, keys, kept }: PinProof): boolean {
  const pin = pinOfBlock(block, over, keys)
  return kept.equals(alikeOf(kept, pin ?? NO_PIN, pan, keys)) && pin !== undefined
}

/** The value of a PIN in the form of a stored one. */
const alikeOf = (kept: Secret, pin: Secret, pan: Secret, keys: PvvKeys): Secret =>
  verificationOf(pin, pan, keys, formOfKept(kept) === 'OFFSET' ? 'OFFSET' : 'PVV')

/**
 * The verification value, computed over the card's own number and stored in place of the PIN: an
 * offset, or a PVV. A PVV covers four digits only; a longer PIN has one for every four digits and
 * one for the last four, after the number of its digits, so that every digit is covered.
 */
export function verificationOf(
  pin: Secret,
  pan: Secret,
  { pvk, pvki }: PvvKeys,
  verification: PinVerification,
): Secret {
  const digits = pin.reveal()
  const key = tdesOf(pvk)
  if (verification === 'OFFSET') return keptOffset(offsetOf(pin, naturalOf(key, pan)))
  const partAt = (start: number) => {
    const part = new Secret(digits.slice(start, start + PVV_DIGITS))
    return pvvOf({ pvk: key, pvki, pan, pin: part }).reveal()
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
  if (hex.length === HEX_OF_FORMAT_0) return decodeFormat0(bytes, pan, tdesOf(zpk))
  return zpk_aes instanceof AesKey ? decodeFormat4(bytes, pan, zpk_aes) : undefined
}
