/** PINs by IBM 3624: a natural PIN of the account, and the offset of the chosen one from it. */

import type { TdesKey } from '#lib/ciphers.ts'
import type { Secret } from '#lib/secret.ts'
import { isPin } from './shapes.ts'

export type NaturalPin = {
  /** The PIN verification key. */
  pvk: TdesKey
  /** 16 hexadecimal digits of the account, as the issuer chose them. */
  validation_data: Secret
  /** The decimal digit of each hexadecimal one: 16 digits. */
  decimalisation_table: string
}

/** The usual table: each digit is itself, and A to F are 0 to 5. */
export const USUAL_TABLE = '0123456789012345'

/**
 * The validation data of a card as commands of a module have it: its account number and zeros,
 * where N stands for the last five digits of the account number.
 */
export const validationField = (pan: Secret): string => `${accountOf(pan).slice(0, 7)}N0000`

/** The parts of the natural PIN of a card. */
export const naturalOf = (pvk: TdesKey, pan: Secret): NaturalPin => ({
  pvk,
  validation_data: pan.map(() => `${accountOf(pan)}0000`),
  decimalisation_table: USUAL_TABLE,
})

/** The 12 right-most digits of a card number without its check digit. */
const accountOf = (pan: Secret): string => pan.reveal().slice(-13, -1).padStart(12, '0')

/** The offset of a PIN: as many digits. Throws a TypeError when a field has another shape. */
export function offsetOf(pin: Secret, natural: NaturalPin): Secret {
  if (!isPin(pin)) throw new TypeError('the PIN has another shape')
  return combined(pin, natural, (digit, own) => digit - own)
}

/** The PIN that an offset of 4 to 12 digits makes. */
export function pinOfOffset(offset: Secret, natural: NaturalPin): Secret {
  if (!isPin(offset)) throw new TypeError('the offset has another shape')
  return combined(offset, natural, (digit, own) => digit + own)
}

function combined(
  digits: Secret,
  natural: NaturalPin,
  combine: (digit: number, own: number) => number,
): Secret {
  const own = naturalDigits(natural)
  return digits.map((text) =>
    [...text].map((digit, at) => (combine(Number(digit), Number(own[at])) + 10) % 10).join(''),
  )
}

function naturalDigits({ pvk, validation_data, decimalisation_table }: NaturalPin): string {
  const data = validation_data.reveal()
  if (!/^[0-9A-Fa-f]{16}$/.test(data) || !/^[0-9]{16}$/.test(decimalisation_table)) {
    throw new TypeError('validation data or decimalisation table has another shape')
  }
  const block = pvk.encrypt(Buffer.from(data, 'hex')).toString('hex')
  return [...block].map((digit) => decimalisation_table[Number.parseInt(digit, 16)]).join('')
}
