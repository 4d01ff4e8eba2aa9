/** The PIN verification value (Visa): stored in place of a PIN. iso8583.md, 5.8. */

import type { TdesKey } from '#lib/ciphers.ts'
import { decimalize } from '#lib/decimalize.ts'
import { Secret } from '#lib/secret.ts'
import { isPan, isPin } from './shapes.ts'

export type PvvInput = {
  /** The pair of PIN verification keys, 16 bytes. */
  pvk: TdesKey
  /** Its index, one digit. */
  pvki: string
  pan: Secret
  /** 4 to 12 digits, of which the first four count. */
  pin: Secret
}

/** Four digits. Throws a TypeError when a field has another shape. */
export function pvvOf({ pvk, pvki, pan, pin }: PvvInput): Secret {
  if (!isPin(pin) || !isPan(pan) || !/^[0-9]$/.test(pvki)) {
    throw new TypeError('a field of the PVV has another shape')
  }
  const security = `${pan.reveal().slice(-12, -1)}${pvki}${pin.reveal().slice(0, 4)}`
  return new Secret(decimalize(pvk.encrypt(Buffer.from(security, 'hex')), 4))
}
