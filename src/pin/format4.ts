/** PIN blocks of ISO 9564-1 format 4: 16 bytes under an AES key, bound to the card number. */

import { type AesKey, xor } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { isPan, isPin } from './shapes.ts'

/**
 * `fill` are 8 random bytes, fresh for each block. Throws a TypeError when PIN (4 to 12 digits),
 * card number or fill has another shape.
 */
export function encodeFormat4(pin: Secret, pan: Secret, key: AesKey, fill: Buffer): Buffer {
  if (!isPin(pin) || !isPan(pan) || fill.length !== 8) {
    throw new TypeError('PIN, card number or fill has another shape')
  }
  const digits = pin.reveal()
  const start = `4${digits.length.toString(16)}${digits}`.padEnd(16, 'a')
  const field = Buffer.concat([Buffer.from(start, 'hex'), fill])
  return key.encrypt(xor(key.encrypt(field), panField(pan)))
}

/** The PIN of an encrypted block, or undefined for every fault alike (see format 0). */
export function decodeFormat4(block: Buffer, pan: Secret, key: AesKey): Secret | undefined {
  if (block.length !== 16 || !isPan(pan)) return undefined
  const field = key.decrypt(xor(key.decrypt(block), panField(pan))).toString('hex', 0, 8)
  const length = Number.parseInt(field.charAt(1), 16)
  const pin = new Secret(field.slice(2, 2 + length))
  const isSound = field.startsWith('4') && /^a*$/.test(field.slice(2 + length)) && isPin(pin)
  return isSound ? pin : undefined
}

/** Number of digits past twelve, the card number, zeros. */
function panField(pan: Secret): Buffer {
  const digits = pan.reveal()
  return Buffer.from(`${digits.length - 12}${digits}`.padEnd(32, '0'), 'hex')
}
