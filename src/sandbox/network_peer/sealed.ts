/** Messages of a scheme with their codes (MAC, D-1031). */

import type { DialectName } from '#iso8583/dialects.ts'
import { coveredIn, macIn, putMac, withoutMac } from '#iso8583/mac_field.ts'
import { encode, type Message } from '#iso8583/message.ts'
import type { BlockKey } from '#lib/ciphers.ts'
import { isMac, type MacMethod, macOf } from '#mac/mac.ts'

type Sealing = { method: MacMethod; key: BlockKey }

/** The bytes of a message with its code; without a key, as it is. */
export function sealed(
  message: Message,
  dialect: DialectName,
  sealing: Sealing | undefined,
): Buffer {
  if (!sealing) return encode(message, dialect)
  const bytes = encode(withoutMac(message), dialect)
  putMac(bytes, macOf(sealing.key, sealing.method, coveredIn(bytes, dialect)), dialect)
  return bytes
}

/** Whether the bytes of a message have a code that is right under the key. */
export function isSealed(
  bytes: Buffer,
  message: Message,
  dialect: DialectName,
  { method, key }: Sealing,
): boolean {
  const code = macIn(bytes, message, dialect)
  return code !== undefined && isMac(key, method, code.covered, code.mac)
}
