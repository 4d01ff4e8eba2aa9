/**
 * PIN blocks of ISO 9564-1 formats 1 and 3: 8 bytes under a TDES key, filled with chance. Format 3
 * is bound to the card number as format 0 is; format 1 is bound to nothing.
 */

import { type TdesKey, xor } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { panField } from './format0.ts'
import { isPan, isPin } from './shapes.ts'

/** `fill` are 8 random bytes, fresh for each block. Throws a TypeError for another shape. */
export function encodeFormat3(pin: Secret, pan: Secret, key: TdesKey, fill: Buffer): Buffer {
  if (!isPan(pan)) throw new TypeError('the card number has another shape')
  // Each digit of the fill is one of A to F.
  const letters = [...fill.toString('hex')].map((digit) => LETTERS[Number.parseInt(digit, 16) % 6])
  return key.encrypt(xor(fieldOf('3', pin, letters.join('')), panField(pan)))
}

/** The PIN of an encrypted block, or undefined for every fault alike (see format 0). */
export function decodeFormat3(block: Buffer, pan: Secret, key: TdesKey): Secret | undefined {
  if (block.length !== 8 || !isPan(pan)) return undefined
  return pinIn('3', xor(key.decrypt(block), panField(pan)), /^[a-f]*$/)
}

/** `fill` are 8 random bytes, fresh for each block. Throws a TypeError for another shape. */
export function encodeFormat1(pin: Secret, key: TdesKey, fill: Buffer): Buffer {
  return key.encrypt(fieldOf('1', pin, fill.toString('hex')))
}

/** The PIN of an encrypted block, or undefined for every fault alike (see format 0). */
export function decodeFormat1(block: Buffer, key: TdesKey): Secret | undefined {
  return block.length === 8 ? pinIn('1', key.decrypt(block), /^[0-9a-f]*$/) : undefined
}

const LETTERS = 'abcdef'

function fieldOf(control: string, pin: Secret, fill: string): Buffer {
  if (!isPin(pin) || fill.length !== 16) throw new TypeError('PIN or fill has another shape')
  const digits = pin.reveal()
  return Buffer.from(`${control}${digits.length.toString(16)}${digits}${fill}`.slice(0, 16), 'hex')
}

function pinIn(control: string, clear: Buffer, filler: RegExp): Secret | undefined {
  const field = clear.toString('hex')
  const end = 2 + Number.parseInt(field.charAt(1), 16)
  const pin = new Secret(field.slice(2, end))
  return field.startsWith(control) && filler.test(field.slice(end)) && isPin(pin) ? pin : undefined
}
