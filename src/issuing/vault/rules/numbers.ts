/** The composition of a card number (D-37, D-110). */

import { luhnCheckDigit } from '#lib/luhn.ts'
import { Secret } from '#lib/secret.ts'

export const PAN_LENGTH = 16

/** The number of digits between a BIN and the check digit. */
export function bodyLength(bin: string): number {
  return PAN_LENGTH - bin.length - 1
}

/** BIN, body with its leading zeros, check digit. */
export function panOf(bin: string, body: bigint): Secret {
  const digits = bin + body.toString().padStart(bodyLength(bin), '0')
  return new Secret(digits + luhnCheckDigit(digits))
}
