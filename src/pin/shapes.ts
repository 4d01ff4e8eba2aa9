/** The inputs of the PIN functions: numbers of digits. */

import type { Secret } from '#lib/secret.ts'

/** True for 4 to 12 digits (ISO 9564-1). */
export function isPin(pin: Secret): boolean {
  return /^[0-9]{4,12}$/.test(pin.reveal())
}

/** True for 12 to 19 digits. */
export function isPan(pan: Secret): boolean {
  return /^[0-9]{12,19}$/.test(pan.reveal())
}
