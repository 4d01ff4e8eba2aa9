/** PIN blocks of ISO 9564-1 format 0: 8 bytes under a TDES zone key, bound to the card number. */

import { type TdesKey, xor } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { isPan, isPin } from './shapes.ts'

/** Throws a TypeError when PIN (4 to 12 digits) or card number has another shape. */
export function encodeFormat0(pin: Secret, pan: Secret, zpk: TdesKey): Buffer {
  return zpk.encrypt(clearFormat0(pin, pan).reveal())
}

/**
 * The PIN of an encrypted block, or undefined for every fault alike: distinct faults would reveal
 * something about the PIN.
 */
export function decodeFormat0(block: Buffer, pan: Secret, zpk: TdesKey): Secret | undefined {
  if (block.length !== 8) return undefined
  return pinOfFormat0(new Secret(zpk.decrypt(block)), pan)
}

/** The block before encryption: PIN field and card number field, one over the other. */
export function clearFormat0(pin: Secret, pan: Secret): Secret<Buffer> {
  if (!isPin(pin) || !isPan(pan)) throw new TypeError('PIN or card number has another shape')
  const digits = pin.reveal()
  const field = `0${digits.length.toString(16)}${digits}`.padEnd(16, 'f')
  return new Secret(xor(Buffer.from(field, 'hex'), panField(pan)))
}

/** The PIN of a clear block, or undefined. */
export function pinOfFormat0(clear: Secret<Buffer>, pan: Secret): Secret | undefined {
  if (!isPan(pan) || clear.reveal().length !== 8) return undefined
  const field = xor(clear.reveal(), panField(pan)).toString('hex')
  const length = Number.parseInt(field.charAt(1), 16)
  const pin = new Secret(field.slice(2, 2 + length))
  const isSound = field.startsWith('0') && /^f*$/.test(field.slice(2 + length)) && isPin(pin)
  return isSound ? pin : undefined
}

/** Four zeros and the last twelve digits before the check digit. */
export function panField(pan: Secret): Buffer {
  return Buffer.from(pan.reveal().slice(-13, -1).padStart(16, '0'), 'hex')
}
